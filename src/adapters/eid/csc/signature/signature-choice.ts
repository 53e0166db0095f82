import {
  type EidDigest,
  EidError,
  type EidSignatureAlgorithm,
} from '../../../../app/ports/index.ts';
import { der, oids } from '../../../../formats/asn1/index.ts';
import {
  type Certificate,
  digestLengths,
  type SignatureAlgorithm,
  serializeSignatureAlgorithm,
} from '../../../../formats/x509/index.ts';
import { publicKeyOf, responseFault } from '../../provider-answer.ts';
import type { CscSettings } from '../options.ts';

/** A signature algorithm, in the terms of the port and of the API. */
export interface SignatureChoice {
  readonly name: EidSignatureAlgorithm['name'];
  readonly digest: EidDigest;
  readonly hashAlgorithmOID: string;
  readonly signAlgo: string;
  /** Algorithm parameters, DER as base64; for RSASSA-PSS only. */
  readonly signAlgoParams?: string;
}

/** OIDs that combine scheme and digest. @spec RFC 8017 A.2.4, RFC 5758 §3.2 */
const combined = {
  'rsa-pkcs1': {
    sha256: '1.2.840.113549.1.1.11',
    sha384: '1.2.840.113549.1.1.12',
    sha512: '1.2.840.113549.1.1.13',
  },
  ecdsa: {
    sha256: '1.2.840.10045.4.3.2',
    sha384: '1.2.840.10045.4.3.3',
    sha512: '1.2.840.10045.4.3.4',
  },
} as const;

/**
 * Chooses the signature algorithm for the key of a certificate from those offered by the provider.
 *
 * @throws EidError `invalidResponse` if they do not match the certificate
 * @throws EidError `internalError` if none matches the configuration
 */
export function chooseSignature(
  { digest, rsaPadding }: Pick<CscSettings, 'digest' | 'rsaPadding'>,
  certificate: Certificate,
  offered: readonly string[],
): SignatureChoice {
  const { asymmetricKeyType: type = '' } = publicKeyOf(certificate);
  const base = { digest, hashAlgorithmOID: oids[digest] };
  if (!offered.some((oid) => fitsKey(oid, type))) {
    throw responseFault('the algorithms of the key do not match its certificate');
  }
  if (type === 'ec') {
    const signAlgo = firstOffered(offered, [combined.ecdsa[digest], oids.ecPublicKey]);
    return { ...base, name: 'ecdsa', signAlgo };
  }
  if (rsaPadding === 'pss') {
    const accepted = [oids.rsassaPss, ...(type === 'rsa' ? [oids.rsaEncryption] : [])];
    firstOffered(offered, accepted);
    const signAlgoParams = pssParameters(digest);
    return { ...base, name: 'rsa-pss', signAlgo: oids.rsassaPss, signAlgoParams };
  }
  if (type === 'rsa-pss') {
    throw new EidError('internalError', 'the key signs with PSS only: set option rsaPadding');
  }
  const signAlgo = firstOffered(offered, [combined['rsa-pkcs1'][digest], oids.rsaEncryption]);
  return { ...base, name: 'rsa-pkcs1', signAlgo };
}

function fitsKey(oid: string, type: string): boolean {
  if (type === 'ec') return oid === oids.ecPublicKey || oid.startsWith('1.2.840.10045.4.');
  if (type === 'rsa-pss') return oid === oids.rsassaPss;
  return type === 'rsa' && oid.startsWith('1.2.840.113549.1.1.');
}

function firstOffered(offered: readonly string[], wanted: readonly string[]): string {
  const found = wanted.find((oid) => offered.includes(oid));
  if (found !== undefined) return found;
  throw new EidError('internalError', 'the key offers no algorithm with the configured digest');
}

/** RSASSA-PSS-params, DER, base64. @spec RFC 4055 §3.1 */
function pssParameters(digest: EidDigest): string {
  const scheme = { scheme: 'rsa-pss', digest, saltLengthBytes: digestLengths[digest] } as const;
  const identifier = serializeSignatureAlgorithm(scheme);
  const oidLength = der.oid(oids.rsassaPss).length;
  // Tag and length of the identifier take two bytes, and the parameters follow the OID.
  return Buffer.from(identifier.subarray(2 + oidLength)).toString('base64');
}

/** The algorithm in the form used for raw signatures. */
export function algorithmOf({ name, digest }: SignatureChoice): EidSignatureAlgorithm {
  if (name !== 'rsa-pss') return { name, digest };
  return { name, digest, saltLengthBytes: digestLengths[digest] };
}

/** Whether the algorithm of a CMS is the chosen one. */
export function isChosen(
  { name, digest }: SignatureChoice,
  found: SignatureAlgorithm | undefined,
): boolean {
  if (found?.scheme !== name || found.digest !== digest) return false;
  return name !== 'rsa-pss' || found.saltLengthBytes === digestLengths[digest];
}
