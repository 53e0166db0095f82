import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  anchorDigest,
  anchorStart,
  canonicalJson,
  chainHash,
  chainStart,
  clockStepMaxMs,
  compareDay,
  type DailyRoot,
  dayOf,
  merkleRoot,
  nextDay,
  nextRow,
  storableText,
  verifyChain,
} from '../../../src/domain/activity/index.ts';
import { asKey } from '../../../src/domain/keys.ts';
import { fc } from '../../support/property.ts';
import { logOf, processOf, startMs, type TestLog, usualDrafts } from './log-of.ts';

const key = asKey('process', 'sp01');

describe('canonical JSON', () => {
  test.each([
    [{ b: 1, a: 'x', c: undefined }, '{"a":"x","b":1}'],
    [
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1F600}': 5, '\u0080': 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    [['\u0000"\\/\u2028', true, null], '["\\u0000\\"\\\\/\u2028",true,null]'],
    [{ __proto__x: { z: [], a: {} } }, '{"__proto__x":{"a":{},"z":[]}}'],
    [JSON.parse('{"__proto__":"p","a":"q"}'), '{"__proto__":"p","a":"q"}'],
  ])('serializes %j in exactly one form', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test.each([0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])('rejects %d', (value) => {
    expect(() => canonicalJson(value)).toThrow(/safe integers/);
  });

  test('is stable under parsing and independent of member order', () => {
    const value = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(value, (members) => {
        const turned = Object.fromEntries(Object.entries(members).reverse());
        expect(canonicalJson(turned)).toBe(canonicalJson(members));
        expect(canonicalJson(JSON.parse(canonicalJson(members)))).toBe(canonicalJson(members));
      }),
    );
  });

  test('replaces characters that a store cannot hold', () => {
    expect(storableText('a\uD800b\0c')).toBe('a\uFFFDb\uFFFDc');
    expect(storableText('Þórður 😀')).toBe('Þórður 😀');
  });
});

describe('rows of the log', () => {
  test('contain no personal data, only commitments to it', () => {
    const { rows, personal } = logOf('sp01', usualDrafts);
    const text = JSON.stringify(rows);
    for (const secret of ['eva@', 'samningur', '192.0.2.7', 'Mozilla']) {
      expect(text).not.toContain(secret);
    }
    expect(Object.keys(rows[0]?.commitments ?? {})).toEqual(['createdBy', 'fileName']);
    expect(personal.get(4)?.map(({ name, value }) => [name, value])).toEqual([
      ['ip', '192.0.2.7'],
      ['userAgent', 'Mozilla/5.0 Þ'],
    ]);
    expect(rows.map(({ createdBy }) => createdBy)).toEqual([
      'User',
      'System',
      'User',
      'System',
      'System',
    ]);
  });

  test('are hashed as documented: a second implementation agrees', () => {
    const { rows } = logOf('sp01', usualDrafts);
    let previous = Buffer.alloc(32);
    for (const { hash, ...record } of rows) {
      const sorted = (value: object): object =>
        Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, each]) => [name, typeof each === 'object' ? sorted(each) : each]),
        );
      const text = JSON.stringify(sorted(record));
      const input = Buffer.concat([Buffer.from('act.v1'), previous, Buffer.from(text)]);
      previous = createHash('sha256').update(input).digest();
      expect(hash).toBe(previous.toString('hex'));
    }
  });

  test.each([
    [0, undefined],
    [999, undefined],
    [1500, 'the clock is 1500 ms behind this log'],
    [clockStepMaxMs, `the clock is ${clockStepMaxMs} ms behind this log`],
  ])('take the time of the head if the clock is %d ms behind', (behindMs, description) => {
    const head = { seq: 7, hash: chainStart, createdAtMs: startMs };
    const draft = { status: 'Expired', createdBy: 'System' };
    const { row } = nextRow(head, processOf('sp01'), draft, startMs - behindMs, () => '');
    expect([row.seq, row.createdAtMs, row.description]).toEqual([8, startMs, description]);
  });
});

type Change = (log: TestLog) => void;

function rowAt(log: TestLog, at: number) {
  return at % log.rows.length;
}

const rowMembers = [
  'seq',
  'companyKey',
  'flowKey',
  'sequenceKey',
  'signeeKey',
  'status',
  'createdAtMs',
  'createdBy',
  'description',
  'fileName',
  'hash',
] as const;

const changes = fc.oneof(
  fc.record({ at: fc.nat(), member: fc.constantFrom(...rowMembers) }).map(
    ({ at, member }): Change =>
      (log) => {
        const index = rowAt(log, at);
        const row = log.rows[index] as unknown as Record<string, unknown>;
        const old = row[member];
        const value = typeof old === 'number' ? old + 1 : `${String(old ?? '')}0`;
        log.rows[index] = { ...row, [member]: value } as never;
      },
  ),
  fc.record({ at: fc.nat(), name: fc.constantFrom('ip', 'createdBy', '__proto__') }).map(
    ({ at, name }): Change =>
      (log) => {
        const index = rowAt(log, at);
        const row = log.rows[index];
        if (row === undefined) return;
        const commitments = { ...row.commitments };
        Object.defineProperty(commitments, name, { value: '00', enumerable: true });
        log.rows[index] = { ...row, commitments };
      },
  ),
  fc.nat().map(
    (at): Change =>
      (log) =>
        void log.rows.splice(rowAt(log, at), 1),
  ),
  fc.nat().map(
    (at): Change =>
      (log) => {
        const index = rowAt(log, at);
        log.rows.splice(index, 0, log.rows[index] as never);
      },
  ),
  fc.nat().map(
    (at): Change =>
      (log) => {
        const index = rowAt(log, at) % (log.rows.length - 1);
        log.rows.splice(index, 2, log.rows[index + 1] as never, log.rows[index] as never);
      },
  ),
  fc.nat().map(
    (at): Change =>
      (log) =>
        void log.rows.splice(rowAt(log, at)),
  ),
  fc.record({ at: fc.nat(), member: fc.constantFrom('name', 'salt', 'value') }).map(
    ({ at, member }): Change =>
      (log) => {
        const values = [...log.personal.values()];
        const list = values[at % values.length] as unknown as Record<string, string>[];
        const value = list[0] as Record<string, string>;
        list[0] = { ...value, [member]: `${value[member]}00` };
      },
  ),
  fc.constant<Change>((log) => {
    log.personal.set(2, [{ name: 'ip', salt: '00', value: '192.0.2.99' }]);
  }),
);

function edit(index: number, members: object): Change {
  return ({ rows }) => {
    rows[index] = { ...rows[index], ...members } as never;
  };
}

function rootOf(log: TestLog): DailyRoot {
  const hashes = log.rows.map(({ hash }) => hash);
  const companyKey = asKey('company', 'c0ffee000000');
  const root = merkleRoot(hashes);
  const day = dayOf(startMs);
  return { companyKey, day, version: 2, count: hashes.length, root, createdAtMs: startMs };
}

describe('the hash chain', () => {
  test('verifies as written, and after a logged erasure of personal values', () => {
    fc.assert(
      fc.property(fc.subarray([1, 3, 4]), (erased) => {
        const log = logOf('sp01', [
          ...usualDrafts,
          { status: 'PersonalErased', createdBy: 'System' },
        ]);
        for (const seq of erased) log.personal.delete(seq);
        const head = log.rows.at(-1)?.hash;
        const whole = { isIntact: true, count: 6, head };
        expect(verifyChain(key, log.rows, log.personal)).toEqual(whole);
        expect(verifyChain(key, log.rows, undefined)).toEqual(whole);
      }),
    );
  });

  test('with the root of the day reveals any single change, removal, duplicate, swap or truncation', () => {
    let cuts = 0;
    fc.assert(
      fc.property(changes, (change) => {
        const log = logOf('sp01', usualDrafts);
        const root = rootOf(log);
        change(log);
        const verdict = verifyChain(key, log.rows, log.personal);
        const day = compareDay(
          root,
          log.rows.map(({ hash }) => hash),
        );
        if (verdict.isIntact) cuts += 1;
        expect(verdict.isIntact && day === undefined).toBe(false);
      }),
      { numRuns: 500 },
    );
    // Truncations at the end, which only the root reveals.
    expect(cuts).toBeGreaterThan(0);
  });

  test.each<[string, Change, number, string]>([
    ['a changed status', edit(2, { status: 'X' }), 3, 'row.changed'],
    ['a removed row', ({ rows }) => void rows.splice(1, 1), 2, 'row.missing'],
    ['no rows at all', ({ rows }) => void rows.splice(0), 1, 'row.missing'],
    ['a row of a different process', edit(0, { processKey: 'sp02' }), 1, 'row.foreign'],
    [
      'a changed personal value',
      ({ personal }) => void personal.set(4, [{ name: 'ip', salt: '00', value: '' }]),
      4,
      'personal.changed',
    ],
    [
      'an added personal value',
      ({ personal }) => void personal.set(2, [{ name: 'ip', salt: '00', value: '' }]),
      2,
      'personal.added',
    ],
    [
      'a personal value without a row',
      ({ personal }) => void personal.set(9, [{ name: 'ip', salt: '00', value: '' }]),
      9,
      'row.missing',
    ],
    [
      'a personal value missing without an erasure',
      ({ personal }) => void personal.delete(4),
      4,
      'personal.missing',
    ],
    ['commitments that are not an object', edit(3, { commitments: null }), 4, 'row.changed'],
    ['a digest that is not text', edit(3, { digests: { document: 1.5 } }), 4, 'row.changed'],
    ['an added digest', edit(3, { digests: { document: 'ab' } }), 4, 'row.changed'],
    ['a commitment that is not text', edit(3, { commitments: { ip: 1.5 } }), 4, 'row.changed'],
    ['a time that is not a number', edit(3, { createdAtMs: Number.NaN }), 4, 'row.changed'],
  ])('is broken at the changed row: %s', (_, change, seq, fault) => {
    const log = logOf('sp01', usualDrafts);
    change(log);
    expect(verifyChain(key, log.rows, log.personal)).toEqual({ isIntact: false, seq, fault });
  });

  test('with rows hashed again after a step back in time is rejected', () => {
    const { rows } = logOf('sp01', usualDrafts);
    const early = { ...rows[1], createdAtMs: startMs - 1 } as never;
    const hash = chainHash(rows[0]?.hash ?? '', early);
    const log = [rows[0], { ...(early as object), hash }] as never;
    expect(verifyChain(key, log, undefined)).toMatchObject({ seq: 2, fault: 'time.back' });
  });
});

describe('daily roots', () => {
  const leaf = (n: number) => createHash('sha256').update(String(n)).digest('hex');
  const slowRoot = (hashes: readonly string[]): Buffer => {
    const sha = (...parts: readonly Uint8Array[]) =>
      createHash('sha256').update(Buffer.concat(parts)).digest();
    if (hashes.length === 0) return sha();
    if (hashes.length === 1) return sha(Uint8Array.of(0), Buffer.from(hashes[0] ?? '', 'hex'));
    const half = 2 ** (Math.ceil(Math.log2(hashes.length)) - 1);
    return sha(Uint8Array.of(1), slowRoot(hashes.slice(0, half)), slowRoot(hashes.slice(half)));
  };

  test.each([0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 33])(
    'have the RFC 6962 tree head for %d leaves',
    (n) => {
      const hashes = Array.from({ length: n }, (_, index) => leaf(index));
      expect(merkleRoot(hashes)).toBe(slowRoot(hashes).toString('hex'));
    },
  );

  test('bind count, company, day, root and the previous root', () => {
    const companyKey = asKey('company', 'c1');
    const root = { companyKey, day: '2026-01-02', version: 2, count: 3, root: leaf(1) } as const;
    const digests = [
      anchorDigest(anchorStart, root),
      anchorDigest(leaf(0), root),
      anchorDigest(anchorStart, { ...root, companyKey: asKey('company', 'c2') }),
      anchorDigest(anchorStart, { ...root, day: '2026-01-03' }),
      anchorDigest(anchorStart, { ...root, count: 4 }),
      anchorDigest(anchorStart, { ...root, root: leaf(2) }),
      anchorDigest(anchorStart, { ...root, version: 1 }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  test.each([
    ['2026-02-28', '2026-03-01'],
    ['2028-02-28', '2028-02-29'],
    ['2026-12-31', '2027-01-01'],
  ])('are made per calendar day: the day after %s', (day, next) => {
    expect(nextDay(day)).toBe(next);
  });
});
