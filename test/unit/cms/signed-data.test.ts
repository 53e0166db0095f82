import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { InnsigliError } from '../../../src/base/errors.ts';
import {
  childrenOf,
  type DerNode,
  der,
  derOf,
  oids,
  readDer,
} from '../../../src/formats/asn1/index.ts';
import {
  addUnsignedAttribute,
  buildAttribute,
  buildSignedAttributes,
  buildSignedData,
  canonicalSignedAttributes,
  issuerAndSerialOf,
  looksLikeCms,
  parseSignedData,
  readContentType,
  readMessageDigest,
  readSigningCertificate,
  trimContents,
} from '../../../src/formats/cms/index.ts';
import { verifyDocument } from '../../../src/index.ts';
import { verifySignature } from '../../../src/trust/signature.ts';
import { makeTestPki, signWith, type TestMember } from '../../support/pki.ts';

const pki = makeTestPki();
const content = Buffer.from('the covered bytes');

function digestOf(member: TestMember): Uint8Array {
  return createHash(member.algorithm.digest).update(content).digest();
}

function inputOf(member: TestMember) {
  const { certificate, algorithm, chain } = member;
  const signedAttributes = buildSignedAttributes({
    contentType: oids.data,
    messageDigest: digestOf(member),
    certificate,
    certificateDigest: algorithm.digest,
  });
  return {
    digest: algorithm.digest,
    signedAttributes,
    signatureAlgorithm: algorithm,
    certificate,
    certificates: chain,
  };
}

function build(member: TestMember, unsignedAttributes: readonly Uint8Array[] = []): Uint8Array {
  const input = inputOf(member);
  const signature = signWith(member, input.signedAttributes);
  return buildSignedData({ ...input, signature, unsignedAttributes });
}

/** The same value in BER: indefinite lengths everywhere, and constructed octet strings. */
function toBer(node: DerNode): Uint8Array {
  if (node.tag === 0x04) {
    const bytes = node.bytes.subarray(node.contentStart, node.contentEnd);
    const half = bytes.length >> 1;
    const pieces = [bytes.subarray(0, half), bytes.subarray(half)].map(der.octetString);
    return Buffer.concat([Buffer.of(0x24, 0x80), ...pieces, Buffer.of(0, 0)]);
  }
  if ((node.tag & 0x20) === 0) return derOf(node);
  return Buffer.concat([
    Buffer.of(node.tag, 0x80),
    ...childrenOf(node).map(toBer),
    Buffer.of(0, 0),
  ]);
}

/** The value with each element encoded like `old` replaced. */
function replaced(node: DerNode, old: Uint8Array, by: Uint8Array): Uint8Array {
  const written = derOf(node);
  if (Buffer.compare(written, old) === 0) return by;
  if ((node.tag & 0x20) === 0) return written;
  const parts = childrenOf(node).map((child) => replaced(child, old, by));
  return Buffer.concat([Buffer.of(node.tag, 0x80), ...parts, Buffer.of(0, 0)]);
}

// RFC 5652 §5.3, X.690 §8.14.3: an implicitly tagged octet string may be constructed.
test('a constructed key identifier names the signer', () => {
  const member = pki.member('signer');
  const keyId = Buffer.from('0123456789abcdef0123');
  const name = issuerAndSerialOf(member.certificate);
  const pieces = [keyId.subarray(0, 3), keyId.subarray(3)].map(der.octetString);
  for (const written of [der.element(0x80, [keyId]), der.element(0xa0, pieces)]) {
    const cms = replaced(readDer(build(member)), name, written);
    const [signer] = parseSignedData(cms).signerInfos;
    expect(Buffer.from(signer?.subjectKeyId ?? [])).toEqual(keyId);
  }
});

const kinds = ['signer', 'rsa', 'pss', 'p384', 'p521', 'ed25519'] as const;

describe.each(kinds)('a CMS signature with %s', (kind) => {
  const member = pki.member(kind);
  const cms = build(member);
  const parsed = parseSignedData(cms);
  const [signer] = parsed.signerInfos;

  test('parses to the values it was built from', () => {
    expect(parsed).toMatchObject({ version: 1, contentType: oids.data, content: undefined });
    expect(parsed.crls).toEqual([]);
    expect(parsed.ocsp).toEqual([]);
    expect(signer).toMatchObject({
      version: 1,
      digest: member.algorithm.digest,
      signatureAlgorithm: member.algorithm,
      repeatedAttributes: [],
      subjectKeyId: undefined,
    });
    expect(signer?.issuerDer).toEqual(member.certificate.issuerDer);
    expect(signer?.serialNumber).toEqual(member.certificate.serialNumber);
    expect([...(signer?.signedAttributes?.keys() ?? [])].sort()).toEqual(
      [oids.contentType, oids.messageDigest, oids.signingCertificateV2].sort(),
    );
    expect(readContentType(signer!)).toBe(oids.data);
    expect(Buffer.from(readMessageDigest(signer!) ?? [])).toEqual(digestOf(member));
  });

  test('references its certificate by hash, issuer and serial number', () => {
    const { certificate, algorithm } = member;
    const certificateHash = createHash(algorithm.digest).update(certificate.der).digest();
    const [reference, ...others] = readSigningCertificate(signer!);
    expect(others).toEqual([]);
    expect(reference).toMatchObject({ digest: algorithm.digest, version: 2 });
    expect(Buffer.from(reference!.certificateHash)).toEqual(certificateHash);
    expect(reference!.issuerDer).toEqual(certificate.issuerDer);
    expect(reference!.serialNumber).toEqual(certificate.serialNumber);
  });

  test('verifies over the parsed attributes', () => {
    const { signatureAlgorithm, signedAttributesDer, signature } = signer!;
    expect(
      verifySignature(signatureAlgorithm!, member.certificate, signedAttributesDer!, signature),
    ).toBe(true);
    expect(canonicalSignedAttributes(signer!)).toBeUndefined();
  });

  test('contains each certificate once, in DER order', () => {
    const expected = [member.der, ...member.chain].map((one) => Buffer.from(one));
    expected.sort(Buffer.compare);
    expect(parsed.certificates.map((one) => Buffer.from(one))).toEqual(expected);
    const twice = buildSignedData({
      ...inputOf(member),
      signature: signer!.signature,
      certificates: [member.der, ...member.chain, ...member.chain, member.der],
    });
    expect(Buffer.from(twice)).toEqual(Buffer.from(cms));
  });

  test('is not modified by parsing, even as a Buffer', () => {
    const bytes = Buffer.from(cms);
    for (const one of parseSignedData(bytes).signerInfos) canonicalSignedAttributes(one);
    addUnsignedAttribute(bytes, buildAttribute('2.999.1'));
    expect(bytes.equals(cms)).toBe(true);
  });

  test('in BER parses to the same values', () => {
    const ber = parseSignedData(toBer(readDer(cms)));
    const [other] = ber.signerInfos;
    expect(ber.contentType).toBe(parsed.contentType);
    expect(other?.signatureAlgorithm).toEqual(member.algorithm);
    expect(Buffer.from(other!.signature)).toEqual(Buffer.from(signer!.signature));
    expect(Buffer.from(readMessageDigest(other!)!)).toEqual(digestOf(member));
    // The bytes found are not the signed ones; their DER encoding is.
    const canonical = canonicalSignedAttributes(other!);
    expect(Buffer.from(canonical!)).toEqual(Buffer.from(signer!.signedAttributesDer!));
  });
});

describe('unsigned attributes', () => {
  const member = pki.member('signer');
  const first = buildAttribute('2.999.10', der.utf8String('first'));
  const second = buildAttribute('2.999.10', der.utf8String('second'));

  test('added later give the same bytes as those added at creation', () => {
    const plain = build(member);
    const later = addUnsignedAttribute(addUnsignedAttribute(plain, second), first);
    const signer = parseSignedData(plain).signerInfos[0]!;
    const atOnce = buildSignedData({
      ...inputOf(member),
      signature: signer.signature,
      unsignedAttributes: [first, second],
    });
    expect(Buffer.from(later)).toEqual(Buffer.from(atOnce));
  });

  test('of one type in several attributes are all found', () => {
    const [signer] = parseSignedData(build(member, [first, second])).signerInfos;
    const values = signer?.unsignedAttributes.get('2.999.10')?.map(derOf);
    expect(values?.map((value) => Buffer.from(value).toString('utf8', 2))).toEqual([
      'first',
      'second',
    ]);
    expect(signer?.repeatedAttributes).toEqual([]);
  });

  test('can be added to BER without changing the signed bytes', () => {
    const ber = toBer(readDer(build(member)));
    const before = parseSignedData(ber).signerInfos[0]!;
    const after = parseSignedData(addUnsignedAttribute(ber, first)).signerInfos[0]!;
    expect(after.signedAttributesDer).toEqual(before.signedAttributesDer);
    expect(after.unsignedAttributes.size).toBe(1);
  });

  test('can be added only if there is exactly one signer', () => {
    const fields = childrenOf(childrenOf(childrenOf(readDer(build(member)))[1]!)[0]!);
    const signer = derOf(childrenOf(fields.at(-1)!)[0]!);
    for (const signers of [[], [signer, signer]]) {
      const data = der.element(0x30, [...fields.slice(0, -1).map(derOf), der.setOf(...signers)]);
      const whole = der.sequence(der.oid(oids.signedData), der.explicit(0, data));
      expect(() => addUnsignedAttribute(whole, first)).toThrow(/expected one signer, found/);
    }
  });
});

describe('signed attributes', () => {
  const member = pki.member('signer');
  const withAttributes = (...attributes: Uint8Array[]) => {
    const signedAttributes = der.setOf(...attributes);
    const signature = signWith(member, signedAttributes);
    return parseSignedData(buildSignedData({ ...inputOf(member), signedAttributes, signature }))
      .signerInfos[0]!;
  };

  test('that are repeated are reported, and the first counts', () => {
    const one = buildAttribute(oids.messageDigest, der.octetString(Buffer.from('a')));
    const two = buildAttribute(oids.messageDigest, der.octetString(Buffer.from('b')));
    const signer = withAttributes(two, one);
    expect(signer.repeatedAttributes).toEqual([oids.messageDigest]);
    expect(Buffer.from(readMessageDigest(signer)!).toString()).toBe('a');
  });

  test('with no value or two values are ignored', () => {
    const two = [der.octetString(Buffer.from('a')), der.octetString(Buffer.from('b'))];
    expect(readMessageDigest(withAttributes(buildAttribute(oids.messageDigest)))).toBeUndefined();
    const signer = withAttributes(buildAttribute(oids.messageDigest, ...two));
    expect(readMessageDigest(signer)).toBeUndefined();
    expect(readContentType(signer)).toBeUndefined();
    expect(readSigningCertificate(signer)).toEqual([]);
  });

  const entry = (...further: Uint8Array[]) =>
    der.sequence(der.octetString(createHash('sha256').update(member.der).digest()), ...further);
  const issuer = der.sequence(der.sequence(), der.integerFromContent(Uint8Array.of(1)));
  const policies = der.sequence(der.sequence(der.oid('1.2.3')));

  test('may contain signing-certificate-v2 with all members', () => {
    const value = der.sequence(der.sequence(entry(issuer)), policies);
    const signer = withAttributes(buildAttribute(oids.signingCertificateV2, value));
    expect(readSigningCertificate(signer)).toMatchObject([{ digest: 'sha256', version: 2 }]);
  });

  test('may contain signing-certificate-v2 with 200,000 entries', () => {
    const one = der.sequence(der.octetString(Uint8Array.of(7)));
    const entries = Buffer.alloc(200_000 * one.length, one);
    const value = der.sequence(der.sequence(entries));
    const signer = withAttributes(buildAttribute(oids.signingCertificateV2, value));
    expect(readSigningCertificate(signer)).toHaveLength(200_000);
  });

  test('may contain signing-certificate with SHA-1', () => {
    const hash = createHash('sha1').update(member.der).digest();
    const value = der.sequence(der.sequence(der.sequence(der.octetString(hash))));
    const signer = withAttributes(buildAttribute(oids.signingCertificate, value));
    expect(readSigningCertificate(signer)).toEqual([
      {
        digest: 'sha1',
        certificateHash: new Uint8Array(hash),
        issuerDer: undefined,
        serialNumber: undefined,
        version: 1,
      },
    ]);
  });

  test.each([
    ['no content', der.sequence()],
    ['no entry', der.sequence(der.sequence())],
    ['an invalid type', der.sequence(der.sequence(der.nil()))],
    ['policies of an invalid type', der.sequence(der.sequence(entry()), der.nil())],
    ['a policy of an invalid type', der.sequence(der.sequence(entry()), der.sequence(der.nil()))],
    ['a member after the policies', der.sequence(der.sequence(entry()), policies, der.nil())],
    ['a member after the issuer', der.sequence(der.sequence(entry(issuer, der.nil())))],
    [
      'a member after the serial number',
      der.sequence(
        der.sequence(
          entry(der.sequence(der.sequence(), der.integerFromContent(Uint8Array.of(1)), der.nil())),
        ),
      ),
    ],
  ])('signing-certificate-v2 with %s matches no certificate', (_, value) => {
    const signer = withAttributes(buildAttribute(oids.signingCertificateV2, value));
    const [reference] = readSigningCertificate(signer);
    expect(reference).toMatchObject({ digest: undefined, version: 2 });
    expect(reference?.certificateHash).toHaveLength(0);
  });
});

describe('parseSignedData', () => {
  const member = pki.member('signer');

  test('returns the encapsulated content', () => {
    const input = { ...inputOf(member), signature: new Uint8Array(8) };
    const encapsulated = { type: oids.tstInfo, content };
    const cms = parseSignedData(buildSignedData({ ...input, encapsulated, certificates: [] }));
    expect(cms).toMatchObject({ version: 3, contentType: oids.tstInfo, certificates: [] });
    expect(Buffer.from(cms.content!)).toEqual(content);
  });

  test('finds CRLs and OCSP responses of both forms', () => {
    const fields = childrenOf(childrenOf(childrenOf(readDer(build(member)))[1]!)[0]!).map(derOf);
    const crl = pki.crl();
    const ocsp = pki.ocsp(member.certificate);
    const basic = childrenOf(childrenOf(childrenOf(readDer(ocsp))[1]!)[0]!)[1]!;
    const bytes = basic.bytes.subarray(basic.contentStart, basic.contentEnd);
    const other = (format: string, value: Uint8Array) => der.explicit(1, der.oid(format), value);
    const revocation = der.element(0xa1, [
      crl,
      other('1.3.6.1.5.5.7.16.2', ocsp),
      other(oids.ocspBasic, bytes),
      other('2.999.1', der.nil()),
    ]);
    fields.splice(-1, 0, revocation);
    const signedData = der.explicit(0, der.element(0x30, fields));
    const cms = parseSignedData(der.sequence(der.oid(oids.signedData), signedData));
    expect(cms.crls.map((one) => Buffer.from(one))).toEqual([Buffer.from(crl)]);
    expect(cms.ocsp.map((one) => Buffer.from(one))).toEqual([Buffer.from(ocsp), Buffer.from(ocsp)]);
  });

  test('trimContents cuts padding after the first element', () => {
    const cms = build(member);
    expect(Buffer.from(trimContents(Buffer.concat([cms, new Uint8Array(99)])))).toEqual(
      Buffer.from(cms),
    );
    expect(() => trimContents(new Uint8Array(1))).toThrow(InnsigliError);
  });

  test.each([
    ['nothing', new Uint8Array(0)],
    ['zeros', new Uint8Array(100)],
    ['text', Buffer.from('%PDF-1.7')],
    ['another content type', der.sequence(der.oid(oids.data), der.explicit(0, der.nil()))],
    ['no fields', der.sequence(der.oid(oids.signedData), der.explicit(0, der.sequence()))],
    ['no content', der.sequence(der.oid(oids.signedData))],
    ['padding', Buffer.concat([build(member), new Uint8Array(2)])],
  ])('rejects %s with cms.invalid', (_, bytes) => {
    expect(() => parseSignedData(bytes)).toThrow(
      expect.objectContaining({ name: 'InnsigliError', code: 'cms.invalid' }),
    );
  });

  test('accepts an unknown algorithm as undefined', () => {
    const cms = Buffer.from(build(pki.member('ed25519')));
    const at = cms.lastIndexOf(Buffer.from('06032b6570', 'hex'));
    cms[at + 4] = 0x7f;
    const [signer] = parseSignedData(cms).signerInfos;
    expect(signer).toMatchObject({ signatureAlgorithm: undefined, signatureOid: '1.3.101.127' });
  });
});

test.each([oids.envelopedData, oids.authEnvelopedData])(
  'a CMS of type %s is recognised as CMS and rejected as encrypted',
  (type) => {
    const bytes = der.sequence(der.oid(type), der.explicit(0, der.sequence()));
    expect(looksLikeCms(bytes)).toBe(true);
    expect(() => parseSignedData(bytes)).toThrow('found EnvelopedData: encrypted');
  },
);

// RFC 5652 §4, §7: they contain no signature, and are not PDF.
test.each([
  ['data', oids.data],
  ['digested data', oids.digestedData],
])('a file with %s is rejected as not being SignedData', async (_, type) => {
  const content = der.explicit(0, der.octetString(Buffer.from('Pay 100')));
  const file = der.sequence(der.oid(type), content);
  const refusal = {
    code: 'cms.invalid',
    message: `expected SignedData, found content type ${type}`,
  };
  await expect(verifyDocument(file, { trust: [] })).rejects.toMatchObject(refusal);
});
