import type { ByteSource } from '../../base/bytes.ts';
import type { PdfSecurity } from './encryption/index.ts';
import type { ParsedObjects } from './parsed-objects.ts';
import type { MendedObject } from './repair/other-readings.ts';
import type { RecoveryFinding } from './repair/recovery.ts';
import type { PdfDict, PdfObject, PdfReference, PdfStream } from './syntax/objects.ts';
import type { XrefLocation, XrefSection } from './xref/xref.ts';

/** An open PDF: objects are read, and remembered, when they are asked for. */
export interface PdfFile {
  /** The whole file. */
  readonly source: ByteSource;
  /** Base of offsets: bytes before the header belong to no object. */
  readonly originBytes: number;
  /** Bytes in front of the header `%PDF-`. */
  readonly leadingBytes: number;
  /** Faults of the file, and the way it was read in spite of them; usually empty. */
  readonly findings: readonly RecoveryFinding[];
  /**
   * Reason that other readers may show another document, as far as can be determined; computed on
   * first access.
   */
  readonly doubt: string | undefined;
  /**
   * Streams with a length that was wrong: an update writes them again, because who finds a sound
   * section in it trusts the lengths, too.
   */
  readonly mended: readonly MendedObject[];
  /** Offset of the newest section, for /Prev; without one an update speaks of every object. */
  readonly previous: number | undefined;
  /** Present when the file is encrypted. */
  readonly security: PdfSecurity | undefined;
  /** The later one of header and catalog, such as `1.7`. */
  readonly version: string;
  /** Cross-reference sections, newest first. */
  readonly sections: readonly XrefSection[];
  /** Trailer of the newest section. */
  readonly trailer: PdfDict;
  /** The next free object number: no section speaks of it or a higher one. */
  readonly objectCount: number;
  readonly catalogReference: PdfReference;
  readonly catalog: PdfDict;
  /**
   * The object, null when it is free or absent.
   *
   * @throws pdf.xref.invalid when another object stands where it should be
   * @throws pdf.object.missing when the object stream that holds it is absent
   * @throws pdf.syntax.invalid, pdf.stream.invalid, pdf.truncated, limit.exceeded
   */
  read(reference: PdfReference): PdfObject;
  /**
   * The value itself, or what its reference leads to; null for undefined.
   *
   * @throws pdf.structure.invalid when references lead nowhere but to references
   */
  resolve(value: PdfObject | undefined): PdfObject;
  /**
   * The data of a stream with its filters undone: Flate, LZW, ASCIIHex, ASCII85, RunLength.
   *
   * @throws pdf.stream.invalid, pdf.filter.unsupported, limit.exceeded
   */
  decode(stream: PdfStream): Uint8Array;
  /** Place of an object, undefined when it is free or absent. */
  locate(objectNumber: number): XrefLocation | undefined;
  /**
   * The file as it was when it had this many bytes, opened with the same password and not mended.
   *
   * @throws what {@link openPdf} throws
   */
  revisionAt(lengthBytes: number): PdfFile;
  /**
   * Says that hardly an object will be read in several revisions from now on: keeping all that are
   * parsed for the next revision costs more than parsing a few again.
   */
  endSharing(): void;
  /**
   * The file again, opened with the same password; reading it forgives nothing.
   *
   * @throws what {@link openPdf} throws
   */
  readStrictly(): PdfFile;
}

/** Options for opening a PDF. */
export interface OpenOptions {
  /** The user's or the owner's; undefined for the empty one. */
  readonly password?: string;
  /**
   * Treatment of damaged cross-reference data: repair it where it fails (the default), read the
   * whole file for its objects at once, or give up.
   */
  readonly repair?: 'always' | 'never';
  /** Forgive nothing that readers take in different ways, such as a key that stands twice. */
  readonly strict?: boolean;
  /** The file before an update: its sections are not read again. */
  readonly earlier?: PdfFile;
  /** Read no more than is read at once: whatever takes longer is `limit.exceeded`. */
  readonly light?: boolean;
  /** Objects of a file that begins with these bytes: they are not parsed again. */
  readonly parsed?: ParsedObjects;
}
