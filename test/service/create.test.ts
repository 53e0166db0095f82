import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProcessRequest } from '../../src/app/process/index.ts';
import { isInnsigliError } from '../../src/base/errors.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const jon = { name: 'Jón', email: 'jon@example.test', signatureType: 'ClickToSign' } as const;
const eid = { name: 'Anna', ssn: '6000101994', signatureType: 'Qualified' } as const;

describe('input of the library', () => {
  let it: TestService;
  const request = (change: object = {}) =>
    ({ flowKey: it.flowKey, pdf: agreement, signees: [jon], ...change }) as ProcessRequest;
  const field = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!isInnsigliError(error)) return error;
    return `${error.code} ${error.details['field']}`;
  };
  beforeAll(async () => {
    it = await openTestService();
  }, 60_000);
  afterAll(() => it?.close());

  test.each<[string, unknown, string]>([
    ['no request', undefined, 'input'],
    ['an empty object', {}, 'flowKey'],
    ['text as document', { pdf: 'text' }, 'pdf'],
    ['no signees', { signees: undefined }, 'signees'],
    ['signees as an object', { signees: {} }, 'signees'],
    ['null as signee', { signees: [null] }, 'signees[0]'],
    ['a number as name', { signees: [{ ...jon, name: 5 }] }, 'signees[0].name'],
    [
      'an unknown type',
      { signees: [{ ...jon, signatureType: 'Foo' }] },
      'signees[0].signatureType',
    ],
    ['an unknown delivery', { signees: [{ ...jon, delivery: 'Pigeon' }] }, 'signees[0].delivery'],
    ['an unknown signatureLocation', { signatureLocation: 'Middle' }, 'signatureLocation'],
    ['text as a boolean', { requiresAuth: 'yes' }, 'requiresAuth'],
    ['meta as a list', { meta: [] }, 'meta'],
    [
      'an attachment without content',
      { attachments: [{ fileName: 'a' }] },
      'attachments[0].content',
    ],
    ['an owner without an address', { user: 'not an email' }, 'user'],
    ['Sms without a phone', { signees: [{ ...eid, delivery: 'Sms' }] }, 'signees[0]'],
  ])('%s is rejected with the name of the field', async (_, change, name) => {
    const options =
      change === undefined ? undefined : name === 'flowKey' ? {} : request(change as object);
    const asked = it.toolkit.processes.create(options as ProcessRequest);
    expect(await field(asked)).toBe(`validation.error ${name}`);
  });

  test('enumeration values ignore case, and null counts as absent', async () => {
    const signee = { ...jon, signatureType: 'clicktosign', delivery: null };
    const made = await it.toolkit.processes.create(request({ signees: [signee], user: null }));
    expect(made.signees[0]).toMatchObject({ signatureType: 'ClickToSign', delivery: 'None' });
  });

  test('lists have a default length', async () => {
    const { processes } = it.toolkit;
    expect((await processes.list()).length).toBeGreaterThan(0);
    expect((await processes.list({})).length).toBe(await processes.count());
    expect(await processes.list({ take: 0 })).toEqual([]);
    expect(await field(processes.list({ take: -1 }))).toBe('validation.error take');
    expect(await field(processes.list({ status: 'Gone' as 'Active' }))).toBe(
      'validation.error status',
    );
  });

  test('keys and actors of the wrong type are rejected', async () => {
    const { processes } = it.toolkit;
    const made = await processes.create(request());
    const wrong = 5 as unknown as string;
    await expect(processes.show({ key: wrong })).rejects.toMatchObject({
      code: 'process.not_found',
    });
    await expect(processes.showSequence({ key: wrong })).rejects.toMatchObject({
      code: 'process.not_found',
    });
    expect(await field(processes.cancel({ key: made.key, by: wrong }))).toBe('validation.error by');
    expect(await field(processes.block({ key: made.key, by: 'System', reason: wrong }))).toBe(
      'validation.error reason',
    );
    expect(
      await field(processes.addSignee({ key: made.key, signee: {} as typeof jon, by: 'System' })),
    ).toBe('validation.error signee.name');
    await expect(
      processes.extend({ key: made.key, expiresAtMs: Number.NaN, by: 'System' }),
    ).rejects.toThrow(/found no time/);
    await expect(processes.extend({ key: made.key, expiresAtMs: 0, by: 'System' })).rejects.toThrow(
      /found 1970-01-01/,
    );
  });

  test('a fault in a sequence names the document', async () => {
    const processes = [request(), request({ signees: [{ ...jon, email: 'x' }] })];
    const asked = it.toolkit.processes.createSequence({ processes, user: 'me@example.test' });
    expect(await field(asked)).toBe('validation.error processes[1].signees[0].email');
  });

  test('sequences are listed newest first', async () => {
    const make = (user: string) => {
      it.pass(1000);
      return it.toolkit.processes.createSequence({ processes: [request()], user });
    };
    const first = await make('a@example.test');
    const second = await make('b@example.test');
    const all = await it.toolkit.processes.listSequences();
    expect(all.map(({ sequence }) => sequence.key)).toEqual([
      second.sequence.key,
      first.sequence.key,
    ]);
    expect(all[0]?.processes.length).toBe(1);
    expect((await it.toolkit.processes.listSequences({ skip: 1 })).length).toBe(1);
  });

  test('a flow that creates the document accepts no other', async () => {
    const template = Buffer.from(
      JSON.stringify({
        v: 1,
        title: 'T',
        blocks: [{ type: 'list', items: ['{{value}}'], each: 'l' }],
      }),
    );
    const { key } = await it.toolkit.flows.create({ name: 'R', type: 'RenderFlow' }, template);
    const asked = it.toolkit.processes.create(request({ flowKey: key }));
    expect(await field(asked)).toBe('validation.error pdf');
    // Longer than any other member of meta.
    const values = JSON.stringify({ l: Array.from({ length: 2000 }, (_, at) => `item ${at}`) });
    const made = await it.toolkit.processes.create(
      request({ flowKey: key, pdf: undefined, meta: { pdfFieldData: values } }),
    );
    expect(made.status).toBe('Active');
  });
});

describe('production without an identity provider', () => {
  let it: TestService;
  beforeAll(async () => {
    it = await openTestService();
  }, 60_000);
  afterAll(() => it?.close());

  test('rejects signees who could never sign', async () => {
    const request = { flowKey: it.flowKey, pdf: agreement };
    const open = await it.toolkit.processes.create({ ...request, signees: [jon] });
    const { config } = resolveConfig({
      flags: {},
      env: { HOME: it.folder, INNSIGLI_HOME: join(it.folder, 'data'), INNSIGLI_PRODUCTION: 'true' },
      cwd: it.folder,
    });
    const kit = openToolkit(config, { now: it.nowMs, random: randomBytes, warn() {} });
    const service = await kit.service();
    try {
      const { processes } = await service.open();
      await expect(processes.create({ ...request, signees: [eid] })).rejects.toThrow(
        /Qualified is not possible/,
      );
      await expect(
        processes.create({ ...request, signees: [jon], requiresAuth: true }),
      ).rejects.toThrow(/a login is not possible/);
      await expect(
        processes.addSignee({ key: open.key, signee: eid, by: 'System' }),
      ).rejects.toThrow(/Qualified is not possible/);
    } finally {
      await service.close();
      kit.close();
    }
  });
});
