import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../../../src/base/bytes.ts';
import { limits } from '../../../../src/base/limits.ts';
import { contentOf, der, oids, readDer } from '../../../../src/formats/asn1/index.ts';
import {
  buildAttribute,
  buildSignedAttributes,
  buildSignedData,
  parseSignedData,
  type SignedDataParts,
  splitSignedData,
} from '../../../../src/formats/cms/index.ts';
import { serializeDigestAlgorithm } from '../../../../src/formats/x509/index.ts';
import { addArchiveTimestamp, addSignatureTimestamp } from '../../../../src/seal/cades/index.ts';
import { contentDigest } from '../../../../src/trust/content-digest.ts';
import { describeCadesPreservation, verifyCades } from '../../../../src/verify/cades/index.ts';
import {
  attributesOf,
  cadesBy,
  cadesContent,
  cadesContext,
  cadesTimestamps,
  checkCades,
  typeOf,
  withAttributesOf,
  withParts,
} from '../../../support/cades.ts';
import { makeTestPki, signWith } from '../../../support/pki.ts';
import { fc } from '../../../support/property.ts';
import { runs } from '../../../support/sample.ts';

const pki = makeTestPki();
const text = cadesContent.slice(0, cadesContent.lengthBytes);
const archived = await cadesBy(pki, 'B-LTA');
const codesOf = ({ findings }: { findings: readonly { code: string }[] }) =>
  findings.map(({ code }) => code);

describe('a CAdES signature', () => {
  test('fails with HASH_FAILURE if the content was changed', () => {
    const changed = memorySource(Buffer.from('Some content to sigh.\n'));
    const [report] = verifyCades(archived, changed, cadesContext(pki, { contentName: 'a.txt' }));
    expect(report).toMatchObject({
      indication: 'TOTAL-FAILED',
      subIndication: 'HASH_FAILURE',
      intact: false,
      trusted: false,
      timestamps: [],
      references: [{ target: 'a.txt', status: 'changed' }],
    });
    expect(report).not.toHaveProperty('level');
  });

  test('fails with SIG_CRYPTO_FAILURE if the signature value was changed', () => {
    const { signers } = splitSignedData(archived);
    const at = Buffer.from(archived).indexOf(signers[0]?.fields.at(-1) ?? new Uint8Array());
    const forged = new Uint8Array(archived);
    forged[at + 20] = (forged[at + 20] as number) ^ 1;
    expect(checkCades(pki, forged)).toMatchObject({
      indication: 'TOTAL-FAILED',
      subIndication: 'SIG_CRYPTO_FAILURE',
    });
  });

  test('does not accept a certificate that the signed attributes do not reference', () => {
    const twin = pki.issue({ name: 'twin', keyOf: pki.member('signer') });
    const forged = withParts(archived, ({ certificates }) => ({
      certificates: certificates.map((each) =>
        Buffer.compare(each, pki.member('signer').der) === 0 ? twin.der : each,
      ),
    }));
    expect(checkCades(pki, forged)).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
    });
  });

  test('fails if a signed attribute was damaged', () => {
    const fields = splitSignedData(archived).signers[0]?.fields ?? [];
    const attribute = buildAttribute('2.999.5', Uint8Array.of(0x30, 3, 2, 5, 1));
    const [, , , signed = new Uint8Array()] = fields;
    const damaged = der.element(0xa0, [contentOf(readDer(signed)), attribute]);
    const forged = withParts(archived, ({ signers }) => ({
      signers: signers.map((signer) => ({ ...signer, fields: fields.with(3, damaged) })),
    }));
    expect(checkCades(pki, forged)).toMatchObject({
      indication: 'TOTAL-FAILED',
      subIndication: 'SIG_CRYPTO_FAILURE',
    });
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['text', Buffer.from('no signature')],
    ['half a signature', archived.subarray(0, archived.length / 2)],
    ['no signer', withParts(archived, () => ({ signers: [] }))],
  ])('fails with FORMAT_FAILURE: %s', (_, signature) => {
    const report = checkCades(pki, signature);
    expect(report).toMatchObject({ indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' });
    expect(codesOf(report)).toEqual(['signature.cms.invalid']);
  });

  test('detects any changed byte that it covers', () => {
    const original = splitSignedData(archived);
    const signedOf = (parts: SignedDataParts) => parts.signers.map(({ fields }) => fields[3]);
    const coveredOf = (parts: SignedDataParts) => [parts.certificates, parts.revocation];
    const place = fc.nat(archived.length - 1);
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const mutant = new Uint8Array(archived);
        mutant[at] = (mutant[at] as number) ^ mask;
        const [report] = verifyCades(mutant, cadesContent, cadesContext(pki));
        if (report?.intact !== true) return;
        const parts = splitSignedData(mutant);
        expect(signedOf(parts)).toEqual(signedOf(original));
        if (report.level === 'B-LTA') expect(coveredOf(parts)).toEqual(coveredOf(original));
      }),
      { numRuns: runs(200), seed: 5 },
    );
  });
});

describe('the archive time-stamp', () => {
  const broken: Record<string, () => Uint8Array> = {
    'after a certificate was removed': () =>
      withParts(archived, ({ certificates }) => ({
        certificates: certificates.filter(
          (each) => Buffer.compare(each, pki.member('root').der) !== 0,
        ),
      })),
    'after an OCSP response was exchanged': () =>
      withParts(archived, ({ revocation }) => ({
        revocation: [
          ...revocation.slice(1),
          der.element(0xa1, [
            der.oid(oids.ocspResponseInfo),
            pki.ocsp(pki.member('signer').certificate, { thisUpdateMs: pki.nowMs - 1000 }),
          ]),
        ],
      })),
    'after the signature time-stamp was removed': () =>
      withAttributesOf(archived, (attributes) =>
        attributes.filter((each) => typeOf(each) !== oids.signatureTimeStampToken),
      ),
    'without its index': () =>
      Uint8Array.from(
        Buffer.from(
          Buffer.from(archived)
            .toString('hex')
            .replace(
              Buffer.from(der.oid(oids.atsHashIndexV3)).toString('hex'),
              Buffer.from(der.oid('0.4.0.19122.1.9')).toString('hex'),
            ),
          'hex',
        ),
      ),
  };
  test.each(Object.entries(broken))('%s is invalid', (_, make) => {
    const report = checkCades(pki, make());
    const [stamp] = report.timestamps.filter(({ covers }) => covers === 'archive');
    expect(stamp).toMatchObject({ valid: false, trusted: false });
    expect(report.level).not.toBe('B-LTA');
    expect(codesOf(report)).toContainEqual(expect.stringMatching(/^tsa\.imprint\./));
  });

  test('of another signature is invalid', async () => {
    const other = await cadesBy(pki, 'B-LTA', pki.member('p384'));
    const mixed = withAttributesOf(await cadesBy(pki, 'B-LT'), (attributes) => [
      ...attributes,
      ...attributesOf(other),
    ]);
    expect(checkCades(pki, mixed)).toMatchObject({
      indication: 'TOTAL-PASSED',
      level: 'B-LT',
      timestamps: [
        { covers: 'signature', valid: true },
        { covers: 'archive', valid: false },
      ],
    });
  });

  test('stays valid if data it does not cover is added', () => {
    const more = withParts(archived, ({ certificates }) => ({
      certificates: [...certificates, pki.member('p384').der],
    }));
    expect(checkCades(pki, more)).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-LTA' });
  });

  test('that covers no revocation data proves B-LT at most', async () => {
    const early = withParts(await cadesBy(pki, 'B-LT'), () => ({ revocation: [] }));
    const digest = contentDigest(cadesContent);
    const stamped = await addArchiveTimestamp(early, 0, digest, cadesTimestamps(pki));
    expect(checkCades(pki, stamped.signature).level).toBe('B-T');
    const late = withParts(stamped.signature, () => ({
      revocation: splitSignedData(archived).revocation,
    }));
    expect(checkCades(pki, late)).toMatchObject({
      level: 'B-LT',
      timestamps: [{ valid: true }, { covers: 'archive', valid: true }],
    });
  });
});

describe('older and incomplete forms', () => {
  test('a time-stamp over another signature value is ignored', async () => {
    const other = attributesOf(
      await cadesBy(pki, 'B-T', pki.member('p384')),
      oids.signatureTimeStampToken,
    );
    const mixed = withAttributesOf(await cadesBy(pki, 'B-B'), () => other);
    const report = checkCades(pki, mixed);
    expect(report).toMatchObject({ level: 'B-B', timeProved: false });
    expect(codesOf(report)).toContain('tsa.imprint.mismatch');
  });

  test('a signature without signing-time is not a baseline signature', () => {
    const { algorithm, privateKey, certificate, der: own, chain } = pki.member('signer');
    const signedAttributes = buildSignedAttributes({
      contentType: oids.data,
      messageDigest: createHash('sha256').update(text).digest(),
      certificate,
      certificateDigest: 'sha256',
    });
    const signature = buildSignedData({
      digest: 'sha256',
      signedAttributes,
      signatureAlgorithm: algorithm,
      signature: signWith({ algorithm, privateKey }, signedAttributes),
      certificate,
      certificates: [own, ...chain],
    });
    const report = checkCades(pki, signature);
    // ETSI EN 319 122-1 §5.2.1 requires it, so signature acceptance fails: EN 319 102-1 §5.2.8.
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIG_CONSTRAINTS_FAILURE',
      form: 'cades',
      intact: true,
    });
    expect(report).not.toHaveProperty('level');
    expect(codesOf(report)).toContain('baseline.signing-time');
  });

  // RFC 5652 §5.2 permits encapsulated content. Detached content beside it must be the same.
  test('encapsulated content must equal the detached content', () => {
    const withInside = (content: Uint8Array) =>
      withParts(archived, () => ({
        encapsulated: der.sequence(der.oid(oids.data), der.explicit(0, der.octetString(content))),
      }));
    expect(checkCades(pki, withInside(text))).toMatchObject({ intact: true });
    const other = withInside(Buffer.from('other'));
    expect(checkCades(pki, other)).toMatchObject({ indication: 'TOTAL-FAILED', intact: false });
  });

  test('certificate and revocation values of older forms are used, but give no B-LT', async () => {
    const { certificates, ocsp, crls } = parseSignedData(archived);
    const basic = ocsp.map((answer) => {
      const marker = Buffer.from(answer).indexOf(der.oid(oids.ocspBasic)) + 11;
      return answer.subarray(marker + ((answer[marker + 1] as number) === 0x82 ? 4 : 3));
    });
    const plain = await cadesBy(pki, 'B-T');
    const old = withAttributesOf(plain, (attributes) => [
      ...attributes,
      buildAttribute(oids.certificateValues, der.sequence(...certificates)),
      buildAttribute(
        oids.revocationValues,
        der.sequence(
          der.explicit(0, der.sequence(...crls)),
          der.explicit(1, der.sequence(...basic)),
        ),
      ),
    ]);
    const report = checkCades(pki, old);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-T' });
    expect(codesOf(report)).toEqual(['baseline.values', 'baseline.values']);
  });

  test('an archive-time-stamp-v2 over other data is reported and does not raise the level', async () => {
    const [stamp = new Uint8Array()] = attributesOf(
      await cadesBy(pki, 'B-T'),
      oids.signatureTimeStampToken,
    );
    const renamed = Buffer.from(stamp);
    renamed.set(der.oid(oids.archiveTimeStampV2), renamed.indexOf(0x06));
    const signature = withAttributesOf(await cadesBy(pki, 'B-LT'), (all) => [...all, renamed]);
    const report = checkCades(pki, signature);
    expect(report).toMatchObject({
      level: 'B-LT',
      timestamps: [
        { covers: 'signature', valid: true },
        { covers: 'archive', valid: false, problem: 'tsa.imprint.unknown' },
      ],
    });
  });

  test('a weak digest makes the signature INDETERMINATE', () => {
    const { algorithm, privateKey, certificate, der: own, chain } = pki.member('rsa');
    const weak = { ...algorithm, digest: 'sha1' } as const;
    const signedAttributes = buildSignedAttributes({
      contentType: oids.data,
      messageDigest: createHash('sha1').update(text).digest(),
      certificate,
      certificateDigest: 'sha256',
      signingTimeMs: pki.nowMs,
    });
    const signature = buildSignedData({
      digest: 'sha1',
      signedAttributes,
      signatureAlgorithm: weak,
      signature: signWith({ algorithm: weak, privateKey }, signedAttributes),
      certificate,
      certificates: [own, ...chain],
    });
    expect(checkCades(pki, signature)).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
      intact: true,
      trusted: false,
    });
  });
});

describe('a CAdES signature with several signers', () => {
  test('has a separate report for each', async () => {
    const other = splitSignedData(await cadesBy(pki, 'B-T', pki.member('p384')));
    const both = withParts(await cadesBy(pki, 'B-B'), (own) => ({
      digestAlgorithms: der.setOf(...(['sha256', 'sha384'] as const).map(serializeDigestAlgorithm)),
      certificates: [...own.certificates, pki.member('p384').der],
      signers: [...own.signers, ...other.signers],
    }));
    const reports = verifyCades(both, cadesContent, cadesContext(pki));
    expect(reports).toMatchObject([
      { indication: 'TOTAL-PASSED', level: 'B-B', algorithm: 'ecdsa sha256' },
      { indication: 'TOTAL-PASSED', level: 'B-T', algorithm: 'ecdsa sha384' },
    ]);
    expect(describeCadesPreservation(both, cadesContent, cadesContext(pki))).toMatchObject({
      intact: [0, 1],
      unstamped: [0],
      archived: false,
    });
    const stamped = await addSignatureTimestamp(both, 0, cadesTimestamps(pki));
    expect(verifyCades(stamped.signature, cadesContent, cadesContext(pki))).toMatchObject([
      { level: 'B-T' },
      { level: 'B-T' },
    ]);
  });
});

describe('a CAdES signature with too much data', () => {
  const [stamp = new Uint8Array()] = attributesOf(archived, oids.signatureTimeStampToken);

  test('is INDETERMINATE above the limit of time-stamps', () => {
    const many = withAttributesOf(archived, () => new Array(limits.cmsTimestamps).fill(stamp));
    const report = checkCades(pki, many);
    expect(report).toMatchObject({ indication: 'INDETERMINATE', subIndication: 'GENERIC' });
    expect(report.findings[0]?.message).toContain(`at most ${limits.cmsTimestamps}`);
  });

  test('is INDETERMINATE above the limit of status checks', () => {
    const many = withParts(
      withAttributesOf(archived, () => new Array(100).fill(stamp)),
      ({ revocation }) => ({ revocation: new Array(170).fill(revocation[0]) }),
    );
    expect(checkCades(pki, many).findings[0]?.message).toContain('are not checked');
  });
});
