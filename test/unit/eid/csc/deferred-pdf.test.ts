import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../../src/base/bytes.ts';
import type { SealLevel } from '../../../../src/base/level.ts';
import type { SignatureAlgorithm } from '../../../../src/formats/x509/index.ts';
import { cscPki, openCscBench } from '../../../support/eid/csc/csc-bench.ts';
import {
  certificatesOf,
  fixtureRequest,
  passPorts,
  promisedTokenBytes,
  promisingAuthority,
  sealDeferred,
} from '../../../support/eid/csc/deferred-pdf.ts';
import {
  captureSignedBytes,
  embedSignature,
  type PassPorts,
  signRemotely,
} from '../../../support/eid/csc/two-pass-seal.ts';
import { fixture } from '../../../support/sealing.ts';
import { testAuthority } from '../../../support/tsa.ts';

const ecdsa: SignatureAlgorithm = { scheme: 'ecdsa', digest: 'sha256' };
const rsa: SignatureAlgorithm = { scheme: 'rsa-pkcs1', digest: 'sha256' };
const pss: SignatureAlgorithm = { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 32 };

describe('a PDF signed in two passes with a remote key in between', () => {
  test.each([
    ['P-256', { key: 'P-256' }, ecdsa],
    ['RSA', {}, rsa],
    ['RSASSA-PSS', { driver: { rsaPadding: 'pss' } }, pss],
  ] as const)('is valid with %s', async (_, options, algorithm) => {
    const sealed = await sealDeferred(fixtureRequest('agreement.pdf'), options, algorithm);
    expect(sealed.report.signatures).toMatchObject([{ indication: 'TOTAL-PASSED' }]);
  });

  test.each([
    ['agreement.pdf', {}],
    ['encrypted.pdf', { password: 'fixture' }],
    ['object-streams.pdf', {}],
    ['incremental.pdf', {}],
    ['hybrid.pdf', {}],
    ['no-id.pdf', {}],
    ['wrong-offset.pdf', {}],
    ['form-with-empty-signature-field.pdf', {}],
    ['linearized.pdf', { certify: 2 }],
    ['version-2.0.pdf', { name: 'Anna', location: 'Reykjavík' }],
  ] as const)('has the same signed attributes in both passes: %s', async (file, changes) => {
    const sealed = await sealDeferred(fixtureRequest(file, changes), { key: 'P-256' }, ecdsa);
    expect(sealed.sealCount).toBe(1);
  });

  test.each(['B-T', 'B-LT', 'B-LTA'] as const)('reaches %s', async (level: SealLevel) => {
    const sealed = await sealDeferred(
      fixtureRequest('agreement.pdf', { level }),
      { key: 'P-256' },
      ecdsa,
    );
    expect(sealed.level).toBe(level);
  });

  test('does not depend on randomness', async () => {
    const other: PassPorts = () => ({
      ...passPorts()(),
      random: (count) => Buffer.alloc(count, 9),
    });
    const request = fixtureRequest('agreement.pdf', { level: 'B-T' });
    const sealed = await sealDeferred(request, { key: 'P-256' }, ecdsa, passPorts(), other);
    expect(sealed.level).toBe('B-T');
  });

  test.each([
    ['another time', {}, passPorts(promisingAuthority, cscPki.nowMs + 1_000)],
    ['another reason', { reason: 'Refused' }, passPorts()],
    ['another document', { source: memorySource(fixture('minimal.pdf')) }, passPorts()],
  ] as const)('rejects the signature value with %s', async (_, changes, second) => {
    const bench = openCscBench({ key: 'P-256' });
    const certificates = await certificatesOf(bench);
    const request = fixtureRequest('agreement.pdf');
    const signedBytes = await captureSignedBytes(request, passPorts(), certificates, ecdsa);
    const signature = await signRemotely(bench, certificates, signedBytes);
    const work = embedSignature({ ...request, ...changes }, second, signature, signedBytes);
    await expect(work).rejects.toMatchObject({ code: 'key.sign.failed' });
  });

  test('with fixed time and space is independent of later clocks and tokens', async () => {
    const fixed = { level: 'B-T', signedAtMs: cscPki.nowMs, reservedBytes: 24_576 } as const;
    const laterMs = cscPki.nowMs + 600_000;
    const authority = () => testAuthority({ ...cscPki, nowMs: laterMs });
    const later = passPorts(authority, laterMs);
    const request = fixtureRequest('agreement.pdf', fixed);
    const sealed = await sealDeferred(request, { key: 'P-256' }, ecdsa, passPorts(), later);
    expect(sealed.level).toBe('B-T');
    const padded = fixtureRequest('agreement.pdf', { ...fixed, level: 'B-B' });
    const work = sealDeferred(padded, { driver: { rsaPadding: 'pss' } }, rsa);
    await expect(work).resolves.toMatchObject({ level: 'B-B' });
  });

  test('needs the algorithm before the digest, because PSS makes a longer CMS', async () => {
    const work = sealDeferred(
      fixtureRequest('agreement.pdf'),
      { driver: { rsaPadding: 'pss' } },
      rsa,
    );
    await expect(work).rejects.toMatchObject({ code: 'key.sign.failed' });
  });

  test('needs one token length in both passes, remembered per authority object', async () => {
    const request = fixtureRequest('agreement.pdf', { level: 'B-T' });
    const authority = testAuthority(cscPki);
    const shared = passPorts(() => authority);
    const bench = openCscBench({ key: 'P-256' });
    const certificates = await certificatesOf(bench);
    const before = await captureSignedBytes(request, shared, certificates, ecdsa);
    await embedSignature(request, shared, await signRemotely(bench, certificates, before), before);
    const after = await captureSignedBytes(request, shared, certificates, ecdsa);
    expect(Buffer.from(after).equals(before)).toBe(false);
    const fresh = passPorts(() => ({ ...authority }));
    expect(await captureSignedBytes(request, fresh, certificates, ecdsa)).toEqual(before);
  });

  test('fails if a token exceeds its announced length', async () => {
    const short = passPorts(() => ({ ...testAuthority(cscPki), tokenLengthBytes: 100 }));
    const work = sealDeferred(
      fixtureRequest('agreement.pdf', { level: 'B-T' }),
      { key: 'P-256' },
      ecdsa,
      short,
    );
    await expect(work).rejects.toMatchObject({ code: 'key.sign.failed' });
  });

  test.each([
    [60, true],
    [600, false],
  ])(
    'keeps the signing time of the first pass; a token %i s later is accepted: %s',
    async (seconds, isTaken) => {
      const late = { ...cscPki, nowMs: cscPki.nowMs + seconds * 1_000 };
      const second = passPorts(() => ({
        ...testAuthority(late),
        tokenLengthBytes: promisedTokenBytes,
      }));
      const request = fixtureRequest('agreement.pdf', { level: 'B-T' });
      const work = sealDeferred(request, { key: 'P-256' }, ecdsa, passPorts(), second);
      if (isTaken) await expect(work).resolves.toMatchObject({ level: 'B-T' });
      else await expect(work).rejects.toMatchObject({ code: 'tsa.time.skewed' });
    },
  );
});
