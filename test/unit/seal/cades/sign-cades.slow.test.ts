import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../../src/formats/asn1/index.ts';
import {
  parseSignedData,
  type SignedDataParts,
  splitSignedData,
} from '../../../../src/formats/cms/index.ts';
import { type SealLevel, sealLevels } from '../../../../src/index.ts';
import {
  addArchiveTimestamp,
  addSignatureTimestamp,
  addValidationValues,
  type CadesRequest,
  signCades,
} from '../../../../src/seal/cades/index.ts';
import { collectValidationData } from '../../../../src/seal/validation-data.ts';
import { contentDigest } from '../../../../src/trust/content-digest.ts';
import { describeCadesPreservation } from '../../../../src/verify/cades/index.ts';
import {
  attributesOf,
  cadesBy,
  cadesContent,
  cadesContext,
  cadesRequest,
  cadesTimestamps,
  checkCades,
} from '../../../support/cades.ts';
import { hasOpenssl, openssl, opensslNote, pem } from '../../../support/openssl.ts';
import { makeTestPki, type TestMemberName } from '../../../support/pki.ts';
import { signerOf } from '../../../support/sealing.ts';
import { testAuthority } from '../../../support/tsa.ts';

const pki = makeTestPki();
const content = contentDigest(cadesContent);
const keys: readonly TestMemberName[] = [
  'signer',
  'rsa',
  'pss',
  'p384',
  'p521',
  'ed25519',
  'ed448',
];
const stampCounts: Record<SealLevel, number> = { 'B-B': 0, 'B-T': 1, 'B-LT': 1, 'B-LTA': 2 };

describe.each(sealLevels)('a CAdES signature at %s', (level) => {
  test.each(keys)('is valid with its level and the key %s', async (key) => {
    const signature = await cadesBy(pki, level, pki.member(key));
    const report = checkCades(pki, signature, { contentName: 'a.txt' });
    expect(report).toMatchObject({
      kind: 'signature',
      form: 'cades',
      indication: 'TOTAL-PASSED',
      level,
      intact: true,
      trusted: true,
      timeProved: level !== 'B-B',
      claimedTime: new Date(pki.nowMs).toISOString(),
      references: [{ uri: 'a.txt', scope: 'file', target: 'a.txt', status: 'valid' }],
    });
    expect(report.timestamps).toHaveLength(stampCounts[level]);
    expect(report.timestamps.every(({ valid, trusted }) => valid && trusted)).toBe(true);
  });

  // openssl 3.0 does not support EdDSA in CMS.
  test.skipIf(!hasOpenssl).each(keys.filter((key) => !key.startsWith('ed')))(
    `verifies with openssl and the key %s${opensslNote}`,
    async (key) => {
      const present = makeTestPki({ nowMs: Date.now() });
      const { text, status } = openssl(
        [
          ...['cms', '-verify', '-cades', '-inform', 'DER', '-in', '{s.p7s}', '-binary'],
          ...['-content', '{content}', '-CAfile', '{root.pem}', '-purpose', 'any', '-out', '{out}'],
        ],
        {
          's.p7s': await cadesBy(present, level, present.member(key)),
          content: cadesContent.slice(0, cadesContent.lengthBytes),
          'root.pem': pem('CERTIFICATE', present.member('root').der),
          out: '',
        },
      );
      expect(text).toContain('CAdES Verification successful');
      expect(status).toBe(0);
    },
  );
});

function bytesOf(parts: SignedDataParts): string[] {
  const { certificates, revocation, signers } = parts;
  const all = [certificates, revocation, ...signers.map((each) => each.unsignedAttributes)];
  return all.flat().map((value) => Buffer.from(value).toString('hex'));
}

async function renew(signature: Uint8Array): Promise<Uint8Array> {
  const context = cadesContext(pki);
  const found = describeCadesPreservation(signature, cadesContent, context);
  const { certificates, present, pool } = found;
  const { anchors, nowMs } = context;
  const gather = { anchors, pool, revocation: pki.revocation, present, nowMs };
  const data = await collectValidationData(certificates, gather);
  const complete = addValidationValues(signature, data);
  return (await addArchiveTimestamp(complete, 0, content, cadesTimestamps(pki))).signature;
}

describe('augmenting a CAdES signature', () => {
  test('keeps all existing bytes', async () => {
    const before = await cadesBy(pki, 'B-LTA');
    const after = await renew(before);
    const [old, fresh] = [splitSignedData(before), splitSignedData(after)];
    expect(bytesOf(fresh)).toEqual(expect.arrayContaining(bytesOf(old)));
    expect(bytesOf(fresh).length).toBeGreaterThan(bytesOf(old).length);
    expect(fresh.signers[0]?.fields).toEqual(old.signers[0]?.fields);
    expect(attributesOf(after)).toHaveLength(2);
  });

  test('renews an archive time-stamp', async () => {
    const twice = await renew(await renew(await cadesBy(pki, 'B-LTA')));
    const report = checkCades(pki, twice);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-LTA' });
    expect(report.timestamps.map(({ covers, valid }) => [covers, valid])).toEqual([
      ['signature', true],
      ['archive', true],
      ['archive', true],
      ['archive', true],
    ]);
  });

  test('adds no value twice', async () => {
    const signature = await cadesBy(pki, 'B-LT');
    const { certificates, ocsp, crls } = parseSignedData(signature);
    expect(ocsp).not.toHaveLength(0);
    expect(addValidationValues(signature, { certificates, ocsp, crls })).toEqual(signature);
  });

  test('sets version 5 if OCSP responses are among the CRLs', async () => {
    expect(parseSignedData(await cadesBy(pki, 'B-T')).version).toBe(1);
    expect(parseSignedData(await cadesBy(pki, 'B-LT')).version).toBe(5);
  });

  test('adds the root at B-LT, which B-B omits', async () => {
    const root = pki.member('root').der;
    const has = async (level: SealLevel) =>
      parseSignedData(await cadesBy(pki, level)).certificates.some(
        (der) => Buffer.compare(der, root) === 0,
      );
    expect(await has('B-B')).toBe(false);
    expect(await has('B-LT')).toBe(true);
  });
});

describe('CAdES signing', () => {
  const refusals: readonly (readonly [string, Partial<CadesRequest>, string])[] = [
    ['without an authority', { timestamps: undefined }, 'tsa.missing'],
    ['without revocation data', { revocation: undefined }, 'revocation.missing'],
    [
      'with an authority that signs another imprint',
      { timestamps: cadesTimestamps(pki, { authority: testAuthority(pki, 'wrongImprint') }) },
      'tsa.imprint.mismatch',
    ],
    [
      'with an untrusted authority',
      { timestamps: cadesTimestamps(pki, { authority: testAuthority(pki, 'untrusted') }) },
      'tsa.certificate.untrusted',
    ],
    [
      'with revocation data of other certificates',
      { revocation: { find: async () => ({ ocsp: [], crls: [] }) } },
      'revocation.missing',
    ],
    [
      'when the key fails',
      {
        signer: {
          ...signerOf(pki.member('signer')),
          sign: () => Promise.reject(new Error('no card')),
        },
      },
      'key.sign.failed',
    ],
  ];
  test.each(refusals)('fails %s', async (_, changes, code) => {
    const request = cadesRequest(pki, pki.member('signer'), changes);
    await expect(signCades(content, request)).rejects.toMatchObject({ code });
  });

  test('fails with a revoked certificate above B-T', async () => {
    const request = cadesRequest(pki, pki.member('revoked'));
    await expect(signCades(content, request)).rejects.toMatchObject({
      code: 'certificate.revoked',
    });
  });

  test.each([
    ['malformed SignedData', async () => Buffer.from('no signature'), 0],
    ['a signer index out of range', () => cadesBy(pki, 'B-B'), 1],
  ] as const)('fails to add a time-stamp to %s', async (_, make, index) => {
    const signature = await make();
    const stamps = cadesTimestamps(pki);
    const code = { code: 'cms.invalid' };
    await expect(addSignatureTimestamp(signature, index, stamps)).rejects.toMatchObject(code);
    await expect(addArchiveTimestamp(signature, index, content, stamps)).rejects.toMatchObject(
      code,
    );
  });
});

test('the archive time-stamp contains its hash index as a separate unsigned attribute', async () => {
  const [attribute = new Uint8Array()] = attributesOf(await cadesBy(pki));
  expect(Buffer.from(attribute).includes(Buffer.from(der.oid(oids.atsHashIndexV3)))).toBe(true);
});
