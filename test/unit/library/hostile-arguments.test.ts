/** Calls every method of `openInnsigli` with arguments that TypeScript would reject. */
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInnsigliError } from '../../../src/base/errors.ts';
import { packageData } from '../../../src/base/package-data.ts';
import { buildServer, startTrustServer } from '../../../src/server.ts';
import {
  joinedSource,
  memorySource,
  openDevelopmentTrust,
  openInnsigli,
} from '../../../src/toolkit.ts';
import type { ArgumentKind, MethodKinds } from '../../../src/wire/library/check-method.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

type Method = (...args: readonly unknown[]) => unknown;
type Objects = { readonly [Name in string]?: Objects | Method };

const methods = packageData('types/arguments.json') as Readonly<Record<string, MethodKinds>>;
/** These end their owner, or come from results that are not created here. */
const isLeftOut = (path: string) =>
  /(^|\.)close$|^serveTrust/.test(path) || path.split('.').length > 3;

const innsigli = openInnsigli({ dataDir: join(newTemporaryFolder('arguments'), 'data') });
const opened: Record<string, Objects> = {};
beforeAll(async () => {
  const { company } = await innsigli.initialise({ name: 'Acme ehf.' });
  // Methods that return the objects on which the other methods are called.
  const checked = Object.keys(methods).filter((path) => !isLeftOut(path));
  const givers = new Set(checked.flatMap((path) => path.split('.').slice(0, -1)[0] ?? []));
  for (const name of givers) {
    const open = (innsigli as unknown as Objects)[name] as Method;
    opened[name] = (await open(...(name === 'company' ? [company?.key] : []))) as Objects;
  }
});
afterAll(() => innsigli.close());

const hostile: readonly unknown[] = [
  ...[undefined, null, 0, -1, 1.5, Number.NaN, 1n, true, '', '\u0000', 'x'.repeat(10_000)],
  ...[[], [[]], {}, { key: 1 }, { flowKey: {} }, { __proto__: null, key: undefined }],
  ...[Symbol('s'), () => 1, new Date(Number.NaN), Buffer.from('x'), new Map(), /x/],
];

describe.each(Object.keys(methods).filter((path) => !isLeftOut(path)))('%s', (path) => {
  const kinds = Object.entries(methods[path]?.takes ?? {});

  test(`${path} rejects hostile arguments with a code`, async () => {
    for (const one of hostile) {
      for (const args of [[one], ['x', one], [one, one, one]]) {
        const error = await outcome(path, args);
        if (error === undefined) continue;
        expect(isInnsigliError(error) ? error.code : error).toMatch(/^(?!internal)[a-z_.]+$/);
      }
    }
  });

  if (!kinds.some(([, kind]) => isNeeded(kind))) return;
  test(`${path} names an argument of the wrong type`, async () => {
    for (const [at, [name, own]] of kinds.entries()) {
      if (!isNeeded(own)) continue;
      const args = kinds.map(([, kind]) => sampleOf(kind)).with(at, Symbol('none'));
      const error = await outcome(path, args);
      expect(error).toMatchObject({ message: expect.stringContaining(`${name}: expected `) });
    }
  });
});

test('a member of the wrong type is named by its path', async () => {
  const given = { flowKey: 'f', type: 'Canceled', url: 5 };
  expect(await outcome('company.webhooks.create', [given])).toMatchObject({
    code: 'validation.error',
    message: 'url: expected text, found 5',
    details: { field: 'url' },
  });
});

test('a member has the same path, whichever layer rejects it', async () => {
  const signees = [{ name: 'Anna' }, { name: 5 }];
  expect(await outcome('company.processes.create', [{ flowKey: 'f', signees }])).toMatchObject({
    details: { field: 'signees[1].name' },
  });
  // The table rejects the type, the method rejects the value.
  for (const [path, member, kind, value, others] of [
    ['company.processes.list', 'take', 'x', -1, {}],
    ['createCompany', 'name', 5, '', {}],
    ['company.auth.start', 'method', 5, 'x', { flowKey: 'f' }],
  ] as const) {
    for (const each of [kind, value]) {
      const error = await outcome(path, [{ ...others, [member]: each }]);
      expect(error).toMatchObject({ message: expect.stringMatching(`^${member}: `) });
    }
  }
});

test('an empty text is not accepted as a missing argument', async () => {
  const { trialEndsAtMs } = (await call('company.setTrial', [4e12])) as { trialEndsAtMs?: number };
  expect(trialEndsAtMs).toBe(4e12);
  expect(await outcome('company.setTrial', [''])).toMatchObject({
    code: 'validation.error',
    message: 'endsAtMs: expected a number, found ""',
  });
});

test('objects of a closed connection report that it is closed', async () => {
  const other = openInnsigli({ dataDir: join(newTemporaryFolder('closed'), 'data') });
  await other.initialise({ name: 'Acme ehf.' });
  const acme = await other.company();
  await other.close();
  const closed = { code: 'store.unavailable', message: 'the database was closed' };
  await expect(acme.flows.list()).rejects.toMatchObject(closed);
  const request = { name: 'Contracts', type: 'DropAndSign' } as const;
  await expect(acme.flows.create(request)).rejects.toMatchObject(closed);
  expect(await (await other.company()).flows.list()).toHaveLength(1);
  await other.close();
});

test.each([
  [Buffer.from('%PDF'), 'bytes'],
  ['agreement.pdf', '"agreement.pdf"'],
  [Promise.resolve(), 'a Promise that was not awaited'],
])(
  'a document that is not a source is rejected with a hint how to make one (%#)',
  async (given, found) => {
    expect(await outcome('verify', [given])).toMatchObject({
      code: 'usage.invalid',
      message: `input: expected a source, found ${found}`,
      hint: 'memorySource(bytes) makes a source of bytes',
    });
  },
);

test.each(['company.setTrial', 'company.setLogo'])(
  'null is rejected rather than ending or removing something (%s)',
  async (path) => {
    expect(await outcome(path, [null])).toMatchObject({ code: 'validation.error' });
  },
);

test('an asynchronous method rejects its promise for invalid arguments', async () => {
  const paths = Object.entries(methods).filter(
    ([path, { takes }]) => !isLeftOut(path) && Object.values(takes).some(isNeeded),
  );
  expect(paths.length).toBeGreaterThan(100);
  for (const [path, { takes, isImmediate }] of paths) {
    const args = Object.values(takes).map(() => Symbol('none'));
    if (isImmediate) expect(() => call(path, args), path).toThrow(': expected ');
    else await expect(call(path, args), path).rejects.toThrow(': expected ');
  }
});

test.each([
  [
    'seal',
    [source(), { level: 'b-t' }],
    'level: expected one of B-B, B-LT, B-LTA, B-T, found "b-t"',
  ],
  [
    'sealXml',
    [source(), { level: 'BB' }],
    'level: expected one of B-B, B-LT, B-LTA, B-T, found "BB"',
  ],
  [
    'sealFiles',
    [[], { container: 'zip' }],
    'container: expected one of asic-e, asic-s, found "zip"',
  ],
  ['seal', [source(), { certify: 9 }], 'certify: expected one of 1, 2, 3, found 9'],
  ['seal', [source(), { visible: true }], 'visible: expected one of false, an object, found true'],
  [
    'verify',
    [source(), [], { revocation: 'ignor' }],
    'revocation: expected one of ignore, online, ',
  ],
])('%s rejects a value outside its type (%#)', async (path, args, message) => {
  expect(await outcome(path, args)).toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining(`options.${message}`),
  });
});

test.each([
  ['seal', [source(), Promise.resolve({})], 'options: expected an object'],
  ['company.webhooks.create', [Promise.resolve({})], 'request: expected an object'],
])('%s reports a Promise that was not awaited', async (path, args, message) => {
  expect(await outcome(path, args)).toMatchObject({
    message: `${message}, found a Promise that was not awaited`,
  });
});

function source() {
  return memorySource(Buffer.from('%PDF-1.7'));
}

const isNeeded = ({ is }: ArgumentKind) => !is.includes('undefined') && !is.includes('any');

function call(path: string, args: readonly unknown[]): unknown {
  const names = path.split('.');
  const name = names.pop() ?? '';
  const objects = names.length === 0 ? innsigli : opened;
  const place = names.reduce<unknown>((each, key) => (each as Objects)[key], objects);
  return (place as Record<string, Method>)[name]?.(...args);
}

async function outcome(path: string, args: readonly unknown[]): Promise<unknown> {
  try {
    await call(path, args);
    return undefined;
  } catch (error) {
    return error;
  }
}

const samples: Readonly<Record<string, unknown>> = {
  ...{ any: 'x', text: 'x', number: 1, boolean: true, list: [], iterable: [], null: null },
  ...{ bytes: new Uint8Array(1), date: new Date(0), function: () => undefined },
  async: { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true }) }) },
};

function sampleOf({ is, members = {}, words = [] }: ArgumentKind): unknown {
  if (words.length > 0) return words[0];
  const word = is.find((each) => each !== 'undefined') ?? '';
  if (word !== 'object') return samples[word];
  return Object.fromEntries(Object.entries(members).map(([key, kind]) => [key, sampleOf(kind)]));
}

const noOptions = null as never;

test.each([
  ['memorySource', () => memorySource('%PDF' as never), 'bytes: expected bytes'],
  ['joinedSource', () => joinedSource(undefined as never, Buffer.from('')), 'head: expected'],
  ['openInnsigli', () => openInnsigli({}, noOptions), 'io: expected an object'],
  ['openDevelopmentTrust', () => openDevelopmentTrust({} as never), 'directory: expected text'],
  ['buildServer', () => buildServer(innsigli, noOptions), 'options: expected an object'],
  ['startTrustServer', () => startTrustServer({} as never), 'host: expected text'],
])('%s names an argument of the wrong type', async (_, act, message) => {
  await expect(async () => act()).rejects.toMatchObject({
    code: 'usage.invalid',
    message: expect.stringContaining(message),
  });
});

test('a Uint8Array of another realm is accepted as bytes', async () => {
  const foreign = runInNewContext('new Uint8Array([1, 2, 3])') as Uint8Array;
  expect(memorySource(foreign).lengthBytes).toBe(3);
  const logo = await outcome('company.setLogo', [foreign]);
  expect(logo).not.toMatchObject({ message: expect.stringContaining('expected bytes') });
});
