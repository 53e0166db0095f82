import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { oids } from '../../src/formats/asn1/index.ts';
import { buildMessageImprint, buildTstInfo } from '../../src/formats/tsp/index.ts';
import { verifyDocument } from '../../src/index.ts';
import { verifyTimestampFile } from '../../src/verify/cades/index.ts';
import { faultsOf } from '../cli/support/json-output.ts';
import { cadesContext } from '../support/cades.ts';
import { type CraftedCms, type CraftedSigner, craftCms, crlsOf } from '../support/crafted-cms.ts';
import { makeTestPki, type TestRequest } from '../support/pki.ts';
import { attribute, bindingValue, instead } from '../support/placed-attributes.ts';

// EN 319 102-1 §5.4: an intact token by an unsuitable certificate is not refuted.

const pki = makeTestPki();
const tsa = pki.member('tsa');
const data = Buffer.from('Pay 100 to the bearer.\n');
const content = buildTstInfo({
  policy: '2.999.1',
  imprintDer: buildMessageImprint('sha256', createHash('sha256').update(data).digest()),
  serialNumber: Uint8Array.of(1, 2, 3),
  genTimeMs: pki.nowMs - 60_000,
});

function check(crafted: Partial<CraftedSigner> = {}, more: Partial<CraftedCms> = {}) {
  const token = craftCms({
    content,
    embedded: content,
    contentType: oids.tstInfo,
    signers: [{ signer: tsa, ...crafted }],
    crls: crlsOf(pki),
    ...more,
  });
  return verifyTimestampFile(token, memorySource(data), cadesContext(pki)).report;
}

function authority(name: string, extensions: TestRequest['extensions']) {
  return pki.issue({ name, issuer: pki.member('ca'), extensions });
}

const purposes: Record<string, TestRequest['extensions']> = {
  none: {},
  another: { extendedKeyUsage: [oids.emailProtection], extendedKeyUsageCritical: true },
  several: {
    extendedKeyUsage: [oids.timeStamping, oids.clientAuth],
    extendedKeyUsageCritical: true,
  },
  'a non-critical extended key usage': { extendedKeyUsage: [oids.timeStamping] },
  'a key usage without signatures': {
    keyUsage: 0x20,
    extendedKeyUsage: [oids.timeStamping],
    extendedKeyUsageCritical: true,
  },
};
const v2 = oids.signingCertificateV2;
const bound = (member: typeof tsa) =>
  attribute(v2, bindingValue(v2, { certificate: member.certificate }));

test('a token that cannot be read is reported as in the published schema', async () => {
  const timestamp = attribute(oids.signatureTimeStampToken, craftCms({ content, signers: [] }));
  const signer = { signer: pki.member('signer'), unsigned: [timestamp] };
  const cms = craftCms({ content: data, embedded: data, signers: [signer], crls: crlsOf(pki) });
  const trust = [pki.member('root').der];
  const report = await verifyDocument(cms, { trust, at: new Date(pki.nowMs) });
  expect(report.signatures[0]?.timestamps).toMatchObject([{ problem: 'tsa.response.invalid' }]);
  expect(faultsOf('verification-report', JSON.parse(JSON.stringify(report)))).toEqual([]);
});

describe('a time-stamp token', () => {
  test('passes if it is well-formed', () => {
    expect(check()).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
  });

  test.each(Object.entries(purposes))(
    'of a certificate with %s is INDETERMINATE',
    (name, extensions) => {
      expect(check({ signer: authority(name, extensions) })).toMatchObject({
        indication: 'INDETERMINATE',
        subIndication: 'CHAIN_CONSTRAINTS_FAILURE',
        intact: true,
        trusted: false,
        findings: [{ code: 'tsa.certificate.invalid', severity: 'warning' }],
        references: [{ status: 'valid' }],
      });
    },
  );

  test('without the certificate of its authority is INDETERMINATE', () => {
    const stranger = makeTestPki().member('tsa');
    expect(check({ signer: stranger }, { certificates: [] })).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
      intact: false,
    });
  });

  test.each([
    ['no certificate', instead(v2), 'SIG_CONSTRAINTS_FAILURE'],
    [
      'a different certificate',
      instead(v2, bound(pki.member('signer'))),
      'NO_SIGNING_CERTIFICATE_FOUND',
    ],
  ] as const)(
    'whose signing-certificate attribute binds %s is INDETERMINATE',
    (_, attributes, subIndication) => {
      expect(check({ attributes })).toMatchObject({
        indication: 'INDETERMINATE',
        subIndication,
        intact: true,
        trusted: false,
        findings: [{ code: 'tsa.signature.invalid', severity: 'warning' }],
      });
    },
  );

  test.each([
    [
      'a token with a different signature value',
      { value: (value: Uint8Array) => value.map((byte) => byte ^ 1) },
    ],
    [
      'a token over different attributes',
      { signed: (bytes: Uint8Array) => bytes.map((byte) => byte ^ 1) },
    ],
  ])('%s fails, whatever the purpose of its certificate', (_, by) => {
    const refuted = { indication: 'TOTAL-FAILED', subIndication: 'SIG_CRYPTO_FAILURE' };
    expect(check(by)).toMatchObject({ ...refuted, intact: false });
    const signer = authority('unfit', {});
    expect(check({ signer, ...by })).toMatchObject({ ...refuted, intact: false });
  });
});
