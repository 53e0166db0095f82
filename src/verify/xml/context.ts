import type { XmlDocument } from '../../formats/xml/index.ts';
import type { ReferenceBudget } from '../../formats/xmldsig/index.ts';
import type { StatusContext } from '../existence/index.ts';
import type { VerificationContext } from '../pdf/index.ts';
import type { DigestMemo } from './references/digest-memo.ts';
import type { CertificateIndex } from './times/certificate-index.ts';

/** Context for verifying XML signatures. */
export interface XmlVerificationContext extends VerificationContext {
  /**
   * The content of a file that a signature covers, by its URI as written (empty if the reference
   * has none). Undefined if there is none. If omitted, external references are not resolved.
   */
  findFile?(uri: string): Uint8Array | undefined;
  /** Include the digested bytes of each reference in the report, at the cost of as much memory. */
  readonly includeSignedData?: boolean;
  /** Budget shared by several documents. Default: a separate one. */
  readonly budget?: ReferenceBudget;
}

/** Shared context of all signatures of one document. */
export interface XmlContext extends StatusContext {
  readonly document: XmlDocument;
  readonly findFile: ((uri: string) => Uint8Array | undefined) | undefined;
  readonly includeSignedData: boolean;
  readonly budget: ReferenceBudget;
  /** Index of the certificates in the pool. */
  readonly certificates: CertificateIndex;
  /** Cached digests of references of the document. */
  readonly digests: DigestMemo;
}
