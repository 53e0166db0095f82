import { describe, expect, test } from 'vitest';
import { oids } from '../../../src/formats/asn1/index.ts';
import { keyUsageBits } from '../../../src/formats/x509/index.ts';
import {
  checkOcspPurpose,
  checkSigningPurpose,
  checkTimestampPurpose,
} from '../../../src/trust/purpose.ts';
import { makeTestPki, type TestMemberName, type TestRequest } from '../../support/pki.ts';

const pki = makeTestPki();
const certificateOf = (name: TestMemberName) => pki.member(name).certificate;

describe('checkSigningPurpose', () => {
  test.each<[string, TestRequest['extensions'], RegExp | undefined]>([
    ['both usages', {}, undefined],
    ['digitalSignature', { keyUsage: keyUsageBits.digitalSignature }, undefined],
    ['nonRepudiation', { keyUsage: keyUsageBits.nonRepudiation }, undefined],
    ['no usage named', { keyUsage: undefined }, undefined],
    ['encipherment', { keyUsage: keyUsageBits.keyEncipherment }, /neither/],
    ['mail', { extendedKeyUsage: [oids.emailProtection] }, undefined],
    ['documents', { extendedKeyUsage: [oids.documentSigning] }, undefined],
    ['trusted lists', { extendedKeyUsage: ['0.4.0.2231.3.0'] }, undefined],
    ['any purpose', { extendedKeyUsage: [oids.anyExtendedKeyUsage] }, undefined],
    ['clients and servers', { extendedKeyUsage: [oids.serverAuth, oids.clientAuth] }, undefined],
    ['servers', { extendedKeyUsage: [oids.serverAuth] }, /found serverAuth/],
    ['time-stamps', { extendedKeyUsage: [oids.timeStamping] }, /found timeStamping/],
    ['OCSP', { extendedKeyUsage: [oids.ocspSigning] }, /found OCSPSigning/],
    ['a CA that names no usage', { basicConstraints: { ca: true }, keyUsage: undefined }, /CA/],
    ['a CA', { basicConstraints: { ca: true }, keyUsage: keyUsageBits.keyCertSign }, /neither/],
  ])('decides by key usage and extended key usage: %s', (_title, extensions, expected) => {
    const { certificate } = pki.issue({ name: 'purpose', extensions });
    const findings = checkSigningPurpose(certificate);
    if (expected === undefined) expect(findings).toEqual([]);
    else expect(findings.join('; ')).toMatch(expected);
  });
});

describe('checkTimestampPurpose', () => {
  test.each<[TestMemberName, RegExp | undefined]>([
    ['tsa', undefined],
    ['tsaNotCritical', /not critical/],
    ['signer', /found none/],
    ['ocsp', /found OCSPSigning/],
  ])('decides by the extended key usage: %s', (name, expected) => {
    const findings = checkTimestampPurpose(certificateOf(name));
    if (expected === undefined) expect(findings).toEqual([]);
    else expect(findings.join('; ')).toMatch(expected);
  });

  test('rejects a second extended key usage', () => {
    const extensions = { extendedKeyUsage: [oids.timeStamping, oids.codeSigning] };
    const { certificate } = pki.issue({ name: 'purpose', extensions });
    expect(checkTimestampPurpose(certificate).join()).toMatch(/expected only timeStamping/);
  });
});

test('checkOcspPurpose requires OCSPSigning', () => {
  expect(checkOcspPurpose(certificateOf('ocsp'))).toEqual([]);
  expect(checkOcspPurpose(certificateOf('signer')).join()).toMatch(/expected OCSPSigning/);
});
