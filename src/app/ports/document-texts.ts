import type { StoredContent } from './outside.ts';

/** A form field on a page, with its current value. */
export interface FieldText {
  /** Human-readable name of the field in the form; empty if it has none. */
  readonly name: string;
  readonly value: string;
}

/** Text of one page of a document. */
export interface PageText {
  /** Page number, starting at 1. */
  readonly number: number;
  /** Paragraphs in the order of the page. A line feed separates lines that do not flow together. */
  readonly paragraphs: readonly string[];
  readonly fields: readonly FieldText[];
  /** Alternative descriptions of the pictures. */
  readonly pictures: readonly string[];
  /** Whether the text was truncated. */
  readonly isCut: boolean;
}

/** Text of some pages of a document. */
export interface DocumentText {
  /** Number of pages of the whole document. */
  readonly pageCount: number;
  /** Language tag of the document, such as `en-GB`, if the document states one. */
  readonly language?: string;
  /** At most `limits.textPages` pages. */
  readonly pages: readonly PageText[];
}

/** A request for the text of a document. */
export interface TextOrder {
  readonly sha256: string;
  /** The requested page. The result contains it and the adjacent pages. */
  readonly page: number;
  /** Identifies the requester. Each may have one pending request. */
  readonly owner: string;
  /** Opens exactly the bytes with this digest. Called if the text is not cached. */
  open(): Promise<StoredContent>;
}

/** Texts of PDF documents. */
export interface DocumentTexts {
  /**
   * Returns the text of some pages. Undefined if it cannot be extracted.
   *
   * @throws service.busy if too many requests are pending, and whatever `open` throws
   */
  read(order: TextOrder): Promise<DocumentText | undefined>;
}
