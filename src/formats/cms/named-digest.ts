import { attemptAny } from '../../base/errors.ts';
import { type DerNode, readOid, readSequence } from '../asn1/index.ts';
import {
  type DigestAlgorithm,
  parseDigestAlgorithm,
  parseSignatureAlgorithm,
} from '../x509/index.ts';

/** The digest algorithm that a SignedData or one of its signers names. */
export interface NamedDigest {
  /** Undefined when nothing here knows the algorithm. */
  readonly digest: DigestAlgorithm | undefined;
  readonly digestOid: string;
  /** The identifier is that of a signature algorithm, whose digest is taken. */
  readonly isNamedBySignature: boolean;
}

/**
 * The digest algorithm that an identifier names. Some signers write the signature algorithm here,
 * and some programs take its digest.
 *
 * @throws asn1.invalid when the element is no AlgorithmIdentifier
 * @spec RFC 5652 §5.3, §10.1.1
 */
export function readNamedDigest(node: DerNode | undefined): NamedDigest {
  const digestOid = readOid(readSequence(node, 'digest algorithm')[0]);
  const own = attemptAny(() => parseDigestAlgorithm(node));
  const digest = own ?? digestOfSignature(node);
  return { digest, digestOid, isNamedBySignature: own === undefined && digest !== undefined };
}

/** The digest of a signature algorithm whose identifier alone names one. */
function digestOfSignature(node: DerNode | undefined): DigestAlgorithm | undefined {
  const algorithm = attemptAny(() => parseSignatureAlgorithm(node));
  if (algorithm === undefined || withoutOwn.includes(algorithm.scheme)) return undefined;
  return algorithm.digest;
}

/** Their digest stands in parameters or in the standard. */
const withoutOwn: readonly string[] = ['rsa-pss', 'ed25519', 'ed448'];
