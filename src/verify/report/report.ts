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

/** Signer of a signature, read from the certificate. */
export interface SignerSummary {
  /** RFC 4514 text. */
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** ISO 8601. */
  readonly notBefore: string;
  readonly notAfter: string;
  /**
   * The kind of person that the certificate names. Absent where it does not say.
   *
   * @spec ETSI EN 319 412-2 §4.2.4, EN 319 412-3 §4.2.1, EN 319 412-5 §4.2.3
   */
  readonly holder?: 'natural-person' | 'legal-person';
}

/** A time-stamp over a signature or a document. */
export interface TimestampSummary {
  /**
   * Signed content of the time-stamp: the signature value; everything up to it (`archive`); the
   * data before it was signed (`content`); the references to validation data (`references`). Left
   * out in a PDF, where it is the signature value.
   */
  readonly covers?: 'signature' | 'archive' | 'content' | 'references';
  /** Time that it states, ISO 8601; empty when the token cannot be read. */
  readonly time: string;
  readonly authority: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly valid: boolean;
  readonly trusted: boolean;
  /** RFC 4514 name of the anchor that makes it trusted. */
  readonly anchor?: string;
  /** Code of why it is not valid; `tsa.imprint.unknown` when that is left open. */
  readonly problem?: string;
  /**
   * Sub-indication of why its time proves nothing, though it is valid and trusted: a digest that
   * is too weak, an authority that expired. Absent when the time counts.
   *
   * @spec ETSI EN 319 102-1 §5.4
   */
  readonly timeProblem?: string;
  /** Reason that it is not valid or not trusted, or that its time proves nothing. */
  readonly message?: string;
  /** Qualification by trusted lists; absent if none were given. */
  readonly qualification?: QualificationReport;
}

/**
 * The conclusion of one building block, and what decided it.
 *
 * @spec ETSI EN 319 102-1 §5.2, §5.6.2
 */
export interface BuildingBlock {
  readonly name: BuildingBlockName;
  /** `NOT-RUN`: an earlier conclusion left nothing to decide, or there is nothing to check. */
  readonly indication: 'PASSED' | 'INDETERMINATE' | 'FAILED' | 'NOT-RUN';
  readonly subIndication?: string;
  /** Code of the finding or of the check that decided. */
  readonly constraint: string;
  /** Expected and found, for people. */
  readonly message: string;
}

/** Members of the report on every signature, in any format. */
export interface SignatureConclusion {
  readonly indication: Indication;
  /** @spec ETSI EN 319 102-1 §5.1.3 */
  readonly subIndication?: string;
  /** Level that the signature reaches in this file; absent when it is no baseline signature. */
  readonly level?: SealLevel;
  /**
   * Digest and signature value fit the covered bytes. Absent when nothing here knows the
   * algorithm: then nothing was refuted.
   */
  readonly intact?: boolean;
  /** A path leads to a given anchor at the best time known. */
  readonly trusted: boolean;
  readonly algorithm?: string;
  readonly signer?: SignerSummary;
  /** RFC 4514 name of the anchor that makes it trusted. */
  readonly anchor?: string;
  /** Signing time claimed by the signer, ISO 8601. */
  readonly claimedTime?: string;
  /** The earliest time that is proved, else the time of verification, ISO 8601. */
  readonly bestTime: string;
  /** True when a time-stamp proves `bestTime`; else it is the time of verification. */
  readonly timeProved: boolean;
  readonly timestamps: readonly TimestampSummary[];
  /** Qualification by trusted lists; absent if none were given. */
  readonly qualification?: QualificationReport;
  readonly findings: readonly Finding[];
  /** The building blocks of this conclusion, where `verify` was asked. */
  readonly buildingBlocks?: readonly BuildingBlock[];
}

/** The conclusion on a signature over the value of another. */
export interface CountersignatureReport extends SignatureConclusion {
  /** Place in the list of the one whose value it is over; absent: that of the signature itself. */
  readonly countersigns?: number;
}

/**
 * Level of changes by updates after a signature, each including those before it: `none`;
 * `long-term-data` (validation data, document time-stamps); `form-filling` (fields, signatures,
 * metadata of the document); `annotations` (comments); `other`, which nothing permits.
 *
 * @spec ISO 32000-2 §12.8.2.2.2
 */
export type ChangeLevel = 'none' | 'long-term-data' | 'form-filling' | 'annotations' | 'other';

/**
 * Kind of a change: `validation-data`, `timestamp`, `signature` and `field` (an empty one that was
 * added) leave the visible content unchanged; `description` is not shown on any page; `value` is a
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

/** One thing that updates after a signature changed. */
export interface ChangeReport {
  readonly level: Exclude<ChangeLevel, 'none'>;
  readonly kind: ChangeKind;
  /** The change in words: by page and field. */
  readonly message: string;
  /** Page on which it shows, counted from 1; absent when it shows on none. */
  readonly page?: number;
  /** Fully qualified name of the field. */
  readonly field?: string;
}

/** Changes by updates after a signature, compared with its permissions. */
export interface ChangesReport {
  readonly level: ChangeLevel;
  /** True when all of it is permitted: by the signature, and by the certification. */
  readonly permitted: boolean;
  /** The changes, those that are not permitted first; at most 64. */
  readonly list: readonly ChangeReport[];
}

/** The conclusion on one signature or document time-stamp of a PDF. */
export interface SignatureReport extends SignatureConclusion {
  readonly kind: 'signature' | 'document-timestamp';
  /** Fully qualified field name. */
  readonly field: string;
  readonly subFilter: string;
  /**
   * `whole-file`: every byte but the signature value itself; `revision`: the file as it was at
   * signing, later updates follow; `partial`: something else was left out.
   */
  readonly coverage: 'whole-file' | 'revision' | 'partial';
  readonly byteRange: readonly number[];
  /** In whose name it was made, as the document says it; the certificate says who did it. */
  readonly name?: string;
  /**
   * The person who signed, as the holder of the certificate states: `name` where the signature
   * covers it, a path leads to an anchor, and the certificate names somebody else. The holder
   * vouches for it; no certificate of that person does.
   */
  readonly statedSigner?: string;
  readonly reason?: string;
  readonly location?: string;
  /** DocMDP permission, when this is a certification signature. */
  readonly certifies?: 1 | 2 | 3;
  /** Changes by updates after it; absent if it does not cover all of its own revision. */
  readonly changes?: ChangesReport;
}

/** One thing that an XML signature covers, or claims to. */
export interface ReferenceReport {
  /** As written; undefined when the reference has none. */
  readonly uri: string | undefined;
  /** `Type` of the reference, as written. */
  readonly type?: string;
  /**
   * `document`: the whole document but signatures; `element`: a part of it; `signature`: an object
   * inside the signature; `properties`: claims of the signer about the signature; `key`: the key
   * information; `file`: something outside the document; `manifest`: a list of further references,
   * which follow with `listedBy`; `nothing`: the digest is right, but its transforms leave nothing.
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
  /** Name of the element that is covered, or of the file. */
  readonly target?: string;
  /** URI of the manifest that lists it; absent when the signature itself does. */
  readonly listedBy?: string;
  readonly digest: string;
  /** `valid`, `changed`, `missing` (nothing there), `refused` (may not be processed). */
  readonly status: 'valid' | 'changed' | 'missing' | 'refused';
  /** Reason that it is not valid. */
  readonly message?: string;
  /** The bytes that were digested, when they were asked for. */
  readonly bytes?: Uint8Array;
}

/** The conclusion on one XML signature. */
export interface XmlSignatureReport extends SignatureConclusion {
  readonly kind: 'signature';
  readonly form: 'xades' | 'xmldsig';
  /** `Id` of the signature. */
  readonly id?: string;
  /** Byte of the document at which the signature starts. */
  readonly offsetBytes: number;
  /** File of a container that holds the signature. */
  readonly file?: string;
  /**
   * `document`: all of the document but signatures is covered; `partial`: elements of it;
   * `none`: nothing of the document around it (enveloping and detached signatures).
   */
  readonly coverage: 'document' | 'partial' | 'none';
  readonly references: readonly ReferenceReport[];
  readonly roles?: readonly string[];
  /** Parts of the signature production place: city, state, postal code, country. */
  readonly location?: string;
  readonly commitments?: readonly string[];
  /** Identifier of the signature policy; it is shown, not checked. */
  readonly policy?: string;
  /** Conclusions on signatures over the value of this one: they change nothing of its own. */
  readonly countersignatures?: readonly CountersignatureReport[];
}

/** The conclusion on one CMS signature outside a PDF. */
export interface CmsSignatureReport extends SignatureConclusion {
  readonly kind: 'signature' | 'document-timestamp';
  readonly form: 'cades' | 'cms' | 'timestamp';
  /** File of the container that holds the signature. */
  readonly file?: string;
  /** Files that it covers, by way of a manifest or itself. */
  readonly references: readonly ReferenceReport[];
  /** Conclusions on signatures over the value of this one: they change nothing of its own. */
  readonly countersignatures?: readonly CountersignatureReport[];
}

/**
 * Part of a document that its passed signatures (TOTAL-PASSED) cover.
 *
 * - `full`: all of it. A PDF: one covers the file, or a revision behind which only signatures,
 *   time-stamps and validation data were added, and nothing was filled in. XML: one covers the
 *   root and all in it but signatures; where the root is itself the signature, everything that is
 *   put into it, or files outside. A CMS file: its content, in it or beside it. A container: each
 *   data file is covered by one of them, from first to last byte.
 * - `partial`: some elements or files.
 * - `none`: nothing, also when no signature passed.
 *
 * Time-stamps count where nobody signed.
 */
export type DocumentCoverage = 'full' | 'partial' | 'none';

/** An address or source that was asked for the status of a certificate. */
export interface RevocationInquiry {
  /** RFC 4514 name of the certificate. */
  readonly certificate: string;
  /** `OCSP http://…`, `CRL http://…`, or the name of a source. */
  readonly source: string;
  /** True when something came that could be read; whether it counts is for the conclusions. */
  readonly answered: boolean;
  /** Reason for the missing response. */
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
  /** Version of this shape. */
  readonly v: 1;
  /**
   * The worst of all signatures; INDETERMINATE when there is none. An archive time-stamp of a
   * container does not count beside what it preserves: broken, it proves nothing, and levels fall.
   */
  readonly indication: Indication;
  /** Part of the document that the passed signatures cover. */
  readonly coverage: DocumentCoverage;
  /** ISO 8601. */
  readonly verifiedAt: string;
  /** Revocation mode and requests; absent in the report on a new seal. */
  readonly revocation?: RevocationReport;
  /** True when a signature or time-stamp is trusted through TEST ONLY keys, of no legal value. */
  readonly testOnly?: true;
  /** Checks that this version does not make: read it before you rely on the report. */
  readonly notJudged: readonly string[];
}

/** The answer for a PDF. */
export interface PdfVerificationReport extends ReportFrame {
  readonly format: 'pdf';
  readonly signatures: readonly SignatureReport[];
  /** Fields whose signatures an update removed; absent while the document has any signature. */
  readonly removedSignatures?: readonly string[];
  /**
   * Objects with a signature that no field of the form names (`object 7`); absent while the
   * document has any other. Nothing was verified of them.
   */
  readonly unnamedSignatures?: readonly string[];
  /** Bytes behind all that intact signatures cover: the whole file when none is intact. */
  readonly uncoveredBytes: number;
}

/** The answer for an XML document. */
export interface XmlVerificationReport extends ReportFrame {
  readonly format: 'xml';
  readonly signatures: readonly XmlSignatureReport[];
}

/** A file of a container. */
export interface ContainerFile {
  readonly name: string;
  readonly lengthBytes: number;
  /** True when an intact signature covers it. */
  readonly covered: boolean;
}

/** The answer for an ASiC container. */
export interface ContainerVerificationReport extends ReportFrame {
  readonly format: 'asic-s' | 'asic-e';
  readonly signatures: readonly (XmlSignatureReport | CmsSignatureReport)[];
  /** All but those that make the container; a stranger in META-INF is one, and never covered. */
  readonly files: readonly ContainerFile[];
}

/** The answer for a CMS or CAdES signature in a file of its own. */
export interface CmsVerificationReport extends ReportFrame {
  readonly format: 'cms';
  readonly signatures: readonly CmsSignatureReport[];
  /** True when the content stands in the file; else it is beside it. */
  readonly enveloping: boolean;
}

/** The answer of `verify`: never an error for a negative conclusion. */
export type VerificationReport =
  | PdfVerificationReport
  | XmlVerificationReport
  | ContainerVerificationReport
  | CmsVerificationReport;

/** The error code for a document without signatures; undefined when it has one. */
export function noSignatureCode({
  format,
  signatures,
}: Pick<VerificationReport, 'format' | 'signatures'>): ErrorCode | undefined {
  if (signatures.length > 0) return undefined;
  if (format === 'pdf') return 'pdf.signature.none';
  if (format === 'cms') return 'cms.signature.none';
  return format === 'xml' ? 'xml.signature.none' : 'container.signature.none';
}
