import type { StoredContent } from './outside.ts';

/** A field of a form on a page, as it is filled in. */
export interface FieldText {
  /** What the form calls it for people; empty where it has no name. */
  readonly name: string;
  readonly value: string;
}

/** What one page of a document says. */
export interface PageText {
  /** From 1 on. */
  readonly number: number;
  /** Paragraphs in the order of the page; lines that belong apart have a line feed between them. */
  readonly paragraphs: readonly string[];
  readonly fields: readonly FieldText[];
  /** Descriptions of pictures that the document has for people who do not see them. */
  readonly pictures: readonly string[];
  /** There is more than is handed out. */
  readonly isCut: boolean;
}

/** Some pages of a document as text. */
export interface DocumentText {
  /** Pages of the whole document. */
  readonly pageCount: number;
  /** Language of the document where it says one: a tag such as `en-GB`. */
  readonly language?: string;
  /** At most `limits.textPages` of them. */
  readonly pages: readonly PageText[];
}

/** A document whose text is wanted. */
export interface TextOrder {
  readonly sha256: string;
  /** Page that is wanted; the answer has it and its neighbours. */
  readonly page: number;
  /** Who wants it: one order of each waits. */
  readonly owner: string;
  /** Exactly the bytes with that digest; called where the text is not known yet. */
  open(): Promise<StoredContent>;
}

/** Texts of PDF documents. */
export interface DocumentTexts {
  /**
   * The text of some pages; undefined where it cannot be read.
   *
   * @throws service.busy when too many wait, and what `open` throws
   */
  read(order: TextOrder): Promise<DocumentText | undefined>;
}
