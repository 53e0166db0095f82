import { createDigest } from '../../base/bytes.ts';
import { attemptAny, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { createMemo, getOrCompute } from '../../base/memo.ts';
import {
  type DerNode,
  der,
  oids,
  readBytes,
  readIntegerBytes,
  readSequence,
} from '../asn1/index.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  parseDigestAlgorithm,
  serializeDigestAlgorithm,
} from '../x509/index.ts';
import { buildAttribute } from './attribute.ts';
import type { SignerInfo } from './signer-info.ts';

/** One entry of a signing-certificate attribute; the first identifies the signer's certificate. */
export interface SigningCertificateReference {
  /** Undefined if the attribute names an unknown digest algorithm. */
  readonly digest: DigestAlgorithm | undefined;
  readonly certificateHash: Uint8Array;
  /** Name of the issuer, DER, if the entry contains one as a directory name. */
  readonly issuerDer: Uint8Array | undefined;
  /** Content bytes of the serial number. */
  readonly serialNumber: Uint8Array | undefined;
  /** 1: signing-certificate, SHA-1; 2: signing-certificate-v2. */
  readonly version: 1 | 2;
}

/** Several checks of a signature read the same entries. */
const readReferences = createMemo<SignerInfo, readonly SigningCertificateReference[]>();
const builtAttributes = new WeakMap<Certificate, Map<DigestAlgorithm, Uint8Array>>();

/**
 * The signing-certificate-v2 attribute for one certificate, cached by certificate and digest.
 *
 *     SigningCertificateV2 { certs { ESSCertIDv2 {
 *       hashAlgorithm DEFAULT sha256, certHash, IssuerSerial { { [4] issuer }, serialNumber } } } }
 *
 * @spec RFC 5035 §3, §4
 */
export function buildSigningCertificateAttribute(
  certificate: Certificate,
  digest: DigestAlgorithm,
): Uint8Array {
  const byDigest = getOrCompute(builtAttributes, certificate, () => new Map());
  return getOrCompute(byDigest, digest, () => {
    const hash = der.octetString(createDigest(digest).update(certificate.der).digest());
    const issuerSerial = der.sequence(
      der.sequence(der.explicit(4, certificate.issuerDer)),
      der.integerFromContent(certificate.serialNumber),
    );
    const entry =
      digest === 'sha256'
        ? der.sequence(hash, issuerSerial)
        : der.sequence(serializeDigestAlgorithm(digest), hash, issuerSerial);
    return buildAttribute(oids.signingCertificateV2, der.sequence(der.sequence(entry)));
  });
}

/**
 * The entries of signing-certificate-v2 and signing-certificate, in this order; empty if the signer
 * has neither. A corrupt attribute yields an entry that matches no certificate.
 *
 * @spec RFC 5035 §3, §4, §5
 */
export function readSigningCertificate(signer: SignerInfo): readonly SigningCertificateReference[] {
  return getOrCompute(readReferences, signer, ({ signedAttributes }) => {
    const entries: SigningCertificateReference[] = [];
    for (const version of versions) {
      const type = version === 2 ? oids.signingCertificateV2 : oids.signingCertificate;
      const values = signedAttributes?.get(type) ?? [];
      for (const value of values) {
        // Not push(...): an attribute may have more entries than a call accepts arguments.
        for (const entry of readEntries(value, version)) entries.push(entry);
      }
    }
    return entries;
  });
}

/**
 * The entries that identify the signer's certificate: the first one of each attribute. Each must
 * match it, because the attributes are evaluated independently.
 *
 * @spec RFC 5035 §2, §3, §5
 */
export function listSignerReferences(signer: SignerInfo): readonly SigningCertificateReference[] {
  const first: SigningCertificateReference[] = [];
  for (const each of readSigningCertificate(signer)) {
    // Entries of the same version are adjacent.
    if (each.version !== first.at(-1)?.version) first.push(each);
  }
  return first;
}

const versions = [2, 1] as const;

function readEntries(value: DerNode, version: 1 | 2): SigningCertificateReference[] {
  const damaged = {
    digest: undefined,
    certificateHash: new Uint8Array(0),
    issuerDer: undefined,
    serialNumber: undefined,
    version,
  };
  try {
    const [certificates, policies] = readMembers(value, 2, 'SigningCertificate');
    if (policies !== undefined) {
      for (const policy of readSequence(policies, 'policies')) readSequence(policy, 'policy');
    }
    const entries = readSequence(certificates, 'certs').map((entry) => readEntry(entry, version));
    return entries.length === 0 ? [damaged] : entries;
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return [damaged];
  }
}

function readEntry(entry: DerNode, version: 1 | 2): SigningCertificateReference {
  const [first, ...others] = readMembers(entry, 3, 'ESSCertID');
  const named = version === 2 && first?.tag === 0x30 ? first : undefined;
  const [hash, issuerSerial, further] = named === undefined ? [first, ...others] : others;
  if (further !== undefined) throw tooMany('ESSCertID');
  let issuerDer: Uint8Array | undefined;
  let serialNumber: Uint8Array | undefined;
  if (issuerSerial !== undefined) {
    const [names, serial] = readMembers(issuerSerial, 2, 'IssuerSerial');
    const [name] = readSequence(names, 'issuer').filter((form) => form.tag === 0xa4);
    if (name !== undefined) issuerDer = name.bytes.subarray(name.contentStart, name.contentEnd);
    serialNumber = readIntegerBytes(serial, 'serial number');
  }
  return {
    digest:
      version === 1
        ? 'sha1'
        : named === undefined
          ? 'sha256'
          : attemptAny(() => parseDigestAlgorithm(named)),
    certificateHash: readBytes(hash, 'certificate hash'),
    issuerDer,
    serialNumber,
    version,
  };
}

/** Programs differ on members beyond the syntax: an attribute with them is treated as corrupt. */
function readMembers(node: DerNode, most: number, what: string): readonly DerNode[] {
  const members = readSequence(node, what);
  if (members.length > most) throw tooMany(what);
  return members;
}

function tooMany(what: string): InnsigliError {
  return new InnsigliError('asn1.invalid', `${what} has more members than its syntax`);
}

const issuersAndSerials = new WeakMap<Certificate, Uint8Array>();

/** IssuerAndSerialNumber of a certificate, DER; cached. @spec RFC 5652 §10.2.4 */
export function issuerAndSerialOf(certificate: Certificate): Uint8Array {
  return getOrCompute(issuersAndSerials, certificate, ({ issuerDer, serialNumber }) =>
    der.sequence(issuerDer, der.integerFromContent(serialNumber)),
  );
}
