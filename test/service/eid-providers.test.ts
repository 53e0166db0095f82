import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { defined } from '../../src/base/defined.ts';
import { type BankidPlace, serveBankid } from '../support/eid/bankid-place.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const folder = newTemporaryFolder('eid');
const file = join(folder, 'eid.json');

const person = { number: '199003102390', name: 'Testa Exempelsson' };
const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };

let bankid: BankidPlace;
let clock = () => Date.now();
beforeEach(async () => {
  clock = () => Date.now();
  bankid = await serveBankid(person, () => clock());
  for (const [name, content] of Object.entries(bankid.files)) {
    writeFileSync(join(folder, name), content);
  }
});

const provider = (more: object = {}) => ({
  driver: 'bankid-se',
  url: bankid.url,
  anchors: ['root.pem'],
  transport: { caFile: 'tls-ca.pem', certificateFile: 'rp.pem', keyFile: 'rp.key' },
  ...more,
});

async function open(content: object, env: Record<string, string> = {}): Promise<TestService> {
  writeFileSync(file, JSON.stringify(content));
  const it = await openTestService({ INNSIGLI_EID: file, ...env });
  onTestFinished(() => it.close());
  clock = () => it.nowMs();
  return it;
}

const login = (it: TestService) =>
  it.service.identity.startLogin({
    ...{ scheme: 'eid-se', flowKey: it.flowKey, channel: 'App', loginHint: '' },
    ...{ includeVerificationCode: false, circumstances },
  } as const);

describe('a configured e-ID provider', () => {
  test('logs a person in, and is polled once for many concurrent polls', async () => {
    const it = await open({ providers: { bankid: provider() }, methods: { 'eid-se': 'bankid' } });
    const { token, qrData, autoStartToken } = await login(it);
    expect(qrData).toMatch(/^bankid\./);
    expect(autoStartToken).toBeDefined();
    bankid.server.control.approve();
    it.pass(2_000);
    const poll = { scheme: 'eid-se', token, flowKey: it.flowKey, lookup: 'Name' } as const;
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => it.service.identity.pollLogin(poll)),
    );
    it.pass(2_000);
    const after = await it.service.identity.pollLogin(poll);
    expect(after).toMatchObject({
      state: 'done',
      customer: { ssn: person.number, name: person.name },
    });
    const collects = bankid.server.log.filter(({ method }) => method === 'collect');
    expect(collects).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 'rejected').length).toBeLessThan(5);
    expect(JSON.stringify(after)).not.toContain('assurance');
  });

  test('of a flow is the only one whose logins are accepted there', async () => {
    // Services of these tests are copies of one: the keys are the same.
    const { flowKey } = await open({});
    const two = { flows: { [flowKey]: { 'eid-se': 'two' } } };
    const providers = { one: provider(), two: provider() };
    const it = await open({ providers, methods: { 'eid-se': 'one' }, ...two });
    expect(it.flowKey).toBe(flowKey);
    const start = { scheme: 'eid-se', channel: 'App', loginHint: '', circumstances } as const;
    const more = { includeVerificationCode: false };
    const { token } = await it.service.identity.startLogin({ ...start, ...more });
    bankid.server.control.approve();
    it.pass(2_000);
    const poll = { scheme: 'eid-se', token, flowKey, lookup: 'Name' } as const;
    await expect(it.service.identity.pollLogin(poll)).rejects.toMatchObject({
      code: 'authentication.token.scope.invalid',
    });
    expect(bankid.server.log.map(({ method }) => method)).toEqual(['auth']);
  });

  test('is notified when a login is cancelled', async () => {
    const it = await open({ providers: { bankid: provider() }, methods: { 'eid-se': 'bankid' } });
    const { token } = await login(it);
    await it.service.identity.cancelLogin(token);
    expect(bankid.server.log.map(({ method }) => method)).toEqual(['auth', 'cancel']);
    const poll = { scheme: 'eid-se', token, flowKey: it.flowKey } as const;
    expect(await it.service.identity.pollLogin(poll)).toEqual({
      ...{ state: 'failed', hint: 'cancelled' },
    });
  });

  test('that is unavailable keeps the login open, and affects only its own method', async () => {
    const away = provider({ url: 'https://127.0.0.1:9/rp/v6.0/' });
    const it = await open({
      providers: { bankid: provider(), away },
      methods: { 'eid-se': 'away', 'device-link': 'bankid' },
    });
    await expect(login(it)).rejects.toMatchObject({ code: 'eid.provider.error' });
    const sim = { scheme: 'sim-app', channel: 'Sim', loginHint: '6666666' } as const;
    const other = { flowKey: it.flowKey, includeVerificationCode: false, circumstances };
    expect((await it.service.identity.startLogin({ ...sim, ...other })).token).toBeDefined();
  });

  test('signs the document when the person approves', async () => {
    const it = await open({ providers: { bankid: provider() }, methods: { 'eid-se': 'bankid' } });
    const process = await it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      fileName: 'Samningur.pdf',
      signees: [{ name: person.name, ssn: person.number, signatureType: 'Qualified' }],
    });
    const place = { processKey: process.key, signeeKey: process.signees[0]?.key ?? '' };
    const at = { ...place, circumstances };
    const { token } = await it.service.identity.startForeign(at, 'eid-se', {});
    bankid.server.control.approve();
    it.pass(2_000);
    const answer = await it.service.identity.pollSigning(at, token, 'eid-se');
    expect(answer).toMatchObject({ state: 'signed' });
  });

  test('of a flow takes precedence over that of its company, which precedes the global one', async () => {
    const providers = { one: provider(), two: provider(), three: provider() };
    const names = ['one', 'two', 'three'] as const;
    const it = await open({ providers, methods: { 'eid-se': 'one' } });
    const company = it.toolkit.company.key;
    const starts: Record<string, object> = {
      one: { companies: { other: { 'eid-se': 'two' } } },
      two: { companies: { [company]: { 'eid-se': 'two' } } },
      three: {
        companies: { [company]: { 'eid-se': 'two' } },
        flows: { [it.flowKey]: { 'eid-se': 'three' } },
      },
    };
    const { openProviders } = await import('../../src/wire/eid/open-providers.ts');
    const { readEidFile } = await import('../../src/wire/eid/eid-file.ts');
    for (const name of names) {
      writeFileSync(
        file,
        JSON.stringify({ providers, methods: { 'eid-se': 'one' }, ...starts[name] }),
      );
      const context = {
        config: { production: false, offline: false },
        io: { now: Date.now, random: () => new Uint8Array(16) },
      } as unknown as Parameters<typeof openProviders>[0];
      const vault = { encrypt: String, decrypt: String } as unknown as Parameters<
        typeof openProviders
      >[1];
      const usual = () => {
        throw new Error('not the usual one');
      };
      const opened = await openProviders(context, vault, readEidFile(file), usual);
      const chosen = opened.choose('eid-se', { companyKey: company, flowKey: it.flowKey });
      expect(chosen.name).toBe(name);
      expect(opened.named(name)?.name).toBe(name);
      await opened.close();
    }
  });
});

describe('an invalid configuration', () => {
  const secret = 'a-secret-that-nobody-reads';
  const rows: readonly (readonly [string, () => object, string])[] = [
    [
      'an unknown driver',
      () => ({ providers: { a: { driver: 'bankid' } } }),
      '$.providers.a.driver',
    ],
    ['an unknown member', () => ({ providers: { a: provider({ ancors: [] }) } }), 'ancors'],
    ['a missing member', () => ({ providers: { a: { driver: 'bankid-se' } } }), 'anchors'],
    [
      'a missing file',
      () => ({ providers: { a: provider({ anchors: ['nowhere.pem'] }) } }),
      'nowhere.pem',
    ],
    ['an unknown method', () => ({ methods: { sms: 'none' } }), '$.methods.sms'],
    ['an unknown provider', () => ({ methods: { Sim: 'nobody' } }), '$.methods.Sim'],
    [
      'a method that the driver does not serve',
      () => ({ providers: { a: provider() }, methods: { Sim: 'a' } }),
      'does not serve Sim',
    ],
    ['a file that is not an object', () => [] as object, 'expected an object'],
    [
      'a transport with a secret in it',
      () => ({ providers: { a: provider({ transport: { passphrase: secret } }) } }),
      '$.providers.a.transport.passphrase',
    ],
  ];

  test.each(rows)('%s is reported by its path', async (_, content, named) => {
    const error = await open(content()).catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'config.invalid' });
    expect((error as Error).message).toContain(named);
    expect((error as Error).message).not.toContain(secret);
  });
});

describe('the language sent to the provider', () => {
  const shownIn = (link: string | undefined) => new URL(link ?? '').searchParams.get('lang');
  const start = { includeVerificationCode: false, circumstances } as const;

  test('for a login is that of the flow', async () => {
    const it = await open({});
    const begin = async () => {
      const scheme = { scheme: 'device-link', channel: 'App', loginHint: '' } as const;
      const { flowKey } = it;
      return (await it.service.identity.startLogin({ ...scheme, ...start, flowKey })).qrData;
    };
    expect(shownIn(await begin())).toBe('is');
    await it.toolkit.flows.update(it.flowKey, { language: 'Sv' });
    expect(shownIn(await begin())).toBe('sv');
  });

  test.each([
    ["the signee's own", 'Da', 'da'],
    ['otherwise that of the flow', undefined, 'is'],
  ])('for a signee is %s', async (_, language, expected) => {
    const it = await open({});
    const { key, signees } = await it.toolkit.processes.create({
      ...{ flowKey: it.flowKey, pdf: agreement, fileName: 'Samningur.pdf', requiresAuth: true },
      signees: [
        { name: 'Testa', ssn: '6000101994', signatureType: 'Qualified', ...defined({ language }) },
      ],
    });
    const place = { processKey: key, signeeKey: signees[0]?.key ?? '' };
    const way = { channel: 'App', method: 'device-link' } as const;
    const { qrData } = await it.service.identity.startSigneeLogin({ ...place, ...start, ...way });
    expect(shownIn(qrData)).toBe(expected);
  });
});
