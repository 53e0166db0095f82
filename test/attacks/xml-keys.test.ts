import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { der } from '../../src/formats/asn1/index.ts';
import { parseXml } from '../../src/formats/xml/index.ts';
import { parseXmlSignature, signedInfoBytes } from '../../src/formats/xmldsig/index.ts';
import { caExtensions, keyHolder } from '../support/hand-signed.ts';
import type { TestMember } from '../support/pki.ts';
import {
  ca,
  codes,
  dsig,
  failed,
  first,
  host,
  keyInfo,
  passed,
  rsa,
  signer,
} from '../unit/verify/xml/sealed-xml.ts';
import {
  boundCertificate,
  certificateInfo,
  pki,
  type SignXmlParts,
  signValue,
  signXml,
  wholeDocument,
} from '../unit/verify/xml/sign-xml.ts';

describe('keys of XML signatures', () => {
  const mallory = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const forger: TestMember = pki.issue({
    name: 'mallory',
    keyOf: keyHolder(mallory.privateKey, { scheme: 'ecdsa', digest: 'sha256' }),
    issuer: pki.issue({ name: 'own ca', extensions: caExtensions, issuer: pki.member('signer') }),
  });

  test('KeyInfo alone does not make a signature trusted', () => {
    for (const properties of [true, false]) {
      const text = signXml({ signer: forger, host, properties });
      const report = first(text);
      expect(report).toMatchObject({ intact: true, trusted: false, indication: 'INDETERMINATE' });
    }
  });

  test('a different key next to the bound certificate does not verify', () => {
    const parts = {
      host,
      signed: boundCertificate(signer),
      keyInfo: certificateInfo(forger, signer),
    };
    expect(first(signXml({ signer: forger, ...parts }))).toMatchObject(
      failed('SIG_CRYPTO_FAILURE'),
    );
  });

  test('a missing bound certificate is not replaced by one that is present', () => {
    const text = signXml({ signer: forger, host, signed: boundCertificate(rsa) });
    expect(first(text)).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
      intact: true,
    });
  });

  // As in RFC 5035 §5.4.1 for CMS, whose attribute the property copies.
  test("the first bound certificate is the signer's", () => {
    const cert = /<x:Cert>.*<\/x:Cert>/.exec(boundCertificate(ca))?.[0] ?? '';
    const own = /<x:Cert>.*<\/x:Cert>/.exec(boundCertificate(signer))?.[0] ?? '';
    const list = (certs: string) => `<x:SigningCertificateV2>${certs}</x:SigningCertificateV2>`;
    const text = (certs: string) => signXml({ signer, host, keyInfo, signed: list(certs) });
    expect(first(text(own + cert))).toMatchObject(passed);
    expect(first(text(cert + own))).toMatchObject({ indication: 'TOTAL-FAILED' });
    expect(first(text(cert + own))).not.toMatchObject(passed);
  });

  test('a different certificate of the same key is not the bound one', () => {
    const twin = pki.issue({ name: 'twin', keyOf: signer });
    const text = signXml({ signer, host, keyInfo: certificateInfo(twin, ca) });
    expect(first(text)).toMatchObject({ subIndication: 'NO_SIGNING_CERTIFICATE_FOUND' });
  });

  const values: Readonly<Record<string, (value: Uint8Array) => Uint8Array>> = {
    'r and s without the last octet': (value) => value.subarray(0, 63),
    nothing: () => new Uint8Array(),
    zeros: () => new Uint8Array(64),
    // XML-Signature 1.1 §6.4.3: two numbers of fixed length; other validators accept nothing else.
    'r and s in DER': (value) =>
      der.sequence(
        der.unsignedInteger(value.subarray(0, 32)),
        der.unsignedInteger(value.subarray(32)),
      ),
    'the right length with one bit flipped': (value) => value.with(63, (value[63] ?? 0) ^ 1),
  };
  test.each(Object.entries(values))('a signature value of %s fails', (_, signatureValue) => {
    expect(first(signXml({ signer, host, keyInfo, signatureValue }))).toMatchObject(
      failed('SIG_CRYPTO_FAILURE'),
    );
  });

  // XML-Signature 1.1 §6.4.3 requires two numbers of 32 octets; these are the same numbers.
  const forms: Readonly<Record<string, (value: Uint8Array) => Uint8Array>> = {
    'with an additional zero octet': (value) =>
      Buffer.concat([Buffer.of(0), value.subarray(0, 32), Buffer.of(0), value.subarray(32)]),
    'in 66 octets each': (value) =>
      Buffer.concat([
        new Uint8Array(34),
        value.subarray(0, 32),
        new Uint8Array(34),
        value.subarray(32),
      ]),
    'in 68 octets each': (value) =>
      Buffer.concat([
        new Uint8Array(36),
        value.subarray(0, 32),
        new Uint8Array(36),
        value.subarray(32),
      ]),
  };
  test.each(Object.entries(forms))('r and s %s pass, and are reported', (_, signatureValue) => {
    const text = signXml({ signer, host, keyInfo, signatureValue });
    expect(first(text)).toMatchObject(passed);
    expect(codes(first(text))).toContain('signature.value.form');
    const broken = (value: Uint8Array) => {
      const made = Buffer.from(signatureValue(value));
      made.writeUInt8((made.at(-1) ?? 0) ^ 1, made.length - 1);
      return made;
    };
    expect(first(signXml({ signer, host, keyInfo, signatureValue: broken }))).toMatchObject(
      failed('SIG_CRYPTO_FAILURE'),
    );
  });

  test('a DER signature value that contains raw numbers is invalid', () => {
    const text = signXml({ signer, host, keyInfo });
    const document = parseXml(Buffer.from(text));
    const [element] = document.findAll(dsig, 'Signature');
    if (element === undefined) throw new Error('a signature');
    const { signedInfo, signatureValue } = parseXmlSignature(element);
    const bytes = signedInfoBytes(signedInfo) ?? new Uint8Array();
    expect(signValue(signer, bytes)).toHaveLength(64);
    const raw = Buffer.from(signatureValue.bytes).toString('base64');
    const wrapped = Buffer.concat([Buffer.of(0x30, 0x44), Buffer.from(signatureValue.bytes)]);
    expect(first(text.replace(raw, wrapped.toString('base64')))).toMatchObject(
      failed('SIG_CRYPTO_FAILURE'),
    );
  });

  test.each([
    ['RSA with an EC key', signer, 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'],
    ['ECDSA with an RSA key', rsa, 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256'],
  ] as const)('fails without a crash: %s', (_, member, signatureUri) => {
    const text = signXml({ signer: member, host, keyInfo: certificateInfo(member), signatureUri });
    expect(first(text)).toMatchObject(failed('SIG_CRYPTO_FAILURE'));
  });

  test.each([
    'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
    'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
    'urn:none',
  ])('the algorithm %s is not supported', (signatureUri) => {
    const report = first(signXml({ signer, host, keyInfo, signatureUri }));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
    });
    expect(report).not.toHaveProperty('intact');
  });
});

describe('weak algorithms in XML signatures', () => {
  const sha1Uri = `${dsig}sha1`;
  const sha1 = (member: TestMember): TestMember => ({
    ...member,
    algorithm: { ...member.algorithm, digest: 'sha1' },
  });
  const weak: Readonly<Record<string, Partial<SignXmlParts>>> = {
    'a SHA-1 reference': { references: [{ ...wholeDocument, digestUri: sha1Uri }] },
    'RSA with SHA-1': { signer: sha1(rsa), keyInfo: certificateInfo(rsa, ca) },
    'ECDSA with SHA-1': { signer: sha1(signer) },
  };
  test.each(Object.entries(weak))('%s proves nothing', (_, parts) => {
    const report = first(signXml({ signer, host, keyInfo, ...parts }));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
      intact: true,
      trusted: false,
    });
    expect(codes(report)).toContain('algorithm.weak');
  });
});
