import type { ByteSource } from '../../base/bytes.ts';
import type { PdfSecurity } from './encryption/index.ts';
import type { ParsedObjects } from './parsed-objects.ts';
import type { RepairedObject } from './repair/other-readings.ts';
import type { RecoveryFinding } from './repair/recovery.ts';
import type { PdfDict, PdfObject, PdfReference, PdfStream } from './syntax/objects.ts';
import type { XrefLocation, XrefSection } from './xref/xref.ts';

/** An open PDF: objects are read on demand and cached. */
export interface PdfFile {
  /** The whole file. */
  readonly source: ByteSource;
  /** Base of offsets: bytes before the header belong to no object. */
  readonly originBytes: number;
  /** Number of bytes before the header `%PDF-`. */
  readonly leadingBytes: number;
  /** Faults of the file, and how it was read despite them; usually empty. */
  readonly findings: readonly RecoveryFinding[];
  /** Why other readers may show a different document, if known; computed on first access. */
  readonly doubt: string | undefined;
  /**
   * Streams with an incorrect length. An update writes them again, because a reader that finds an
   * intact section in it also trusts the lengths.
   */
  readonly mended: readonly RepairedObject[];
  /** Offset of the newest section, for /Prev; if undefined, an update must list every object. */
  readonly previous: number | undefined;
  /** Present if the file is encrypted. */
  readonly security: PdfSecurity | undefined;
  /** The later version of header and catalog, such as `1.7`. */
  readonly version: string;
  /** Cross-reference sections, newest first. */
  readonly sections: readonly XrefSection[];
  /** Trailer of the newest section. */
  readonly trailer: PdfDict;
  /** The next free object number: no section mentions it or a higher one. */
  readonly objectCount: number;
  readonly catalogReference: PdfReference;
  readonly catalog: PdfDict;
  /**
   * Returns the object; null if it is free or missing.
   *
   * @throws pdf.xref.invalid if another object is at its offset
   * @throws pdf.object.missing if the object stream that contains it is missing
   * @throws pdf.syntax.invalid, pdf.stream.invalid, pdf.truncated, limit.exceeded
   */
  read(reference: PdfReference): PdfObject;
  /**
   * Returns the value itself, or the target of its reference; null for undefined.
   *
   * @throws pdf.structure.invalid if references lead only to further references
   */
  resolve(value: PdfObject | undefined): PdfObject;
  /**
   * Returns the decoded data of a stream: Flate, LZW, ASCIIHex, ASCII85, RunLength.
   *
   * @throws pdf.stream.invalid, pdf.filter.unsupported, limit.exceeded
   */
  decode(stream: PdfStream): Uint8Array;
  /** Returns the location of an object; undefined if it is free or missing. */
  locate(objectNumber: number): XrefLocation | undefined;
  /**
   * Returns the file as it was when it had this many bytes, opened with the same password and not
   * repaired.
   *
   * @throws the errors of {@link openPdf}
   */
  revisionAt(lengthBytes: number): PdfFile;
  /**
   * Stops sharing parsed objects between revisions. To be called when few objects will be read in
   * several revisions from now on: storing every parsed object then costs more than parsing some
   * again.
   */
  endSharing(): void;
  /**
   * Reopens the file with the same password in strict mode.
   *
   * @throws the errors of {@link openPdf}
   */
  readStrictly(): PdfFile;
}

/** Options for opening a PDF. */
export interface OpenOptions {
  /** The user's or the owner's password; undefined for the empty one. */
  readonly password?: string;
  /**
   * Treatment of damaged cross-reference data: by default, repair when reading fails; `always`:
   * scan the whole file for its objects immediately; `never`: give up.
   */
  readonly repair?: 'always' | 'never';
  /** Reject whatever readers interpret differently, such as a duplicate key. */
  readonly strict?: boolean;
  /** The file before an update: its sections are not read again. */
  readonly earlier?: PdfFile;
  /** Read only as much as takes no noticeable time; anything longer is `limit.exceeded`. */
  readonly light?: boolean;
  /** Objects already parsed from a file that begins with these bytes: they are not parsed again. */
  readonly parsed?: ParsedObjects;
}
