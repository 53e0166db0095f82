import { attemptAny } from '../../base/errors.ts';
import { type DerNode, readOid, readSequence } from '../asn1/index.ts';
import {
  type DigestAlgorithm,
  parseDigestAlgorithm,
  parseSignatureAlgorithm,
} from '../x509/index.ts';

/** The digest algorithm named by a SignedData or one of its signers. */
export interface NamedDigest {
  /** Undefined if the algorithm is unknown. */
  readonly digest: DigestAlgorithm | undefined;
  readonly digestOid: string;
  /** Whether the identifier is that of a signature algorithm, whose digest is used. */
  readonly isNamedBySignature: boolean;
}

/**
 * The digest algorithm that an identifier names. Some signers put the signature algorithm here, and
 * some programs use its digest.
 *
 * @throws asn1.invalid if the element is not an AlgorithmIdentifier
 * @spec RFC 5652 §5.3, §10.1.1
 */
export function readNamedDigest(node: DerNode | undefined): NamedDigest {
  const digestOid = readOid(readSequence(node, 'digest algorithm')[0]);
  const own = attemptAny(() => parseDigestAlgorithm(node));
  const digest = own ?? digestOfSignature(node);
  return { digest, digestOid, isNamedBySignature: own === undefined && digest !== undefined };
}

/** The digest of a signature algorithm whose identifier alone determines it. */
function digestOfSignature(node: DerNode | undefined): DigestAlgorithm | undefined {
  const algorithm = attemptAny(() => parseSignatureAlgorithm(node));
  if (algorithm === undefined || withoutImpliedDigest.includes(algorithm.scheme)) return undefined;
  return algorithm.digest;
}

/** Schemes whose digest is determined by parameters or by the standard. */
const withoutImpliedDigest: readonly string[] = ['rsa-pss', 'ed25519', 'ed448'];
