import type { SignedData, SignerInfo } from '../../formats/cms/index.ts';
import type { Certificate, DigestAlgorithm } from '../../formats/x509/index.ts';
import { checkBroken, type TrustConclusion } from '../check-signer.ts';
import type { Finding } from '../report/index.ts';

/** Content of the CMS of a signature, and the result of the cryptographic checks. */
export interface CmsVerdict {
  readonly signedData?: SignedData | undefined;
  readonly signerInfo?: SignerInfo | undefined;
  /** The certificate whose key verifies the signature. Undefined if none is bound to it. */
  readonly certificate?: Certificate | undefined;
  readonly intact: boolean;
  /** The signature is not intact, but not refuted either: the indication is INDETERMINATE. */
  readonly isOpen?: true;
  /** Set if not intact, or the key that verifies it is not bound. @spec ETSI EN 319 102-1 §5.1.3 */
  readonly subIndication?: string;
  /** Digest algorithm of the covered bytes: SHA-1 if the CMS embeds that, else the signer's. */
  readonly contentDigest?: DigestAlgorithm | undefined;
  readonly findings: readonly Finding[];
}

/** The conclusion on a signature that is not intact. */
export function checkBrokenSigner({ isOpen, subIndication }: CmsVerdict): TrustConclusion {
  if (isOpen !== true || subIndication === undefined) return checkBroken(subIndication);
  return { outcome: { indication: 'INDETERMINATE', subIndication }, trusted: false };
}
