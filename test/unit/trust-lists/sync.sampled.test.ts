import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { folderTrustStore } from '../../../src/adapters/trust-store/index.ts';
import {
  exportTrust,
  importTrust,
  listTrust,
  loadTrust,
  type SyncOptions,
  showTrust,
  syncTrust,
} from '../../../src/app/trust/index.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import { limits } from '../../../src/base/limits.ts';
import { writeZip } from '../../../src/formats/zip/index.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { costlyRows, costlyTest } from '../../support/sample.ts';
import {
  listNowMs,
  listXml,
  makeScheme,
  signList,
  type TestList,
  type TestPointer,
} from '../../support/trusted-lists.ts';

const root = newTemporaryFolder('lists');

const { pki, operator } = makeScheme();
const [eu, eu2, eu3] = [operator('EU 1'), operator('EU 2'), operator('EU 3')];
const [is, no] = [operator('IS'), operator('NO')];
const LOTL = 'https://eu.example/lotl.xml';
const IS = 'https://is.example/tl.xml';
const NO = 'https://no.example/tl.xml';

const ca = pki.member('ca');
const services = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Service ${index}`,
    certificates: [ca.der],
  }));

const pointerTo = (
  location: string,
  territory: string,
  ...signers: (typeof eu)[]
): TestPointer => ({
  location,
  territory,
  signers,
});
const self = (...signers: (typeof eu)[]): TestPointer => ({
  ...pointerTo(LOTL, 'EU', ...signers),
  type: 'EUlistofthelists',
});
const below = [pointerTo(IS, 'IS', is), pointerTo(NO, 'NO', no)];
const lotl = (changes: TestList = {}): TestList => ({
  type: 'EUlistofthelists',
  territory: 'EU',
  pointers: [self(eu), ...below],
  ...changes,
});
const tl = (territory: string, changes: TestList = {}): TestList => ({
  territory,
  services: services(4),
  ...changes,
});
const sign = (list: TestList, signer = eu) => signList(listXml(list), signer);

let count = 0;
let nowMs = listNowMs;
let web: Map<string, Uint8Array>;
let asked: string[];
let store = folderTrustStore(root);
let dataDir = root;

const ports = () => ({
  store,
  now: () => nowMs,
  fetch: async (location: string) => {
    asked.push(location);
    const found = web.get(location);
    if (found === undefined) throw new InnsigliError('network.failed', `${location}: no answer`);
    return found;
  },
});

const sync = (options: SyncOptions = {}) => syncTrust(ports(), 'eu', options);
const first = { location: LOTL, signers: [eu.der] };
const results = async (options: SyncOptions = {}) =>
  (await sync(options)).outcomes.map(({ territory, result, problem }) =>
    [territory, result, problem?.code].filter(Boolean).join(' '),
  );
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof InnsigliError ? error.code : String(error)),
  );
const stored = async () => {
  const [profile] = await listTrust(store, nowMs);
  return profile?.lists.map(({ territory, sequenceNumber }) => `${territory} ${sequenceNumber}`);
};

beforeEach(async () => {
  dataDir = join(root, `d${count++}`);
  store = folderTrustStore(dataDir);
  nowMs = listNowMs;
  asked = [];
  web = new Map([
    [LOTL, await sign(lotl())],
    [IS, await sign(tl('IS', { version: 5 }), is)],
    [NO, await sign(tl('NO'), no)],
  ]);
});

describe('a trust profile', () => {
  test('stores its lists, each verified by the signers that the list above names', async () => {
    expect(await results(first)).toEqual(['EU new', 'IS new', 'NO new']);
    expect(await results()).toEqual(['EU unchanged', 'IS unchanged', 'NO unchanged']);
    const loaded = await loadTrust(store, 'eu', nowMs);
    expect(loaded.lists.map(({ territory, services: all }) => [territory, all.length])).toEqual([
      ['IS', 4],
      ['NO', 4],
    ]);
    // The services share one certificate, which is one anchor.
    expect(loaded.anchors).toHaveLength(1);
    expect(loaded.warnings).toEqual([]);
    const shown = await showTrust(store, 'eu', 'is', nowMs);
    expect(shown.lists[1]).toMatchObject({
      territory: 'IS',
      operator: 'Operator of IS',
      sequenceNumber: 10,
      issued: '2026-05-01T00:00:00.000Z',
      nextUpdate: '2026-10-01T00:00:00.000Z',
      services: 4,
      signature: 'valid',
      version: 5,
    });
    expect(shown.services?.[0]).toMatchObject({ type: 'CA/QC', status: 'granted' });
  });

  test('replaces an older list by a newer one and keeps the versions', async () => {
    await sync(first);
    web.set(IS, await sign(tl('IS', { sequence: 11, issued: '2026-05-02T00:00:00Z' }), is));
    expect(await results()).toEqual(['EU unchanged', 'IS updated', 'NO unchanged']);
    expect(await stored()).toEqual(['EU 10', 'IS 11', 'NO 10']);
    for (let i = 0; i < 6; i++) await sync();
    expect(readdirSync(join(dataDir, 'trust-lists/eu/versions'))).toHaveLength(4);
    // No version references the earlier list of IS any more.
    expect(readdirSync(join(dataDir, 'trust-lists/eu/lists'))).toHaveLength(3);
  });

  test('can be limited to some territories', async () => {
    expect(await results({ ...first, territories: ['no'] })).toEqual(['EU new', 'NO new']);
    expect(asked).toEqual([LOTL, NO]);
    expect(await results({ territories: ['IS'] })).toEqual([
      'EU unchanged',
      'IS new',
      'NO dropped',
    ]);
  });

  test('can consist of a single list', async () => {
    expect(await results({ location: IS, signers: [is.der] })).toEqual(['IS new']);
    expect((await loadTrust(store, 'eu', nowMs)).lists).toHaveLength(1);
  });

  test('can consist of certificates alone', async () => {
    await sync({ certificates: [pki.member('root').der] });
    const { anchors, lists } = await loadTrust(store, 'eu', nowMs);
    expect([anchors.length, lists.length]).toEqual([1, 0]);
  });
});

describe('new signers of the list of lists', () => {
  const later = { sequence: 12, issued: '2026-05-03T00:00:00Z' };

  test('are accepted if the stored list of lists names them', async () => {
    web.set(LOTL, await sign(lotl({ pointers: [self(eu, eu2), ...below] })));
    await sync(first);
    web.set(LOTL, await sign(lotl({ ...later, pointers: [self(eu2), ...below] }), eu2));
    expect(await results()).toEqual(['EU updated', 'IS unchanged', 'NO unchanged']);
    // A signer no longer named is rejected, even if the user named it.
    web.set(LOTL, await sign(lotl({ sequence: 13, issued: '2026-05-04T00:00:00Z' }), eu));
    expect(await codeOf(sync())).toBe('trust.list.signature');
  });

  const pivot = (number: number) => `https://eu.example/lotl-pivot-${number}.xml`;
  const paper = 'https://law.example/announcement';

  /** eu → eu2 by pivot 20, eu2 → eu3 by pivot 30. */
  async function putPivots(changes: { second?: typeof eu; announced?: typeof eu } = {}) {
    const informationUris = [paper, pivot(30), pivot(20), 'https://law.example/older'];
    const { second = eu2, announced = eu2 } = changes;
    const early = { issued: '2026-05-02T00:00:00Z', nextUpdate: '2026-05-20T00:00:00Z' };
    const at20 = lotl({ ...early, sequence: 20, pointers: [self(announced)] });
    const at30 = lotl({ ...early, sequence: 30, pointers: [self(eu3)] });
    web.set(pivot(20), await sign(at20, eu));
    web.set(pivot(30), await sign(at30, second));
    const now = lotl({ sequence: 31, informationUris, pointers: [self(eu3), ...below] });
    web.set(LOTL, await sign({ ...now, issued: '2026-05-03T00:00:00Z' }, eu3));
  }

  test('are reached over pivots, each signed by those named before', async () => {
    await putPivots();
    expect(await results(first)).toEqual(['EU new', 'IS new', 'NO new']);
    const { pivots } = await showTrust(store, 'eu', undefined, nowMs);
    expect(pivots.map(({ sequenceNumber }) => sequenceNumber)).toEqual([20, 30]);
    // They are needed only once.
    asked = [];
    await sync();
    expect(asked).toEqual([LOTL, IS, NO]);
  });

  test.each([
    ['a pivot of an untrusted signer', { second: is }],
    ['a pivot that announces other signers', { announced: no }],
  ])('are rejected after %s', async (_, changes) => {
    await putPivots(changes);
    expect(await codeOf(sync(first))).toBe('trust.list.signature');
    expect(await stored()).toBeUndefined();
  });

  costlyTest('of an unsigned list with 150,000 pivots are rejected immediately', async () => {
    const informationUris = Array.from({ length: 150_000 }, (_, index) => pivot(index));
    web.set(LOTL, Buffer.from(listXml(lotl({ informationUris, pointers: [self(eu3)] }))));
    const began = cpuMs();
    expect(await codeOf(sync(first))).toBe('network.failed');
    expect(cpuMs() - began).toBeLessThan(5_000);
  });

  test('are not searched for endlessly among pivots that reference each other', async () => {
    const informationUris = Array.from({ length: 100 }, (_, index) => pivot(index));
    const list = await sign(lotl({ informationUris, pointers: [self(eu3)] }), eu3);
    for (const uri of informationUris) web.set(uri, list);
    web.set(LOTL, list);
    expect(await codeOf(sync(first))).toBe('trust.list.signature');
    expect(asked.length).toBeLessThanOrEqual(limits.trustListPivots + 1);
  });
});

const entities =
  '{"LoTE":{"ListAndSchemeInformation":{"LoTEVersionIdentifier":1},"TrustedEntitiesList":[]}}';
const base64url = (text: string) => Buffer.from(text).toString('base64url');

describe('lists of other schemes', () => {
  const mra = '<m:MutualRecognitionAgreementInformation xmlns:m="http://ec.europa.eu/x#"/>';

  test('are rejected and not fetched if under a mutual recognition agreement', async () => {
    const pointers = [
      self(eu),
      pointerTo(IS, 'IS', is),
      { ...pointerTo(NO, 'NO', no), information: mra },
    ];
    web.set(LOTL, await sign(lotl({ pointers })));
    expect(await results(first)).toEqual(['EU new', 'IS new', 'NO missing trust.list.unsupported']);
    expect(asked).not.toContain(NO);
  });

  test('give no qualification outside the EU scheme', async () => {
    web.set(IS, await sign(tl('IS', { type: 'AdESgeneric' }), is));
    expect(await results(first)).toEqual(['EU new', 'IS new', 'NO new']);
    const { lists, anchors } = await loadTrust(store, 'eu', nowMs);
    expect(anchors.length).toBeGreaterThan(0);
    expect(lists.map(({ territory, problem }) => [territory, problem])).toEqual([
      ['IS', expect.stringContaining("to a scheme other than the EU's")],
      ['NO', undefined],
    ]);
  });
});

describe('an invalid list never replaces a valid one', () => {
  const xml = (changes: TestList = {}) =>
    listXml(tl('IS', { sequence: 11, issued: '2026-05-02T00:00:00Z', ...changes }));
  const cut = (bytes: Uint8Array, to: number) => bytes.slice(0, bytes.length - to);
  const forged = async () =>
    Buffer.from(
      Buffer.from(await signList(xml(), is))
        .toString()
        .replace('>Service 0<', '>Service 9<'),
    );
  const pretended = () => pki.issue({ name: 'IS', subjectDer: is.certificate.subjectDer });

  test.each<[string, string, () => Promise<Uint8Array> | Uint8Array]>([
    ['changed after signing', 'trust.list.signature', forged],
    ['without signature', 'trust.list.signature', () => Buffer.from(xml())],
    ['signed by an unexpected signer', 'trust.list.signature', () => signList(xml(), no)],
    ['signed by a namesake', 'trust.list.signature', () => signList(xml(), pretended())],
    ['signed by the issuer of its signer', 'trust.list.signature', () => signList(xml(), eu)],
    [
      'signed before its signer was valid',
      'trust.list.signature',
      () => signList(xml({ issued: '2020-01-01T00:00:00Z' }), is),
    ],
    [
      'overdue',
      'trust.list.expired',
      () => signList(xml({ nextUpdate: '2026-05-30T00:00:00Z' }), is),
    ],
    ['with a lower number', 'trust.list.rollback', () => signList(xml({ sequence: 9 }), is)],
    [
      'with the same number but different content',
      'trust.list.rollback',
      () =>
        signList(xml({ sequence: 10, issued: '2026-05-01T00:00:00Z', services: services(5) }), is),
    ],
    [
      'with a higher number but an earlier issue date',
      'trust.list.rollback',
      () => signList(xml({ issued: '2026-04-30T12:00:00Z' }), is),
    ],
    [
      'with too few services',
      'trust.list.shrunk',
      () => signList(xml({ services: services(1) }), is),
    ],
    ['of another territory', 'trust.list.invalid', () => signList(xml({ territory: 'NO' }), is)],
    [
      'a list of lists',
      'trust.list.invalid',
      () => signList(xml({ type: 'EUlistofthelists' }), is),
    ],
    [
      'with a document type',
      'trust.list.invalid',
      async () =>
        Buffer.from(
          Buffer.from(await signList(xml(), is))
            .toString()
            .replace('?>', '?><!DOCTYPE a>'),
        ),
    ],
    ['of trusted entities, JSON', 'trust.list.unsupported', () => Buffer.from(entities)],
    [
      'of trusted entities, JWS',
      'trust.list.unsupported',
      () => Buffer.from(`${base64url('{"alg":"ES256"}')}.${base64url(entities)}.AAAA`),
    ],
    [
      'of trusted entities, XML',
      'trust.list.unsupported',
      () => Buffer.from('<?xml version="1.0"?><ListOfTrustedEntities LOTETag="x"/>'),
    ],
    ['truncated', 'trust.list.invalid', async () => cut(await signList(xml(), is), 200)],
    ['that is not XML', 'trust.list.invalid', () => Buffer.from('%PDF-1.7')],
    ['empty', 'trust.list.invalid', () => new Uint8Array()],
    ...costlyRows<[string, string, () => Uint8Array]>([
      'of 100 MB',
      'limit.exceeded',
      () => Buffer.alloc(100_000_000, ' '),
    ]),
  ])('a list %s is reported as %s', async (_, code, make) => {
    await sync(first);
    web.set(IS, await make());
    expect(await results()).toEqual(['EU unchanged', `IS kept ${code}`, 'NO unchanged']);
    expect(await stored()).toEqual(['EU 10', 'IS 10', 'NO 10']);
    expect((await loadTrust(store, 'eu', nowMs)).lists[0]?.services).toHaveLength(4);
    // Without a valid list stored before, there is none.
    store = folderTrustStore(`${dataDir}-new`);
    const isFresh = code === 'trust.list.rollback' || code === 'trust.list.shrunk';
    const anew = isFresh ? 'IS new' : `IS missing ${code}`;
    expect(await results(first)).toEqual(['EU new', anew, 'NO new']);
  });

  test('an invalid list of lists changes nothing at all', async () => {
    await sync(first);
    const lists = {
      'trust.list.rollback': await sign(lotl({ sequence: 9 })),
      'trust.list.shrunk': await sign(
        lotl({ sequence: 11, issued: '2026-05-02T00:00:00Z', pointers: [self(eu)] }),
      ),
      'trust.list.expired': await sign(
        lotl({ sequence: 11, issued: '2026-05-02T00:00:00Z', nextUpdate: '2026-05-20T00:00:00Z' }),
      ),
      'trust.list.signature': await sign(lotl({ sequence: 11 }), is),
    };
    for (const [code, bytes] of Object.entries(lists)) {
      web.set(LOTL, bytes);
      expect(await codeOf(sync())).toBe(code);
      expect(await stored()).toEqual(['EU 10', 'IS 10', 'NO 10']);
    }
    web.delete(LOTL);
    expect(await codeOf(sync())).toBe('network.failed');
    expect(await stored()).toEqual(['EU 10', 'IS 10', 'NO 10']);
  });

  test('an unavailable list stays, and a shrunk one can be accepted explicitly', async () => {
    await sync(first);
    web.delete(IS);
    expect(await results()).toEqual(['EU unchanged', 'IS kept network.failed', 'NO unchanged']);
    web.set(IS, await signList(xml({ services: services(1) }), is));
    expect(await results({ acceptsShrunken: true })).toContain('IS updated');
  });

  test('a list whose signer is no longer named is dropped', async () => {
    await sync(first);
    web.delete(IS);
    const pointers = [self(eu), pointerTo(IS, 'IS', eu2), below[1] as TestPointer];
    web.set(LOTL, await sign(lotl({ sequence: 11, issued: '2026-05-02T00:00:00Z', pointers })));
    expect(await results()).toEqual(['EU updated', 'IS missing network.failed', 'NO unchanged']);
    expect((await loadTrust(store, 'eu', nowMs)).lists).toHaveLength(1);
  });

  test.each([
    ['an older number', { sequence: 9 }, ['IS new', 'IS missing trust.list.rollback']],
    [
      'an older issue',
      { issued: '2026-04-01T00:00:00Z' },
      ['IS new', 'IS missing trust.list.rollback'],
    ],
    ['a newer number', { sequence: 11 }, ['IS missing trust.list.rollback', 'IS new']],
    ['the same', {}, ['IS new', 'IS new']],
  ])('of two addresses of a territory the newest list counts: %s', async (_, changes, expected) => {
    const second = 'https://second.example/is.xml';
    web.set(second, await sign(tl('IS', { version: 5, ...changes }), is));
    const pointers = [self(eu), below[0] as TestPointer, pointerTo(second, 'IS', is)];
    web.set(LOTL, await sign(lotl({ pointers })));
    expect(await results(first)).toEqual(['EU new', ...expected]);
    const numbers = (await loadTrust(store, 'eu', nowMs)).lists.map((one) => one.sequenceNumber);
    const newest = Math.max(10, (changes as TestList).sequence ?? 10);
    expect(new Set(numbers)).toEqual(new Set([newest]));
    // A repeated request changes nothing.
    expect((await results()).filter((one) => one.includes('rollback'))).toHaveLength(
      expected.filter((one) => one.includes('rollback')).length,
    );
  });

  test('cyclic pointers are followed once', async () => {
    const back = { ...pointerTo(LOTL, 'EU', eu), type: 'EUlistofthelists' } as const;
    const other = {
      ...pointerTo('https://b.example/lotl.xml', 'XX', eu),
      type: 'EUlistofthelists',
    } as const;
    const pdf = {
      ...pointerTo('https://is.example/tl.pdf', 'IS', is),
      mimeType: 'application/pdf',
    };
    const pointers = [self(eu), back, other, pdf, ...below, ...below];
    web.set(LOTL, await sign(lotl({ pointers })));
    web.set(IS, await sign(tl('IS', { pointers: [back, ...below] }), is));
    expect(await results(first)).toEqual(['EU new', 'IS new', 'NO new']);
    expect(asked).toEqual([LOTL, IS, NO]);
  });
});

describe('overdue lists', () => {
  test('are reported and not used with expired: refuse', async () => {
    web.set(IS, await sign(tl('IS', { nextUpdate: '2026-06-10T00:00:00Z' }), is));
    await sync(first);
    nowMs = Date.UTC(2026, 5, 15);
    const { lists, warnings, anchors } = await loadTrust(store, 'eu', nowMs);
    expect(lists.map(({ problem }) => problem)).toEqual([
      'the list of IS, number 10: its next update was due 2026-06-10T00:00:00.000Z',
      undefined,
    ]);
    expect(warnings).toHaveLength(1);
    expect(anchors).toHaveLength(1);
    expect(await results()).toEqual(['EU unchanged', 'IS kept trust.list.expired', 'NO unchanged']);
  });

  test('are all unused if the list of lists is overdue', async () => {
    await sync(first);
    const { lists, anchors } = await loadTrust(store, 'eu', Date.UTC(2027, 0));
    expect(lists.every(({ problem }) => problem !== undefined)).toBe(true);
    expect(anchors).toEqual([]);
  });

  test('are reported but used with expired: warn', async () => {
    web.set(IS, await sign(tl('IS', { nextUpdate: '2026-05-20T00:00:00Z' }), is));
    expect(await results({ ...first, expired: 'warn' })).toEqual([
      'EU new',
      'IS new trust.list.expired',
      'NO new',
    ]);
    const { lists, warnings } = await loadTrust(store, 'eu', nowMs);
    expect(lists.every(({ problem }) => problem === undefined)).toBe(true);
    expect(warnings).toHaveLength(1);
  });
});

describe('trust bundles', () => {
  const take = (bytes: Uint8Array, name?: string) => importTrust(ports(), bytes, { name });

  test('are deterministic and can be imported offline', async () => {
    await sync(first);
    const bytes = await exportTrust(ports(), 'eu');
    expect(Buffer.compare(bytes, await exportTrust(ports(), 'eu'))).toBe(0);
    web.clear();
    store = folderTrustStore(`${dataDir}-new`);
    asked = [];
    const { outcomes } = await take(bytes, 'copy');
    expect(outcomes.map(({ result }) => result)).toEqual(['new', 'new', 'new']);
    expect(asked).toEqual([]);
    expect((await loadTrust(store, 'copy', nowMs)).lists).toHaveLength(2);
  });

  test('are verified with the signers of the user before those in the file', async () => {
    await sync(first);
    const bytes = await exportTrust(ports(), 'eu');
    store = folderTrustStore(`${dataDir}-new`);
    const strict = { signers: [eu2.der] };
    expect(await codeOf(importTrust(ports(), bytes, strict))).toBe('trust.list.signature');
    expect(await codeOf(importTrust(ports(), bytes, { signers: [eu.der] }))).toBe('none');
  });

  test('are rejected if older, without a change', async () => {
    await sync(first);
    const old = await exportTrust(ports(), 'eu');
    web.set(IS, await sign(tl('IS', { sequence: 11, issued: '2026-05-02T00:00:00Z' }), is));
    await sync();
    expect(await codeOf(take(old))).toBe('trust.list.rollback');
    expect(await stored()).toEqual(['EU 10', 'IS 11', 'NO 10']);
  });

  test('of an unknown signer cannot replace a profile', async () => {
    await sync(first);
    const stranger = operator('Stranger');
    web.set(
      LOTL,
      await sign(
        lotl({
          sequence: 99,
          issued: '2026-05-09T00:00:00Z',
          pointers: [self(stranger), ...below],
        }),
        stranger,
      ),
    );
    store = folderTrustStore(`${dataDir}-theirs`);
    await sync({ location: LOTL, signers: [stranger.der] });
    const theirs = await exportTrust(ports(), 'eu');
    store = folderTrustStore(dataDir);
    expect(await codeOf(take(theirs))).toBe('trust.list.signature');
    expect(await stored()).toEqual(['EU 10', 'IS 10', 'NO 10']);
  });

  costlyTest('are rejected if they would unpack to more than the limit', async () => {
    const bomb = writeZip([{ name: 'profile.json', bytes: Buffer.alloc(100_000_000, ' ') }]);
    expect(bomb.length).toBeLessThan(200_000);
    expect(await codeOf(take(bomb))).toBe('limit.exceeded');
  });

  test('are rejected if truncated or changed in any byte', async () => {
    await sync(first);
    const bytes = await exportTrust(ports(), 'eu');
    store = folderTrustStore(`${dataDir}-new`);
    const spots = [30, 400, 5000, bytes.length >> 1, bytes.length - 4000, bytes.length - 30];
    for (const at of spots) {
      const changed = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 1 : byte));
      expect(await codeOf(take(changed)), `at ${at}`).toMatch(/^trust\./);
      expect(await codeOf(take(bytes.slice(0, at)))).toBe('trust.bundle.invalid');
    }
    expect(await codeOf(take(new Uint8Array()))).toBe('trust.bundle.invalid');
    expect(await store.names()).toEqual([]);
  });
});

describe('the trust store', () => {
  test('reports damage with a specific code', async () => {
    await sync(first);
    const folder = join(dataDir, 'trust-lists/eu');
    const [name = ''] = readdirSync(join(folder, 'lists'));
    const path = join(folder, 'lists', name);
    const whole = readFileSync(path);
    writeFileSync(path, whole.toString().replace('Operator', 'Operatrr'));
    expect(await codeOf(loadTrust(store, 'eu', nowMs))).toMatch(/trust.profile.invalid|none/);
    expect(await codeOf(exportTrust(ports(), 'eu'))).toBe('trust.profile.invalid');
    const [profile] = await listTrust(store, nowMs);
    expect(profile?.lists.map(({ signature }) => signature)).toContain('broken');
    writeFileSync(join(folder, 'profile.json'), '{"v":1}');
    expect(await codeOf(loadTrust(store, 'eu', nowMs))).toBe('trust.profile.invalid');
  });

  test.each(['../x', 'A', 'system', '', 'a/b', '.a'])(
    'rejects the profile name "%s"',
    async (name) => {
      expect(await codeOf(syncTrust(ports(), name, first))).toBe('usage.invalid');
    },
  );

  test('reports a missing profile', async () => {
    expect(await codeOf(loadTrust(store, 'eu', nowMs))).toBe('trust.profile.notfound');
    expect(await codeOf(sync())).toBe('usage.invalid');
    expect(await codeOf(sync({ location: LOTL }))).toBe('usage.invalid');
  });
});
