import { describe, expect, test } from 'vitest';
import {
  type AlgorithmTable,
  augmentPdf,
  sealContainer,
  sealPdf,
  sealXml,
  timestampDocument,
} from '../../../src/index.ts';
import { algorithmTable } from '../../../src/trust/algorithms/algorithm-suites.table.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';

const DAY_MS = 86_400_000;
const pki = makeTestPki();
const today = (days: number) => new Date(pki.nowMs + days * DAY_MS).toISOString().slice(0, 10);
/** RSA below 3000 bits ends this many days from now. */
const endingIn = (days: number): AlgorithmTable => ({
  ...algorithmTable,
  name: 'ours',
  keys: { ...algorithmTable.keys, rsa: [[1900, today(days)]] },
});
const rsa = pki.member('rsa');
const lasting = (days: number, key: 'P-256' | 'RSA-2048' = 'P-256'): TestMember =>
  pki.issue({ name: `lasts ${days} days`, key, notAfterMs: pki.nowMs + days * DAY_MS });
const seal = (member: TestMember, more: object = {}) =>
  sealPdf(fixture('agreement.pdf'), sealOptions(pki, { signer: signerOf(member), ...more }));

describe('the end of an algorithm', () => {
  test.each(['B-B', 'B-T', 'B-LT', 'B-LTA'] as const)(
    'is announced in a warning at %s',
    async (level) => {
      const { warnings } = await seal(rsa, { level, algorithms: endingIn(399) });
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(
        `an RSA key of 2048 bits proves nothing from ${today(399)} (ours)`,
      );
      expect(warnings[0]).toContain('seal with a stronger key by then');
      expect(warnings[0]?.includes('archive its sealed documents')).toBe(level === 'B-B');
    },
  );

  test('causes no warning if it is over 400 days away or unlimited', async () => {
    const far = await seal(rsa, { algorithms: endingIn(402) });
    expect(far.warnings).toEqual([]);
    const never = await seal(pki.member('signer'), { algorithms: endingIn(10) });
    expect(never.warnings).toEqual([]);
  });

  test('stops sealing on that day', async () => {
    const ended = seal(rsa, { algorithms: endingIn(0), level: 'B-B' });
    await expect(ended).rejects.toMatchObject({ code: 'key.weak' });
  });

  test('is 2026 for RSA-2048 by default', async () => {
    const now = () => new Date('2026-12-31T12:00:00Z');
    const member = pki.issue({ name: 'RSA', key: 'RSA-2048', notAfterMs: Date.UTC(2030, 0, 1) });
    const { warnings } = await seal(member, { level: 'B-B', now });
    expect(warnings.join()).toContain('proves nothing from 2027-01-01 (ETSI TS 119 312)');
    const later = () => new Date('2027-01-01T00:00:00Z');
    const refused = seal(member, { level: 'B-B', now: later });
    await expect(refused).rejects.toMatchObject({ code: 'key.weak' });
  });
});

describe('the end of a certificate', () => {
  test('causes a warning in the last 30 days', async () => {
    const soon = await seal(lasting(29), { level: 'B-B' });
    expect(soon.warnings).toEqual([
      expect.stringMatching(/"CN=lasts 29 days.*expires on .*: have it renewed, and archive/),
    ]);
    expect((await seal(lasting(31), { level: 'B-B' })).warnings).toEqual([]);
  });
});

describe('provesUntil', () => {
  test('is the end of the certificate at B-B', async () => {
    const { provesUntil } = await seal(lasting(60), { level: 'B-B' });
    expect(provesUntil).toMatchObject({ cause: 'certificate' });
    expect(provesUntil?.time.slice(0, 10)).toBe(today(60));
  });

  test('is the end of the algorithm if that is earlier', async () => {
    const algorithms = endingIn(50);
    const { provesUntil } = await seal(lasting(60, 'RSA-2048'), { level: 'B-B', algorithms });
    expect(provesUntil).toEqual({
      time: `${today(50)}T00:00:00.000Z`,
      cause: 'algorithm',
      reason: expect.stringContaining('an RSA key of 2048 bits proves nothing'),
    });
  });

  test("is the end of the last time-stamp's certificate from B-T on and for archives", async () => {
    const expected = new Date(pki.member('tsa').certificate.notAfterMs + 1000).toISOString();
    const sealed = await seal(lasting(60), { level: 'B-T' });
    expect(sealed.provesUntil).toMatchObject({ time: expected, cause: 'certificate' });
    const { signer: _, ...options } = sealOptions(pki);
    const archived = await augmentPdf(sealed.bytes, options);
    expect(archived.provesUntil?.time).toBe(expected);
    const stamped = await timestampDocument(new TextEncoder().encode('text'), options);
    expect(stamped.provesUntil?.time).toBe(expected);
  });

  test('is reported for XML and containers too', async () => {
    const options = { ...sealOptions(pki, { signer: signerOf(rsa), level: 'B-B' }) };
    const given = { ...options, algorithms: endingIn(20) } as const;
    const xml = await sealXml(new TextEncoder().encode('<a/>'), given);
    const files = [{ name: 'a.txt', content: new TextEncoder().encode('a') }];
    const made = [xml];
    for (const format of ['xades', 'cades'] as const) {
      made.push((await sealContainer(files, { ...given, format })) as never);
    }
    for (const { provesUntil, warnings } of made) {
      expect(provesUntil?.time).toBe(`${today(20)}T00:00:00.000Z`);
      expect(warnings).toHaveLength(1);
    }
  });
});
