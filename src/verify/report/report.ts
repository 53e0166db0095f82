import type { ErrorCode } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import type { RevocationMode } from '../../base/revocation-mode.ts';
import type { BuildingBlockName } from '../../base/words/index.ts';
import type { Finding } from '../findings/index.ts';
import type { QualificationReport } from '../qualification/index.ts';

export type { BuildingBlockName } from '../../base/words/index.ts';
export type { Finding, FindingCode, Severity } from '../findings/index.ts';

/** Main indications. @spec ETSI EN 319 102-1 §5.1.3 */
export type Indication = 'TOTAL-PASSED' | 'INDETERMINATE' | 'TOTAL-FAILED';

/** Signer of a signature, as stated in the certificate. */
export interface SignerSummary {
  /** RFC 4514 text. */
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** ISO 8601. */
  readonly notBefore: string;
  readonly notAfter: string;
  /**
   * Kind of person that the certificate identifies. Absent if it does not state it.
   *
   * @spec ETSI EN 319 412-2 §4.2.4, EN 319 412-3 §4.2.1, EN 319 412-5 §4.2.3
   */
  readonly holder?: 'natural-person' | 'legal-person';
}

/** A time-stamp over a signature or a document. */
export interface TimestampSummary {
  /**
   * Covered data of the time-stamp: the signature value (`signature`); everything up to it
   * (`archive`); the data before it was signed (`content`); the references to validation data
   * (`references`). Omitted in a PDF, where it is the signature value.
   */
  readonly covers?: 'signature' | 'archive' | 'content' | 'references';
  /** Time stated by the token, ISO 8601. Empty if the token cannot be read. */
  readonly time: string;
  readonly authority: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly valid: boolean;
  readonly trusted: boolean;
  /** RFC 4514 name of the anchor that makes it trusted. */
  readonly anchor?: string;
  /** Code of the reason why it is not valid; `tsa.imprint.unknown` if this is undecided. */
  readonly problem?: string;
  /**
   * Sub-indication if its time proves nothing although it is valid and trusted, because a digest is
   * too weak or the authority has expired. Absent if the time counts.
   *
   * @spec ETSI EN 319 102-1 §5.4
   */
  readonly timeProblem?: string;
  /** Reason why it is not valid or not trusted, or why its time proves nothing. */
  readonly message?: string;
  /** Qualification according to trusted lists. Absent if none were given. */
  readonly qualification?: QualificationReport;
}

/**
 * The conclusion of one building block, and the constraint that decided it.
 *
 * @spec ETSI EN 319 102-1 §5.2, §5.6.2
 */
export interface BuildingBlock {
  readonly name: BuildingBlockName;
  /** `NOT-RUN`: an earlier conclusion is final, or there is nothing to check. */
  readonly indication: 'PASSED' | 'INDETERMINATE' | 'FAILED' | 'NOT-RUN';
  readonly subIndication?: string;
  /** Code of the decisive finding or check. */
  readonly constraint: string;
  /** Human-readable description of what was expected and found. */
  readonly message: string;
}

/** Report members common to signatures of all formats. */
export interface SignatureConclusion {
  readonly indication: Indication;
  /** @spec ETSI EN 319 102-1 §5.1.3 */
  readonly subIndication?: string;
  /** Level that the signature reaches in this file. Absent if it is not a baseline signature. */
  readonly level?: SealLevel;
  /** Digest and signature value match the covered bytes. Absent if the algorithm is unsupported. */
  readonly intact?: boolean;
  /** A path leads to a given anchor at the best-signature-time. */
  readonly trusted: boolean;
  readonly algorithm?: string;
  readonly signer?: SignerSummary;
  /** RFC 4514 name of the anchor that makes it trusted. */
  readonly anchor?: string;
  /** Signing time claimed by the signer, ISO 8601. */
  readonly claimedTime?: string;
  /** The earliest proven time, or else the time of verification, ISO 8601. */
  readonly bestTime: string;
  /** True if a time-stamp proves `bestTime`; otherwise it is the time of verification. */
  readonly timeProved: boolean;
  readonly timestamps: readonly TimestampSummary[];
  /** Qualification according to trusted lists. Absent if none were given. */
  readonly qualification?: QualificationReport;
  readonly findings: readonly Finding[];
  /** The building blocks of this conclusion. Present in reports of `verify`. */
  readonly buildingBlocks?: readonly BuildingBlock[];
}

/** The conclusion on a signature over the value of another signature. */
export interface CountersignatureReport extends SignatureConclusion {
  /** Index of the countersignature that it covers. Absent if it covers the signature itself. */
  readonly countersigns?: number;
}

/**
 * Level of changes by updates after a signature. Each level includes the previous ones: `none`;
 * `long-term-data` (validation data, document time-stamps); `form-filling` (fields, signatures,
 * document metadata); `annotations` (comments); `other`, which is never permitted.
 *
 * @spec ISO 32000-2 §12.8.2.2.2
 */
export type ChangeLevel = 'none' | 'long-term-data' | 'form-filling' | 'annotations' | 'other';

/**
 * Kind of a change: `validation-data`, `timestamp`, `signature` and `field` (an added empty field)
 * leave the visible content unchanged; `description` is not displayed on any page; `value` is a
 * filled-in value.
 */
export type ChangeKind =
  | 'validation-data'
  | 'timestamp'
  | 'signature'
  | 'field'
  | 'description'
  | 'value'
  | 'annotation'
  | 'other';

/** One change by updates after a signature. */
export interface ChangeReport {
  readonly level: Exclude<ChangeLevel, 'none'>;
  readonly kind: ChangeKind;
  /** Readable description of the change, with page and field. */
  readonly message: string;
  /** Page on which it is visible, counted from 1. Absent if it is not visible. */
  readonly page?: number;
  /** Fully qualified name of the field. */
  readonly field?: string;
}

/** Changes by updates after a signature, compared with its permissions. */
export interface ChangesReport {
  readonly level: ChangeLevel;
  /** True if all changes are permitted, by the signature and by the certification. */
  readonly permitted: boolean;
  /** The changes, at most 64, starting with those that are not permitted. */
  readonly list: readonly ChangeReport[];
}

/** The conclusion on one signature or document time-stamp of a PDF. */
export interface SignatureReport extends SignatureConclusion {
  readonly kind: 'signature' | 'document-timestamp';
  /** Fully qualified field name. */
  readonly field: string;
  readonly subFilter: string;
  /**
   * `whole-file`: every byte except the signature value itself; `revision`: the file as it was when
   * signed, followed by later updates; `partial`: other bytes are not covered.
   */
  readonly coverage: 'whole-file' | 'revision' | 'partial';
  readonly byteRange: readonly number[];
  /** Name of the signer as stated in the document. The certificate is authoritative. */
  readonly name?: string;
  /**
   * The person who signed, as stated by the certificate holder: `name` if the signature covers it,
   * a path leads to an anchor, and the certificate has a different name. Only the certificate
   * holder vouches for this, not a certificate of that person.
   */
  readonly statedSigner?: string;
  readonly reason?: string;
  readonly location?: string;
  /** DocMDP permission if this is a certification signature. */
  readonly certifies?: 1 | 2 | 3;
  /** Changes by updates after it. Absent if it does not cover its own revision completely. */
  readonly changes?: ChangesReport;
}

/** A data object that an XML signature covers or claims to cover. */
export interface ReferenceReport {
  /** URI as written. Undefined if the reference has none. */
  readonly uri: string | undefined;
  /** `Type` of the reference, as written. */
  readonly type?: string;
  /**
   * `document`: the whole document except signatures; `element`: a part of it; `signature`: an
   * object in the signature; `properties`: claims of the signer about the signature; `key`: the key
   * information; `file`: an external file; `manifest`: a list of further references, which follow
   * with `listedBy`; `nothing`: the digest matches, but the transforms select nothing.
   */
  readonly scope:
    | 'document'
    | 'element'
    | 'signature'
    | 'properties'
    | 'key'
    | 'file'
    | 'manifest'
    | 'nothing';
  /** Name of the covered element or file. */
  readonly target?: string;
  /** URI of the manifest that lists it. Absent if the signature itself does. */
  readonly listedBy?: string;
  readonly digest: string;
  /** `valid`, `changed`, `missing` (target not found), `refused` (must not be processed). */
  readonly status: 'valid' | 'changed' | 'missing' | 'refused';
  /** Reason why it is not valid. */
  readonly message?: string;
  /** The digested bytes, if requested. */
  readonly bytes?: Uint8Array;
}

/** The conclusion on one XML signature. */
export interface XmlSignatureReport extends SignatureConclusion {
  readonly kind: 'signature';
  readonly form: 'xades' | 'xmldsig';
  /** `Id` of the signature. */
  readonly id?: string;
  /** Byte offset in the document at which the signature starts. */
  readonly offsetBytes: number;
  /** File of a container with the signature. */
  readonly file?: string;
  /**
   * `document`: the whole document except signatures is covered; `partial`: some of its elements;
   * `none`: nothing of the surrounding document (enveloping and detached signatures).
   */
  readonly coverage: 'document' | 'partial' | 'none';
  readonly references: readonly ReferenceReport[];
  readonly roles?: readonly string[];
  /** Parts of the signature production place: city, state, postal code, country. */
  readonly location?: string;
  readonly commitments?: readonly string[];
  /** Identifier of the signature policy, which is reported but not checked. */
  readonly policy?: string;
  /** Conclusions on signatures over the value of this one. They do not affect its conclusion. */
  readonly countersignatures?: readonly CountersignatureReport[];
}

/** The conclusion on one CMS signature outside a PDF. */
export interface CmsSignatureReport extends SignatureConclusion {
  readonly kind: 'signature' | 'document-timestamp';
  readonly form: 'cades' | 'cms' | 'timestamp';
  /** File of the container with the signature. */
  readonly file?: string;
  /** Files that it covers, directly or by way of a manifest. */
  readonly references: readonly ReferenceReport[];
  /** Conclusions on signatures over the value of this one. They do not affect its conclusion. */
  readonly countersignatures?: readonly CountersignatureReport[];
}

/**
 * Part of a document that its passed signatures (TOTAL-PASSED) cover.
 *
 * - `full`: all of it. A PDF: a signature covers the file, or a revision after which only
 *   signatures, time-stamps and validation data were added, and nothing was filled in. XML: a
 *   signature covers the root and everything in it except signatures; if the root is itself the
 *   signature, everything enveloped by it, or detached files. A CMS file: its content, embedded or
 *   detached. A container: each data file is completely covered by one of the signatures.
 * - `partial`: some elements or files.
 * - `none`: nothing, or no signature passed.
 *
 * If there are no signatures, time-stamps count.
 */
export type DocumentCoverage = 'full' | 'partial' | 'none';

/** A request for the revocation status of a certificate. */
export interface RevocationInquiry {
  /** RFC 4514 name of the certificate. */
  readonly certificate: string;
  /** `OCSP http://…`, `CRL http://…`, or the name of a source. */
  readonly source: string;
  /** True if a readable response was received; the conclusions state whether it counts. */
  readonly answered: boolean;
  /** Reason why there is no response. */
  readonly message?: string;
}

/** Revocation mode, and the requests sent. */
export interface RevocationReport {
  readonly mode: RevocationMode;
  /** Requests sent with `online`, in this order. */
  readonly asked: readonly RevocationInquiry[];
}

/** Members of every report of `verify`. */
export interface ReportFrame {
  /** Version of this report format. */
  readonly v: 1;
  /**
   * The worst indication of all signatures; INDETERMINATE if there are none. An archive time-stamp
   * of a container is not counted separately from what it preserves: an invalid one proves nothing
   * and lowers the level.
   */
  readonly indication: Indication;
  /** Part of the document that the passed signatures cover. */
  readonly coverage: DocumentCoverage;
  /** ISO 8601. */
  readonly verifiedAt: string;
  /** Revocation mode and requests. Absent in the report on a new seal. */
  readonly revocation?: RevocationReport;
  /** True if a signature or time-stamp is trusted through TEST ONLY keys, of no legal value. */
  readonly testOnly?: true;
  /** Checks that this version does not perform: read them before relying on the report. */
  readonly notJudged: readonly string[];
}

/** Verification report for a PDF. */
export interface PdfVerificationReport extends ReportFrame {
  readonly format: 'pdf';
  readonly signatures: readonly SignatureReport[];
  /** Fields whose signatures an update removed. Absent if the document still has a signature. */
  readonly removedSignatures?: readonly string[];
  /**
   * Objects with a signature that no form field refers to (`object 7`). Absent if the document has
   * any other signature. They were not verified.
   */
  readonly unnamedSignatures?: readonly string[];
  /** Bytes after everything that intact signatures cover: the whole file if none is intact. */
  readonly uncoveredBytes: number;
}

/** Verification report for an XML document. */
export interface XmlVerificationReport extends ReportFrame {
  readonly format: 'xml';
  readonly signatures: readonly XmlSignatureReport[];
}

/** A file of a container. */
export interface ContainerFile {
  readonly name: string;
  readonly lengthBytes: number;
  /** True if an intact signature covers it. */
  readonly covered: boolean;
}

/** Verification report for an ASiC container. */
export interface ContainerVerificationReport extends ReportFrame {
  readonly format: 'asic-s' | 'asic-e';
  readonly signatures: readonly (XmlSignatureReport | CmsSignatureReport)[];
  /** All files but those of the container format. Foreign META-INF files are never covered. */
  readonly files: readonly ContainerFile[];
}

/** Verification report for a separate CMS or CAdES file. */
export interface CmsVerificationReport extends ReportFrame {
  readonly format: 'cms';
  readonly signatures: readonly CmsSignatureReport[];
  /** True if the content is embedded in the file; otherwise it is detached. */
  readonly enveloping: boolean;
}

/** The report of `verify`. A negative conclusion is never an error. */
export type VerificationReport =
  | PdfVerificationReport
  | XmlVerificationReport
  | ContainerVerificationReport
  | CmsVerificationReport;

/** The error code for a document without signatures. Undefined if it has one. */
export function noSignatureCode({
  format,
  signatures,
}: Pick<VerificationReport, 'format' | 'signatures'>): ErrorCode | undefined {
  if (signatures.length > 0) return undefined;
  if (format === 'pdf') return 'pdf.signature.none';
  if (format === 'cms') return 'cms.signature.none';
  return format === 'xml' ? 'xml.signature.none' : 'container.signature.none';
}
