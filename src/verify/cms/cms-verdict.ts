import type { SignedData, SignerInfo } from '../../formats/cms/index.ts';
import type { Certificate, DigestAlgorithm } from '../../formats/x509/index.ts';
import { checkBroken, type TrustConclusion } from '../check-signer.ts';
import type { Finding } from '../report/index.ts';

/** Content of the CMS of a signature, and the result of the cryptographic checks. */
export interface CmsVerdict {
  readonly signedData?: SignedData | undefined;
  readonly signerInfo?: SignerInfo | undefined;
  /** The certificate whose key verifies the signature; undefined when none is bound to it. */
  readonly certificate?: Certificate | undefined;
  readonly intact: boolean;
  /** Not intact, and nothing refutes it either: the conclusion is INDETERMINATE. */
  readonly isOpen?: true;
  /** Set when not intact, or nothing binds the key that fits. @spec ETSI EN 319 102-1 §5.1.3 */
  readonly subIndication?: string;
  /** Binds the covered bytes: SHA-1 when the CMS carries that, else the digest of the signer. */
  readonly contentDigest?: DigestAlgorithm | undefined;
  readonly findings: readonly Finding[];
}

/** The conclusion on a signature that is not intact. */
export function checkBrokenSigner({ isOpen, subIndication }: CmsVerdict): TrustConclusion {
  if (isOpen !== true || subIndication === undefined) return checkBroken(subIndication);
  return { outcome: { indication: 'INDETERMINATE', subIndication }, trusted: false };
}
