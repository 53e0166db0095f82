import type { XmlDocument } from '../../formats/xml/index.ts';
import type { ReferenceBudget } from '../../formats/xmldsig/index.ts';
import type { StatusContext } from '../existence/index.ts';
import type { VerificationContext } from '../pdf/index.ts';
import type { DigestMemo } from './references/digest-memo.ts';
import type { CertificateIndex } from './times/certificate-index.ts';

/** Context for verifying XML signatures. */
export interface XmlVerificationContext extends VerificationContext {
  /**
   * The content of a file that a signature covers, by the URI as it is written (empty when the
   * reference has none); undefined when there is none. Not given: nothing outside is looked at.
   */
  findFile?(uri: string): Uint8Array | undefined;
  /** The report gets the bytes that each reference digests: as much memory as they need. */
  readonly includeSignedData?: boolean;
  /** Shared by several documents; without it each has its own. */
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
  /** Digests of references of the document so far. */
  readonly digests: DigestMemo;
}
