import { augmentPdf as archive } from '../../app/documents/pdf/augment-pdf.ts';
import { type SealedPdf, sealPdf as seal } from '../../app/documents/pdf/seal-pdf.ts';
import { sealWithCms } from '../../app/documents/pdf/seal-with-cms.ts';
import type { VisibleSeal } from '../../app/documents/pdf/visible-seal.ts';
import { verifyDocument as verify } from '../../app/documents/verify-document.ts';
import type { FileObject } from '../../app/documents/xml/request.ts';
import { memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import type { SealLevel } from '../../base/level.ts';
import { type TakenDocument, takenBytes, takenDocument } from '../../base/taken.ts';
import type { CmsSigner, Signer } from '../../seal/ports.ts';
import type { CmsSubFilter } from '../../seal/signature-dictionary.ts';
import type { PdfVerificationReport, VerificationReport } from '../../verify/report.ts';
import { loadFonts } from '../fonts.ts';
import { checkerOf } from '../parties/checker.ts';
import {
  type CertificateInput,
  certificatesOf,
  type DocumentOptions,
  defaultLevel,
  type LongTermOptions,
  portsOf,
} from './ports.ts';
import type { SealedDocument } from './sealed-document.ts';
import { takeOptions } from './take-arguments.ts';
import { takeClock, takeCmsSigner, takeSigner, timeOf } from './take-ports.ts';

/** How to seal. */
export interface SealPdfOptions extends LongTermOptions {
  readonly signer: Signer;
  /** B-LTA with a time-stamp authority and a revocation source, else it must be named. */
  readonly level?: SealLevel;
  /** An empty signature field of the document, or the name of a new one. */
  readonly field?: string;
  readonly reason?: string;
  readonly location?: string;
  readonly name?: string;
  readonly contact?: string;
  /** Certify: 1 no changes, 2 form filling and signing, 3 annotations too. */
  readonly certify?: 1 | 2 | 3;
  /** Make a new field although the encrypted document permits its users to fill fields only. */
  readonly ignorePermissions?: boolean;
  /** How the seal is seen; false: never drawn, not even in an existing field with an area. */
  readonly visible?: VisibleSeal | false;
}

/** How to verify. */
export interface VerifyOptions extends DocumentOptions {
  /** Trust anchors; without any, no signature can be more than INDETERMINATE. */
  readonly trust?: readonly CertificateInput[];
  /** Further certificates for building paths. */
  readonly certificates?: readonly CertificateInput[];
  /** Files that a detached XML signature refers to. */
  readonly detached?: readonly FileObject[];
  /** Give the bytes that each reference of an XML signature covers. */
  readonly includeSignedData?: boolean;
  /**
   * Ask another implementation, xmldsigjs, about XML signatures, too: one that passes here and not
   * there is INDETERMINATE, and a finding says what it says of each; false when left out.
   */
  readonly secondOpinion?: boolean;
  /** Time of verification; now when left out. */
  readonly at?: Date;
}

/**
 * Seals a PDF and gives the sealed bytes, verified.
 *
 * @throws InnsigliError with a code of the registry; nothing is half done
 */
export async function sealPdf(
  pdf: Uint8Array,
  given: SealPdfOptions,
): Promise<SealedDocument<PdfVerificationReport>> {
  const document = takenDocument(pdf);
  const options = takeOptions('sealPdf', given);
  const parties = portsOf(options);
  const ports = { ...parties, signer: takeSigner(options.signer), fonts: loadFonts };
  const { level = defaultLevel(options), field, reason, location, name, contact } = options;
  const { certify, visible, password, ignorePermissions } = options;
  const details = { field, reason, location, name, contact, certify, visible };
  const source = memorySource(document.bytes);
  const request = { source, level, password, ignorePermissions, ...details };
  return new VerifiedSeal(document, await seal(request, ports));
}

class VerifiedSeal implements SealedDocument<PdfVerificationReport> {
  readonly bytes: Uint8Array;
  readonly level: SealLevel;
  readonly sealCount: number;
  readonly warnings: readonly string[];
  readonly #report: () => PdfVerificationReport;

  constructor(document: TakenDocument, sealed: SealedPdf) {
    const { source, tail, level, sealCount, warnings, report } = sealed;
    this.bytes = source.bytes ?? document.followedBy(tail);
    this.level = level;
    this.sealCount = sealCount;
    this.warnings = warnings;
    this.#report = report;
  }

  get report(): PdfVerificationReport {
    return this.#report();
  }
}

/** How to seal with a CMS that somebody else makes. */
export interface SealWithCmsOptions extends DocumentOptions {
  readonly signer: CmsSigner;
  /** What the CMS is: CAdES for PAdES, or plain CMS, which is assumed. */
  readonly subFilter?: CmsSubFilter;
  /** Trust anchors for the report. */
  readonly trust?: readonly CertificateInput[];
  readonly field?: string;
  readonly reason?: string;
  readonly location?: string;
  readonly name?: string;
  readonly contact?: string;
  /** Clock; the system's when left out. */
  readonly now?: () => Date;
}

/**
 * Seals a PDF with a CMS from a foreign signer, such as one of `@signpdf`, and verifies the
 * result. Its level is in the report: absent when the CMS is no baseline signature.
 *
 * @throws InnsigliError with a code of the registry; nothing is half done
 */
export async function sealPdfWithCms(
  pdf: Uint8Array,
  given: SealWithCmsOptions,
): Promise<Omit<SealedDocument<PdfVerificationReport>, 'level'>> {
  const document = takenDocument(pdf);
  const options = takeOptions('sealPdfWithCms', given);
  const signer = takeCmsSigner(options.signer);
  const { signer: _, subFilter = 'adbe.pkcs7.detached', trust, now, ...details } = options;
  const sealed = await sealWithCms(
    { source: memorySource(document.bytes), subFilter, ...details },
    { signer, anchors: certificatesOf(trust), now: takeClock(now) },
  );
  const { report, warnings } = sealed;
  return { bytes: document.followedBy(sealed.tail), report, warnings };
}

/**
 * Brings a signed PDF to level B-LTA, or renews it, and gives the new bytes, verified.
 *
 * @throws InnsigliError with a code of the registry; nothing is half done
 */
export async function augmentPdf(
  pdf: Uint8Array,
  given: LongTermOptions,
): Promise<SealedDocument<PdfVerificationReport>> {
  const document = takenDocument(pdf);
  const options = takeOptions('augmentPdf', given);
  const open = defined({ password: options.password });
  const archived = await archive(memorySource(document.bytes), portsOf(options), open);
  const { level, report, warnings } = archived;
  return { bytes: document.followedBy(archived.tail), level, report, warnings };
}

/**
 * Checks every signature of a document. A negative conclusion is a value of the report.
 *
 * @throws InnsigliError `pdf.*`, `xml.*`, `container.*` when the document cannot be read at all
 */
export async function verifyDocument(
  document: Uint8Array,
  given: VerifyOptions = {},
): Promise<VerificationReport> {
  const bytes = takenBytes('the document', document);
  const options = takeOptions('verifyDocument', given);
  return verify({
    source: memorySource(bytes),
    anchors: certificatesOf(options.trust),
    certificates: certificatesOf(options.certificates).map(({ der }) => der),
    nowMs: timeOf('at', options.at ?? new Date()),
    detached: options.detached ?? [],
    includeSignedData: options.includeSignedData === true,
    ...(await checkerOf(options.secondOpinion)),
    ...defined({ password: options.password }),
  });
}
