import { createDigest } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import {
  buildAttribute,
  buildSignedAttributes,
  issuerAndSerialOf,
} from '../../src/formats/cms/index.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from '../../src/formats/x509/index.ts';
import { signWith, type TestMember, type TestPki } from './pki.ts';

/** One signer of {@link craftCms}; omitted members are valid. */
export interface CraftedSigner {
  readonly signer: TestMember;
  /** Certificate named by the SignerInfo and the attributes. */
  readonly named?: Certificate;
  /** Digest algorithm of the content. Default: that of the signature. */
  readonly digest?: DigestAlgorithm;
  /** Encoding of the digest algorithm. Default: its own identifier. */
  readonly digestDer?: Uint8Array;
  /** Claimed time. No attribute if present but undefined. */
  readonly signingTimeMs?: number | undefined;
  /** Returns the signed attributes to write, given the valid ones; undefined for none. */
  readonly attributes?: (usual: readonly Uint8Array[]) => readonly Uint8Array[] | undefined;
  /** Returns the bytes to sign instead of the written attributes. */
  readonly signed?: (written: Uint8Array) => Uint8Array;
  /** Edits the signature value. */
  readonly value?: (value: Uint8Array) => Uint8Array;
  readonly unsigned?: readonly Uint8Array[];
}

/** A SignedData in which the test controls every octet. */
export interface CraftedCms {
  /** The signed content. */
  readonly content: Uint8Array;
  /** The embedded content. Default: none. */
  readonly embedded?: Uint8Array;
  readonly contentType?: string;
  readonly signers: readonly CraftedSigner[];
  /** Default: those of the signers and their chains. */
  readonly certificates?: readonly Uint8Array[];
  readonly crls?: readonly Uint8Array[];
  /** Digest algorithms of the list. Default: those of the signers. */
  readonly listed?: readonly Uint8Array[];
}

/** CRLs on which only the member `revoked` is listed: the conclusion needs nothing else. */
export function crlsOf(pki: TestPki): readonly Uint8Array[] {
  return [pki.crl(), pki.crl(pki.member('root'))];
}

/** The members of a SET OF. */
export function membersOf(set: Uint8Array): readonly Uint8Array[] {
  const members: Uint8Array[] = [];
  let at = headerLength(set, 0);
  while (at < set.length) {
    const end = at + headerLength(set, at) + contentLength(set, at);
    members.push(set.subarray(at, end));
    at = end;
  }
  return members;
}

function headerLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at + 1] as number;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function contentLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at + 1] as number;
  if (first < 0x80) return first;
  const octets = bytes.subarray(at + 2, at + 2 + (first & 0x7f));
  return octets.reduce((length, octet) => length * 256 + octet, 0);
}

/** A ContentInfo with the crafted SignedData. */
export function craftCms(cms: CraftedCms): Uint8Array {
  const { signers, contentType = oids.data, embedded, crls = [] } = cms;
  const digests = cms.listed ?? signers.map(digestDerOf);
  const certificates =
    cms.certificates ?? signers.flatMap(({ signer }) => [signer.der, ...signer.chain]);
  const content = embedded === undefined ? [] : [der.explicit(0, der.octetString(embedded))];
  const signedData = der.sequence(
    der.smallInteger(1),
    der.setOf(...digests),
    der.sequence(der.oid(contentType), ...content),
    ...(certificates.length === 0 ? [] : [der.element(0xa0, certificates)]),
    ...(crls.length === 0 ? [] : [der.element(0xa1, crls)]),
    der.element(
      0x31,
      signers.map((each) => signerInfo(each, cms)),
    ),
  );
  return der.sequence(der.oid(oids.signedData), der.explicit(0, signedData));
}

const digestOf = ({ signer: { algorithm }, digest }: CraftedSigner) =>
  digest ?? (algorithm.scheme === 'ed25519' ? 'sha512' : algorithm.digest);

const digestDerOf = (signer: CraftedSigner) =>
  signer.digestDer ?? serializeDigestAlgorithm(digestOf(signer));

function signerInfo(crafted: CraftedSigner, { content, contentType }: CraftedCms): Uint8Array {
  const { signer, named = signer.certificate, unsigned = [] } = crafted;
  const digest = digestOf(crafted);
  const usual = buildSignedAttributes({
    contentType: contentType ?? oids.data,
    messageDigest: createDigest(digest).update(content).digest(),
    certificate: named,
    certificateDigest: 'sha256',
    ...('signingTimeMs' in crafted
      ? crafted.signingTimeMs === undefined
        ? {}
        : { signingTimeMs: crafted.signingTimeMs }
      : { signingTimeMs: signer.certificate.notBeforeMs + 1000 }),
  });
  const { attributes = (list: readonly Uint8Array[]) => list } = crafted;
  const written = attributes(membersOf(usual));
  const covered = written === undefined ? content : der.element(0x31, written);
  const { signed = (bytes: Uint8Array) => bytes, value = (bytes: Uint8Array) => bytes } = crafted;
  return der.sequence(
    der.smallInteger(1),
    issuerAndSerialOf(named),
    digestDerOf(crafted),
    ...(written === undefined ? [] : [der.element(0xa0, written)]),
    serializeSignatureAlgorithm(signer.algorithm),
    der.octetString(value(signWith(signer, signed(covered)))),
    ...(unsigned.length === 0 ? [] : [der.element(0xa1, unsigned)]),
  );
}

/** An attribute of a meaningless private type. */
export const meaningless = (last = 5): Uint8Array => buildAttribute(`2.999.${last}`, der.nil());

/** The attributes without those of a type. */
export function withoutType(list: readonly Uint8Array[], type: string): readonly Uint8Array[] {
  const name = Buffer.from(der.oid(type));
  return list.filter((attribute) => !Buffer.from(attribute).includes(name));
}
