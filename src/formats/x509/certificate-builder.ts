import { der, oids } from '../asn1/index.ts';
import { type SignatureAlgorithm, serializeSignatureAlgorithm } from './signature-algorithm.ts';

/** Extensions written by {@link buildCertificateTbs}; undefined ones are omitted. */
export interface CertificateExtensionInput {
  /** Always critical. */
  readonly basicConstraints?: { readonly ca: boolean; readonly pathLength?: number };
  /** Bits as in `keyUsageBits`; critical. */
  readonly keyUsage?: number;
  /** Object identifiers of key purposes. */
  readonly extendedKeyUsage?: readonly string[];
  readonly extendedKeyUsageCritical?: boolean;
  readonly subjectKeyId?: Uint8Array;
  readonly authorityKeyId?: Uint8Array;
  readonly ocspUrls?: readonly string[];
  readonly caIssuerUrls?: readonly string[];
  readonly crlUrls?: readonly string[];
  /** Object identifiers of policies, without qualifiers. */
  readonly policies?: readonly string[];
  readonly ocspNoCheck?: boolean;
  /** Additional extensions: `value` is the DER inside the octet string. */
  readonly others?: readonly {
    readonly name: string;
    readonly critical: boolean;
    readonly value: Uint8Array;
  }[];
}

/** Content of a new certificate. */
export interface CertificateInput {
  /** Serial number: positive, at most 20 bytes, big-endian. */
  readonly serialNumber: Uint8Array;
  /** Name of the issuer, DER. */
  readonly issuerDer: Uint8Array;
  /** Name of the subject, DER. */
  readonly subjectDer: Uint8Array;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** SubjectPublicKeyInfo, DER. */
  readonly spkiDer: Uint8Array;
  /** Signature algorithm of the issuer. */
  readonly algorithm: SignatureAlgorithm;
  readonly extensions: CertificateExtensionInput;
}

function extension(name: string, critical: boolean, value: Uint8Array): Uint8Array {
  const parts = [der.oid(name), der.octetString(value)];
  if (critical) parts.splice(1, 0, der.boolean(true));
  return der.sequence(...parts);
}

function uri(url: string): Uint8Array {
  return der.implicit(6, der.ia5String(url));
}

function basicConstraints(input: { ca: boolean; pathLength?: number }): Uint8Array {
  const parts: Uint8Array[] = [];
  if (input.ca) parts.push(der.boolean(true));
  if (input.pathLength !== undefined) parts.push(der.smallInteger(input.pathLength));
  return der.sequence(...parts);
}

/** One DistributionPoint per URL: `[0] { [0] { [6] url } }`. @spec RFC 5280 §4.2.1.13 */
function distributionPoints(urls: readonly string[]): Uint8Array {
  return der.sequence(
    ...urls.map((url) => der.sequence(der.explicit(0, der.element(0xa0, [uri(url)])))),
  );
}

function authorityInfo(input: CertificateExtensionInput): Uint8Array | undefined {
  const entries = [
    ...(input.ocspUrls ?? []).map((url) => der.sequence(der.oid(oids.accessOcsp), uri(url))),
    ...(input.caIssuerUrls ?? []).map((url) =>
      der.sequence(der.oid(oids.accessCaIssuers), uri(url)),
    ),
  ];
  return entries.length === 0 ? undefined : der.sequence(...entries);
}

function buildExtensions(input: CertificateExtensionInput): Uint8Array[] {
  const list: Uint8Array[] = [];
  const add = (name: string, critical: boolean, value: Uint8Array | undefined) => {
    if (value !== undefined) list.push(extension(name, critical, value));
  };
  const oidList = (names: readonly string[]) => der.sequence(...names.map((n) => der.oid(n)));
  if (input.basicConstraints !== undefined) {
    add(oids.basicConstraints, true, basicConstraints(input.basicConstraints));
  }
  if (input.keyUsage !== undefined) add(oids.keyUsage, true, der.namedBits(input.keyUsage));
  if (input.extendedKeyUsage !== undefined) {
    const critical = input.extendedKeyUsageCritical ?? false;
    add(oids.extendedKeyUsage, critical, oidList(input.extendedKeyUsage));
  }
  if (input.subjectKeyId !== undefined) {
    add(oids.subjectKeyIdentifier, false, der.octetString(input.subjectKeyId));
  }
  if (input.authorityKeyId !== undefined) {
    add(oids.authorityKeyIdentifier, false, authorityKeyIdentifier(input.authorityKeyId));
  }
  if (input.policies !== undefined) {
    const policies = input.policies.map((name) => der.sequence(der.oid(name)));
    add(oids.certificatePolicies, false, der.sequence(...policies));
  }
  add(oids.authorityInfoAccess, false, authorityInfo(input));
  if ((input.crlUrls ?? []).length > 0) {
    add(oids.crlDistributionPoints, false, distributionPoints(input.crlUrls ?? []));
  }
  if (input.ocspNoCheck === true) add(oids.ocspNoCheck, false, der.nil());
  for (const { name, critical, value } of input.others ?? []) add(name, critical, value);
  return list;
}

/** The value of an AuthorityKeyIdentifier extension with only a key identifier. */
export function authorityKeyIdentifier(keyId: Uint8Array): Uint8Array {
  return der.sequence(der.implicit(0, der.octetString(keyId)));
}

/**
 * The part of a certificate that its issuer signs.
 *
 * @throws algorithm.unsupported if the algorithm has no identifier
 * @spec RFC 5280 §4.1.2
 */
export function buildCertificateTbs(input: CertificateInput): Uint8Array {
  const extensions = buildExtensions(input.extensions);
  return der.sequence(
    der.explicit(0, der.smallInteger(2)),
    der.unsignedInteger(input.serialNumber),
    serializeSignatureAlgorithm(input.algorithm),
    input.issuerDer,
    der.sequence(der.certificateTime(input.notBeforeMs), der.certificateTime(input.notAfterMs)),
    input.subjectDer,
    input.spkiDer,
    ...(extensions.length === 0 ? [] : [der.explicit(3, der.sequence(...extensions))]),
  );
}

/**
 * A signed structure from its parts: a certificate from {@link buildCertificateTbs}, or likewise a
 * CRL.
 *
 * @spec RFC 5280 §4.1, §5.1
 */
export function assembleCertificate(
  tbsDer: Uint8Array,
  algorithm: SignatureAlgorithm,
  signature: Uint8Array,
): Uint8Array {
  return der.sequence(tbsDer, serializeSignatureAlgorithm(algorithm), der.bitString(signature));
}
