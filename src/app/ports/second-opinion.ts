import type { SecondOpinion } from '../../verify/second-opinion.ts';

export type { SecondOpinion };

/** Which signature of a document is asked about. */
export interface SignatureQuestion {
  /** Of the `Signature` elements of XML-Signature, in document order: 0 for the first. */
  readonly index: number;
  /** Of the certificate whose key must fit, hexadecimal; absent when the key stands alone. */
  readonly serialNumber?: string;
}

/** Another implementation of XML signatures. */
export interface XmlSignatureChecker {
  /** What it says of each signature; never throws for a document that it cannot take. */
  check(
    xml: Uint8Array,
    questions: readonly SignatureQuestion[],
  ): Promise<readonly SecondOpinion[]>;
}
