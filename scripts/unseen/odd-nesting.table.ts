import { generateKeyPairSync } from 'node:crypto';
import { concatBytes } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildAttribute, splitSignedData } from '../../src/formats/cms/index.ts';
import type { DigestAlgorithm, SignatureAlgorithm } from '../../src/formats/x509/index.ts';
import {
  type CraftedSigner,
  craftCms,
  crlsOf,
  withoutType,
} from '../../test/support/crafted-cms.ts';
import { keyHolder } from '../../test/support/hand-signed.ts';
import type { TestMember } from '../../test/support/pki.ts';
import { tokenOver } from '../../test/unit/verify/xml/extend-xml.ts';
import { pki } from '../../test/unit/verify/xml/sign-xml.ts';
import { extended } from './extend-cms.ts';
import { cms, type OddForm } from './odd-forms.table.ts';

const content = Buffer.from('Pay 100 to the bearer.\n');
const [signer, rsa, p384] = [pki.member('signer'), pki.member('rsa'), pki.member('p384')];
const others = [rsa, p384, pki.member('p521')];
const certificates = [signer, pki.member('ca'), ...others].map((each) => each.der);
const plain = (more: Partial<CraftedSigner> = {}) =>
  craftCms({
    content,
    embedded: content,
    signers: [{ signer, ...more }],
    certificates,
    crls: crlsOf(pki),
  });

/** A countersignature over a value, with nested countersignatures over its own value. */
function counter(
  value: Uint8Array,
  [by, ...further]: readonly TestMember[],
  more: Partial<CraftedSigner> = {},
): Uint8Array {
  if (by === undefined) throw new Error('a countersigner');
  const attributes: CraftedSigner['attributes'] = (list) => withoutType(list, oids.contentType);
  const own = craftCms({ content: value, signers: [{ signer: by, attributes, ...more }] });
  const made =
    further.length === 0
      ? own
      : extended(own, (inner) => [countersigned(counter(inner, further, more))]);
  const [found] = splitSignedData(made).signers;
  const { fields = [], unsignedAttributes = [] } = found ?? {};
  const unsigned = unsignedAttributes.length === 0 ? [] : [der.element(0xa1, unsignedAttributes)];
  return der.sequence(...fields, ...unsigned);
}

const countersigned = (...values: readonly Uint8Array[]) =>
  der.sequence(der.oid(oids.counterSignature), der.element(0x31, values));
const form = (name: string, make: () => Uint8Array): OddForm => ({
  name: `cms ${name}`,
  kind: 'cms',
  make,
});
const nested = (name: string, make: (value: Uint8Array) => readonly Uint8Array[]) =>
  form(name, () => extended(plain(), make));
const flipped = (value: Uint8Array) => value.with(9, (value[9] as number) ^ 1);

const counters: readonly OddForm[] = [
  nested('countersigned', (v) => [countersigned(counter(v, [rsa]))]),
  nested('countersigned by itself', (v) => [countersigned(counter(v, [signer]))]),
  nested('countersigned twice', (v) => [countersigned(counter(v, [rsa]), counter(v, [p384]))]),
  nested('countersigned in two attributes', (v) => [
    countersigned(counter(v, [rsa])),
    countersigned(counter(v, [p384])),
  ]),
  nested('countersigned in a chain of two', (v) => [countersigned(counter(v, [rsa, p384]))]),
  nested('countersigned in a chain of three', (v) => [countersigned(counter(v, others))]),
  nested('countersigned twice, and each of them too', (v) => [
    countersigned(counter(v, [rsa, p384]), counter(v, [p384, rsa])),
  ]),
  nested('countersigned over other bytes', (v) => [countersigned(counter(flipped(v), [rsa]))]),
  nested('countersigned with a changed value', (v) => [
    countersigned(counter(v, [rsa], { value: flipped })),
  ]),
  nested('countersigned with a type of content', (v) => [
    countersigned(counter(v, [rsa], { attributes: (list) => list })),
  ]),
  nested('countersigned without attributes', (v) => [
    countersigned(counter(v, [rsa], { attributes: () => undefined })),
  ]),
  nested('countersigned by one who is revoked', (v) => [
    countersigned(counter(v, [pki.member('revoked')])),
  ]),
];

type Parts = ReturnType<typeof splitSignedData>;

/**
 * Data covered by an older archive time-stamp.
 *
 * @spec ETSI TS 101 733 v1.8.3 §6.4.1
 */
function archived(
  name: string,
  type: string,
  order: (list: Uint8Array[]) => Uint8Array[],
): OddForm {
  return form(name, () => {
    const stamped = extended(plain(), (value) => [
      buildAttribute(oids.signatureTimeStampToken, tokenOver(value)),
      buildAttribute('2.999.5', der.nil()),
    ]);
    const parts: Parts = splitSignedData(stamped);
    const { fields = [], unsignedAttributes = [] } = parts.signers[0] ?? {};
    const covered = concatBytes([
      parts.encapsulated,
      der.element(0xa0, parts.certificates),
      der.element(0xa1, parts.revocation),
      ...fields,
      der.element(0xa1, order([...unsignedAttributes])),
    ]);
    return extended(stamped, () => [buildAttribute(type, tokenOver(covered))]);
  });
}

const archives: readonly OddForm[] = (
  [
    ['archive-time-stamp-v2', oids.archiveTimeStampV2],
    ['archive-time-stamp', oids.archiveTimeStamp],
  ] as const
).flatMap(([name, type]) => [
  archived(`${name} in order`, type, (list) => list),
  archived(`${name} over attributes in another order`, type, (list) => list.reverse()),
  archived(`${name} over fewer attributes`, type, (list) => list.slice(0, 1)),
]);

/** A key of a kind that the test PKI does not have. */
function holder(name: string, key: Parameters<typeof keyHolder>[0], algorithm: SignatureAlgorithm) {
  return pki.issue({ name, keyOf: keyHolder(key, algorithm) });
}
const curve = (namedCurve: string, digest: DigestAlgorithm): OddForm => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve });
  const by = holder(namedCurve, privateKey, { scheme: 'ecdsa', digest });
  return cms(`by ${namedCurve} with ${digest}`, { signer: by });
};
const salted = (digest: DigestAlgorithm, saltLengthBytes: number): OddForm => {
  const algorithm = { scheme: 'rsa-pss', digest, saltLengthBytes } as const;
  const by = { ...rsa, algorithm };
  return cms(`by RSA-PSS with ${digest} and salt of ${saltLengthBytes}`, { signer: by });
};
const hashed = (member: TestMember, digest: DigestAlgorithm): OddForm => {
  const by = { ...member, algorithm: { ...member.algorithm, digest } };
  return cms(`by ${member.name} with ${digest}`, { signer: by });
};

const keys: readonly OddForm[] = [
  curve('brainpoolP256r1', 'sha256'),
  curve('brainpoolP384r1', 'sha384'),
  curve('brainpoolP512r1', 'sha512'),
  curve('brainpoolP320r1', 'sha512'),
  curve('brainpoolP224r1', 'sha256'),
  curve('brainpoolP256t1', 'sha256'),
  curve('secp224r1', 'sha256'),
  curve('secp256k1', 'sha256'),
  curve('prime192v1', 'sha256'),
  curve('sect283r1', 'sha256'),
  ...[0, 11, 20, 48, 64, 222].map((salt) => salted('sha256', salt)),
  salted('sha512', 64),
  salted('sha384', 20),
  salted('sha3-256', 32),
  ...(['sha224', 'sha512', 'sha3-224', 'sha3-256', 'sha3-384', 'sha3-512'] as const).flatMap(
    (digest) => [hashed(rsa, digest), hashed(signer, digest)],
  ),
  hashed(pki.member('p521'), 'sha256'),
  hashed(p384, 'sha1'),
];

/** Nested signatures, old archive time-stamps, unusual keys. */
export const oddNesting: readonly OddForm[] = [...counters, ...archives, ...keys];
