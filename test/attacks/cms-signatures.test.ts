import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildAttribute, joinSignedData, splitSignedData } from '../../src/formats/cms/index.ts';
import {
  type DigestAlgorithm,
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from '../../src/formats/x509/index.ts';
import { verifyCades } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import {
  type CraftedCms,
  type CraftedSigner,
  craftCms,
  crlsOf,
  meaningless,
  membersOf,
  withoutType,
} from '../support/crafted-cms.ts';
import { makeTestPki } from '../support/pki.ts';
import { verifyDocument } from '../support/verify-document.ts';

const pki = makeTestPki();
const content = Buffer.from('Pay 100 to the bearer.\n');
const kinds = ['signer', 'rsa', 'pss', 'p384', 'p521', 'ed25519'] as const;

function check(cms: Uint8Array, bytes: Uint8Array = content) {
  const [report] = verifyCades(cms, memorySource(bytes), cadesContext(pki));
  if (report === undefined) throw new Error('no report');
  return { ...report, codes: report.findings.map(({ code }) => code) };
}

/** A signature by a member over {@link content}, well-formed except for the given parts. */
function made(
  name: (typeof kinds)[number],
  signer: Partial<CraftedSigner> = {},
  cms: Partial<CraftedCms> = {},
): Uint8Array {
  const signers = [{ signer: pki.member(name), ...signer }];
  return craftCms({ content, signers, crls: crlsOf(pki), ...cms });
}

const failed = { indication: 'TOTAL-FAILED', intact: false };
const open = { indication: 'INDETERMINATE', subIndication: 'SIG_CONSTRAINTS_FAILURE' };

describe.each(kinds)('a CMS signature by %s', (name) => {
  test('passes if it is well-formed', () => {
    expect(check(made(name))).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
  });

  // RFC 5652 §5.4: the DER of the attributes is signed; without attributes it would be the content.
  test('does not pass for the DER of its attributes after they are stripped', () => {
    let attributes = new Uint8Array();
    const signed = (written: Uint8Array) => {
      attributes = new Uint8Array(written);
      return written;
    };
    made(name, { signed });
    const stripped = made(name, { attributes: () => undefined }, { content: attributes });
    const report = check(stripped, attributes);
    expect(report).toMatchObject({ ...open, intact: false });
    expect(report.codes).toContain('signature.attributes.stripped');
  });

  // ETSI EN 319 122-1 §5.1: content-type, message-digest and signing-certificate are mandatory.
  test('without signed attributes is INDETERMINATE', () => {
    const report = check(made(name, { attributes: () => undefined }));
    expect(report).toMatchObject({ ...open, intact: true });
    expect(report.codes).toContain('signature.attributes.missing');
  });

  // EN 319 102-1 §5.2.7.3: without a signed digest there is none that can differ.
  test('without message-digest fails by its value, and with a different one by its digest', () => {
    const without = (list: readonly Uint8Array[]) => withoutType(list, oids.messageDigest);
    const missing = check(made(name, { attributes: without }));
    expect(missing).toMatchObject({ ...failed, subIndication: 'SIG_CRYPTO_FAILURE' });
    const other = check(made(name), Buffer.from('Pay 999'));
    expect(other).toMatchObject({ ...failed, subIndication: 'HASH_FAILURE' });
  });

  // ETSI EN 319 122-1 §5.2.2: the certificate is identified by its digest.
  test('without a signing-certificate attribute is INDETERMINATE, whoever else has its key', () => {
    const attributes: CraftedSigner['attributes'] = (list) =>
      withoutType(list, oids.signingCertificateV2);
    const own = check(made(name, { attributes }));
    expect(own).toMatchObject({ ...open, intact: true });
    expect(own.codes).toContain('signature.certificate.unbound');
    const twin = pki.issue({ name: `twin of ${name}`, keyOf: pki.member(name) });
    const named = { attributes, named: twin.certificate };
    const other = check(made(name, named, { certificates: [twin.der, ...twin.chain] }));
    expect(other).toMatchObject(open);
    expect(other.codes).toContain('signature.certificate.unbound');
  });

  // ETSI EN 319 122-1 §5.2.1
  test('without signing-time is INDETERMINATE', () => {
    const report = check(made(name, { signingTimeMs: undefined }));
    expect(report).toMatchObject({ ...open, intact: true });
    expect(report.codes).toContain('signature.time.missing');
  });

  // RFC 5652 §5.4: a separate DER encoding is signed, in which a SET OF is sorted.
  test('over attributes that are not in DER order is INDETERMINATE', () => {
    const attributes: CraftedSigner['attributes'] = (list) => list.toReversed();
    const report = check(made(name, { attributes }));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'SIG_CRYPTO_FAILURE',
      intact: false,
    });
    expect(report.codes).toContain('signature.attributes.not-der');
    const sorted = made(name, { attributes, signed: (written) => sortedSet(written) });
    expect(check(sorted)).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
  });

  test('over an attribute whose inner SET is unsorted is reported as not DER', () => {
    const values = [der.smallInteger(9), der.smallInteger(1)];
    const unsorted = der.sequence(der.oid('2.999.7'), der.element(0x31, values));
    const report = check(made(name, { attributes: (list) => der.sortedSet([...list, unsorted]) }));
    expect(report.codes).toContain('signature.attributes.not-der');
  });

  test('with embedded content passes if the content is the signed one, and fails otherwise', () => {
    const same = check(made(name, {}, { embedded: content }));
    expect(same).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
    const other = check(made(name, {}, { embedded: Buffer.from('Pay 999') }));
    expect(other).toMatchObject({
      indication: 'TOTAL-FAILED',
      subIndication: 'SIG_CRYPTO_FAILURE',
    });
    expect(check(made(name, {}, { embedded: content }), Buffer.from('Pay 999'))).toMatchObject({
      indication: 'TOTAL-FAILED',
    });
  });

  // RFC 6211 §3: the algorithms in the attribute must be those of the signer.
  test('whose attributes name different algorithms fails', () => {
    const { algorithm } = pki.member(name);
    const digest = algorithm.scheme === 'ed25519' ? 'sha512' : algorithm.digest;
    const other = digest === 'sha256' ? 'sha512' : 'sha256';
    const protection = (digestOf: DigestAlgorithm, signature: SignatureAlgorithm) => {
      const written = serializeSignatureAlgorithm(signature);
      const value = der.sequence(
        serializeDigestAlgorithm(digestOf),
        Buffer.concat([Buffer.of(0xa1), written.subarray(1)]),
      );
      const attribute = buildAttribute('1.2.840.113549.1.9.52', value);
      return check(made(name, { attributes: (list) => der.sortedSet([...list, attribute]) }));
    };
    expect(protection(digest, algorithm)).toMatchObject({ indication: 'TOTAL-PASSED' });
    for (const report of [
      protection(other, algorithm),
      protection(digest, { scheme: 'rsa-pkcs1', digest: other }),
    ]) {
      expect(report).toMatchObject({ intact: false, subIndication: 'SIG_CRYPTO_FAILURE' });
      expect(report.codes).toContain('signature.algorithm.changed');
    }
  });

  test('with a repeated attribute or a different content-type fails', () => {
    const twice = made(name, { attributes: (list) => [...list, meaningless(), meaningless()] });
    expect(check(twice).codes).toContain('signature.attributes.repeated');
    const type = buildAttribute(oids.contentType, der.oid(oids.tstInfo));
    const other = made(name, {
      attributes: (list) => [type, ...withoutType(list, oids.contentType)],
    });
    expect(check(other)).toMatchObject({ indication: 'TOTAL-FAILED' });
  });
});

function sortedSet(set: Uint8Array): Uint8Array {
  return der.setOf(...membersOf(set));
}

test("a certificate in the pool with the signer's issuer and serial number does not replace the signer", () => {
  const signer = pki.member('signer');
  const context = cadesContext(pki);
  // A different key with the same issuer and serial number, encountered first.
  const serial = Buffer.from(signer.certificate.serialNumber);
  const other = Buffer.from(pki.member('rsa').der);
  const at = other.indexOf(Buffer.from(pki.member('rsa').certificate.serialNumber));
  serial.copy(other, at);
  context.pool.add(other);
  const attributes: CraftedSigner['attributes'] = (list) =>
    withoutType(list, oids.signingCertificateV2);
  const [report] = verifyCades(made('signer', { attributes }), memorySource(content), context);
  expect(report).toMatchObject({ intact: true });
});

// RFC 5652 §5.3: the identifier names the certificate; it is not signed.
describe('the SignerIdentifier', () => {
  const swap = (cms: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array => {
    // The last occurrence is in the signed attributes.
    const at = Buffer.from(cms).lastIndexOf(from, Buffer.from(cms).lastIndexOf(from) - 1);
    return Buffer.concat([cms.subarray(0, at), to, cms.subarray(at + from.length)]);
  };

  test('naming a certificate other than the bound one leaves the signature without certificate', () => {
    const { certificate } = pki.member('signer');
    const serial = der.element(0x02, [certificate.serialNumber]);
    const other = new Uint8Array(serial);
    other[other.length - 1] = (other[other.length - 1] as number) ^ 1;
    const report = check(swap(made('signer'), serial, other));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
      intact: false,
    });
  });

  test('naming a certificate of the same key while another one is bound: intact but INDETERMINATE', () => {
    const twin = pki.issue({ name: 'twin', keyOf: pki.member('signer') });
    const attributes: CraftedSigner['attributes'] = () =>
      membersOf(signedBy(pki.member('signer'))) as readonly Uint8Array[];
    const certificates = [twin.der, ...twin.chain];
    const report = check(made('signer', { named: twin.certificate, attributes }, { certificates }));
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'NO_SIGNING_CERTIFICATE_FOUND',
      intact: true,
    });
    expect(report.signer).toBeUndefined();
  });

  /** The signed attributes as written by that member. */
  function signedBy(signer: ReturnType<typeof pki.member>): Uint8Array {
    let written = new Uint8Array();
    craftCms({
      content,
      signers: [
        {
          signer,
          signed: (bytes) => {
            written = new Uint8Array(bytes);
            return bytes;
          },
        },
      ],
    });
    return written;
  }
});

// RFC 5652 §5.1: a one-pass verifier may fail for an algorithm that is missing from the list.
test.each([
  ['no digest algorithm', der.setOf()],
  ["a digest algorithm other than the signer's", der.setOf(serializeDigestAlgorithm('sha1'))],
])('a SignedData whose digestAlgorithms list %s is INDETERMINATE', (_, digestAlgorithms) => {
  const cms = made('signer');
  const parts = splitSignedData(cms);
  const report = check(joinSignedData({ ...parts, digestAlgorithms }));
  expect(report).toMatchObject({ indication: 'INDETERMINATE', subIndication: 'FORMAT_FAILURE' });
  expect(report.codes).toContain('signature.digest.unlisted');
  expect(check(joinSignedData(parts))).toMatchObject({ indication: 'TOTAL-PASSED' });
});

const stampsOf = (count: number) =>
  der.sequence(
    der.oid(oids.signatureTimeStampToken),
    der.element(
      0x31,
      Array.from({ length: count }, () => der.nil()),
    ),
  );
const countersigned = (count: number) => {
  const [signer] = splitSignedData(made('rsa')).signers;
  const countersigner = der.sequence(...(signer?.fields ?? []));
  const all = Array.from({ length: count }, () => countersigner);
  return der.sequence(der.oid(oids.counterSignature), der.element(0x31, all));
};
const signers = (count: number) => {
  const signer = pki.member('signer');
  const certificates = [signer.der, ...signer.chain];
  return made(
    'signer',
    {},
    { signers: Array.from({ length: count }, () => ({ signer })), certificates },
  );
};

// Anyone can add unsigned elements: exceeding the limit refutes nothing.
describe.each<[string, (count: number) => Uint8Array]>([
  ['time-stamps', (count) => made('signer', { unsigned: [stampsOf(count - 1)] })],
  ['signers', signers],
])('many %s', (_, of) => {
  test('pass up to the limit', () => {
    expect(check(of(256))).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
  });

  test('above the limit leave the signature INDETERMINATE', () => {
    const report = check(of(257));
    expect(report).toMatchObject({ indication: 'INDETERMINATE', subIndication: 'GENERIC' });
    expect(report).not.toHaveProperty('intact');
    expect(report.codes).toEqual(['signature.cms.limit']);
  });
});

// As in XML: countersignatures do not affect the signature that they cover.
test.each([
  [255, 255, false],
  [256, 255, true],
  [2_000, 255, true],
])(
  'of %i countersignatures %i are verified, and the signature passes',
  (count, checked, isNamed) => {
    const report = check(made('signer', { unsigned: [countersigned(count)] }));
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', intact: true });
    expect(report.countersignatures).toHaveLength(checked);
    expect(report.codes?.includes('signature.attribute.unchecked')).toBe(isNamed);
  },
);

test('more unsigned attributes than are read leave the signature INDETERMINATE', () => {
  const unsigned = Array.from({ length: 4_097 }, () => meaningless());
  expect(check(made('signer', { unsigned }))).toMatchObject({ indication: 'INDETERMINATE' });
});

test.each([4_096, 4_097])('a file with %i unsigned attributes gets a conclusion', async (count) => {
  const unsigned = Array.from({ length: count }, () => meaningless());
  const signers = [{ signer: pki.member('signer'), unsigned }];
  const file = craftCms({ content, embedded: content, signers, crls: crlsOf(pki) });
  const options = { trust: [pki.member('root').der], at: new Date(pki.nowMs) };
  const { signatures, indication } = await verifyDocument(file, options);
  expect(indication).toBe(count > 4_096 ? 'INDETERMINATE' : 'TOTAL-PASSED');
  const codes = signatures.flatMap(({ findings }) => findings.map(({ code }) => code));
  expect(codes.includes('signature.cms.limit')).toBe(count > 4_096);
});

test.each(['certificates', 'crls'] as const)(
  'a CMS with more %s than are read is not TOTAL-FAILED',
  (list) => {
    const nothing = der.sequence();
    const of = (count: number) =>
      check(
        made(
          'signer',
          {},
          { signers: [], ...{ [list]: Array.from({ length: count }, () => nothing) } },
        ),
      );
    expect(of(4_096).codes).toEqual(['signature.cms.invalid']);
    expect(of(4_097)).toMatchObject({ indication: 'INDETERMINATE', subIndication: 'GENERIC' });
    expect(of(4_097).codes).toEqual(['signature.cms.limit']);
  },
);

test.each(
  Object.entries({
    signatureTimeStampToken: oids.signatureTimeStampToken,
    archiveTimeStampV3: oids.archiveTimeStampV3,
    countersignature: oids.counterSignature,
  }),
)('a malformed unsigned attribute %s does not affect the conclusion', (_, type) => {
  for (const value of [der.nil(), der.sequence(), der.octetString(Buffer.from('x'))]) {
    const report = check(made('signer', { unsigned: [buildAttribute(type, value)] }));
    expect(report.indication).toBe('TOTAL-PASSED');
  }
});
