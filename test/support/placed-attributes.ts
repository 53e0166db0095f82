import { createHash } from 'node:crypto';
import { der, derOf, oids } from '../../src/formats/asn1/index.ts';
import { parseSignedData } from '../../src/formats/cms/index.ts';
import {
  type Certificate,
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from '../../src/formats/x509/index.ts';
import { type CraftedSigner, craftCms, meaningless, withoutType } from './crafted-cms.ts';
import { makeTestPki, type TestPki } from './pki.ts';

/** An attribute with any number of values. */
export const attribute = (type: string, ...values: readonly Uint8Array[]): Uint8Array =>
  der.sequence(der.oid(type), der.setOf(...values));

/** The usual signed attributes, with these in place of those of the type. */
export const instead =
  (type: string, ...more: readonly Uint8Array[]): NonNullable<CraftedSigner['attributes']> =>
  (list) =>
    der.sortedSet([...withoutType(list, type), ...more]);

/** An entry of a signing-certificate attribute. @spec RFC 5035 §4 */
export interface BoundCertificate {
  readonly certificate: Certificate;
  /** Default: that of the attribute, SHA-1 or SHA-256, which is omitted. */
  readonly digest?: 'sha1' | 'sha256' | 'sha512';
  /** Certificate whose issuer and serial number accompany the digest. Default: none. */
  readonly named?: Certificate;
}

/** A value of signing-certificate or signing-certificate-v2. */
export function bindingValue(type: string, ...entries: readonly BoundCertificate[]): Uint8Array {
  const usual = type === oids.signingCertificate ? 'sha1' : 'sha256';
  const written = entries.map(({ certificate, digest, named }) => {
    const hash = createHash(digest ?? usual).update(certificate.der);
    return der.sequence(
      ...(digest === undefined ? [] : [serializeDigestAlgorithm(digest)]),
      der.octetString(hash.digest()),
      ...(named === undefined ? [] : [issuerSerialOf(named)]),
    );
  });
  return der.sequence(der.sequence(...written));
}

function issuerSerialOf({ issuerDer, serialNumber }: Certificate): Uint8Array {
  const issuer = der.sequence(der.explicit(4, issuerDer));
  return der.sequence(issuer, der.integerFromContent(serialNumber));
}

/** An attribute in a permitted or forbidden place, and the expected conclusion. */
export interface PlacedAttribute {
  /** Completes the title "a signature with". */
  readonly name: string;
  readonly by: Partial<CraftedSigner>;
  readonly isRefused: boolean;
  /** Rejected but not refuted: it concerns the binding of the certificate. */
  readonly isOpen?: true;
}

const utcTime = (text: string) => der.element(0x17, [Buffer.from(text)]);

/** Attributes that must or must not be signed, or must have one value, in and out of place. */
export function placedAttributes(pki: TestPki = makeTestPki()): readonly PlacedAttribute[] {
  const signer = pki.member('signer');
  const { contentType, messageDigest, signingTime, algorithmProtection, counterSignature } = oids;
  const { signingCertificate: v1, signingCertificateV2: v2 } = oids;
  const [first, second] = [utcTime('260601110000Z'), utcTime('260601120000Z')];
  const digest = der.octetString(Buffer.alloc(32));
  const bound = (type: string) => bindingValue(type, { certificate: signer.certificate });
  const other = bindingValue(v2, { certificate: pki.member('ca').certificate });
  const signatureAlgorithm = serializeSignatureAlgorithm(signer.algorithm);
  const protection = der.sequence(
    serializeDigestAlgorithm('sha256'),
    Buffer.concat([Buffer.of(0xa1), signatureAlgorithm.subarray(1)]),
  );
  const counter = signerInfoOf(craftCms({ content: Buffer.from('value'), signers: [{ signer }] }));
  const place = (conclusion: Pick<PlacedAttribute, 'isRefused' | 'isOpen'>) => ({
    signed: (name: string, type: string, ...values: readonly Uint8Array[]): PlacedAttribute => {
      const attributes = instead(type, attribute(type, ...values));
      return { name, by: { attributes }, ...conclusion };
    },
    unsigned: (name: string, type: string, value: Uint8Array): PlacedAttribute => {
      return { name, by: { unsigned: [attribute(type, value)] }, ...conclusion };
    },
  });
  const right = place({ isRefused: false });
  const wrong = place({ isRefused: true });
  const open = place({ isRefused: true, isOpen: true });
  return [
    right.signed('one signing-time', signingTime, first),
    { name: 'an unsigned unknown attribute', by: { unsigned: [meaningless()] }, isRefused: false },
    right.unsigned('an unsigned countersignature', counterSignature, counter),
    right.signed('a signed CMSAlgorithmProtection', algorithmProtection, protection),
    right.signed('a signing-certificate beside the usual attribute', v1, bound(v1)),
    right.signed('one value of signing-certificate-v2', v2, bound(v2)),
    wrong.signed('two values of signing-time', signingTime, first, second),
    wrong.signed('no value of signing-time', signingTime),
    wrong.signed('two types of content', contentType, der.oid(oids.data), der.oid(oids.tstInfo)),
    wrong.signed('no value of CMSAlgorithmProtection', algorithmProtection),
    wrong.unsigned('an unsigned content-type', contentType, der.oid(oids.data)),
    wrong.unsigned('an unsigned message-digest', messageDigest, digest),
    wrong.unsigned('an unsigned signing-time', signingTime, first),
    wrong.unsigned('an unsigned CMSAlgorithmProtection', algorithmProtection, protection),
    wrong.signed('a signed countersignature', counterSignature, counter),
    open.signed('two values of signing-certificate-v2', v2, bound(v2), other),
    open.signed('two values of signing-certificate-v2, its own last', v2, other, bound(v2)),
    open.signed('no value of signing-certificate-v2', v2),
    open.signed('two values of signing-certificate', v1, bound(v1), bound(v2)),
    open.signed('no value of signing-certificate', v1),
    open.unsigned('an unsigned signing-certificate-v2', v2, bound(v2)),
    open.unsigned('an unsigned signing-certificate-v2 of another certificate', v2, other),
    open.unsigned('an unsigned signing-certificate', v1, bound(v1)),
  ];
}

function signerInfoOf(cms: Uint8Array): Uint8Array {
  const [info] = parseSignedData(cms).signerInfos;
  if (info === undefined) throw new Error('no signer');
  return derOf(info.node);
}
