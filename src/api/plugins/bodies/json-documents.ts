import { limits } from '../../../base/limits.ts';
import { Base64Bytes, type DecodedDocument } from './base64-bytes.ts';
import { tooManyValues } from './json-text.ts';

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
/** Members whose text is a document in base64, in lower case. */
const documentNames: ReadonlySet<string> = new Set([
  'pdfdocument',
  'xmldocument',
  'document',
  'filecontent',
]);
const NAME_BYTES_MAX = 16;
/** Stands in for a name that is longer than all of them. */
const tooLong = '-'.repeat(NAME_BYTES_MAX + 1);
/** Shorter texts are left in the JSON. */
const DOCUMENT_CHARACTERS_MIN = 32 * 1024;

/** JSON that arrived in chunks, and the long documents in it. */
export interface ExtractedJson {
  /** The JSON with a placeholder for each document. */
  readonly text: Buffer;
  /** Documents by their placeholders. */
  readonly documents: ReadonlyMap<string, Buffer | undefined>;
}

/** The placeholder of a document: no other text of a request has this prefix. */
export function placeholderOf(sha256: string): string {
  return `\u0000sha256:${sha256}`;
}

/** Placeholder of a text that is not base64: its start could be a document by itself. */
const noDocument = placeholderOf('none');

/** True for a text that is a placeholder, or could be taken for one. */
export function isPlaceholder(text: string): boolean {
  return text.startsWith('\u0000');
}

/**
 * Extracts the documents from JSON as it arrives, so that neither their text nor the whole text is
 * ever in memory. Invalid JSON is left for the parser to report.
 */
export class JsonDocuments {
  readonly #parts: Buffer[] = [];
  readonly #documents = new Map<string, Buffer | undefined>();
  readonly #mostBytes: number;
  /** Bytes of earlier chunks. */
  #takenBytes = 0;
  #textBytes = 0;
  #commas = 0;
  #place: 'between' | 'text' | 'document' = 'between';
  /** What followed the last text: a colon alone makes it the name of a member. */
  #between: 'nothing' | 'colon' | 'other' = 'other';
  /** Start of the last text in this chunk; its earlier part came with previous chunks. */
  #nameStart = 0;
  #nameEnd = 0;
  #nameBefore = '';
  /** Backslashes at the end of the last chunk, which may escape a quote. */
  #slashes = 0;
  /** Start of the bytes in this chunk that are not stored yet. */
  #keptTo = 0;
  #document: Base64Bytes | undefined;
  /** Chunks of a document that is still short. */
  #short: Buffer[] = [];
  #shortBytes = 0;

  /** @param mostBytes maximum number of bytes of the whole JSON */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes of the JSON without documents, so far. */
  get textBytes(): number {
    return this.#textBytes + this.#shortBytes;
  }

  /** Processes the next chunk. @throws limit.exceeded as soon as it has too many values */
  take(piece: Buffer): void {
    this.#keptTo = 0;
    this.#nameStart = 0;
    for (let at = 0; at < piece.length; ) {
      if (this.#place === 'between') at = this.#readBetween(piece, at);
      else at = this.#readText(piece, at);
    }
    this.#takenBytes += piece.length;
    if (this.#place === 'document') return;
    this.#keep(piece.subarray(this.#keptTo));
    // A name that is cut off continues in the next chunk; one that has ended may be needed there.
    const nameEnd = this.#place === 'text' ? piece.length : this.#nameEnd;
    this.#nameBefore = this.#nameIn(piece, nameEnd) ?? tooLong;
    this.#nameEnd = 0;
  }

  /** Returns the JSON and its documents; an incomplete document is dropped. */
  end(): ExtractedJson {
    this.#keepShort();
    return { text: Buffer.concat(this.#parts), documents: this.#documents };
  }

  #readBetween(piece: Buffer, start: number): number {
    const found = piece.indexOf(quote, start);
    const end = found < 0 ? piece.length : found;
    for (let at = start; at < end && this.#between !== 'other'; at++) {
      const byte = piece[at] as number;
      if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) continue;
      this.#between = byte === colon && this.#between === 'nothing' ? 'colon' : 'other';
    }
    for (let at = start; at < end; at++) if (piece[at] === comma) this.#commas++;
    if (this.#commas >= limits.jsonValues) throw tooManyValues(limits.jsonValues);
    if (found < 0) return piece.length;
    const name = this.#between === 'colon' ? this.#nameIn(piece, this.#nameEnd) : undefined;
    const isDocument = name !== undefined && documentNames.has(name.toLowerCase());
    this.#place = isDocument ? 'document' : 'text';
    this.#slashes = 0;
    this.#nameBefore = '';
    this.#nameStart = found + 1;
    if (isDocument) this.#keep(piece.subarray(this.#keptTo, found + 1));
    return found + 1;
  }

  /** The last text, if it is as short as a name that matters. */
  #nameIn(piece: Buffer, end: number): string | undefined {
    const lengthBytes = this.#nameBefore.length + end - this.#nameStart;
    if (lengthBytes > NAME_BYTES_MAX) return undefined;
    return this.#nameBefore + piece.toString('latin1', this.#nameStart, end);
  }

  #readText(piece: Buffer, start: number): number {
    const end = this.#endOfText(piece, start);
    const isDocument = this.#place === 'document';
    if (isDocument) this.#takeDocument(piece.subarray(start, end < 0 ? piece.length : end));
    if (end < 0) return piece.length;
    if (isDocument) {
      this.#endDocument();
      this.#keptTo = end;
    }
    this.#nameEnd = end;
    this.#place = 'between';
    this.#between = 'nothing';
    return end + 1;
  }

  /** Position of the quote that ends the text, -1 if it does not end in this chunk. */
  #endOfText(piece: Buffer, start: number): number {
    for (let from = start; ; ) {
      const found = piece.indexOf(quote, from);
      const end = found < 0 ? piece.length : found;
      let slashes = 0;
      while (end - slashes > from && piece[end - 1 - slashes] === backslash) slashes += 1;
      if (end - slashes === from && from === start) slashes += this.#slashes;
      if (found < 0) {
        this.#slashes = slashes;
        return -1;
      }
      if (slashes % 2 === 0) return found;
      from = found + 1;
    }
  }

  #takeDocument(text: Buffer): void {
    if (this.#document !== undefined) {
      this.#document.take(text);
      return;
    }
    // The chunk's memory may be reused after this call.
    this.#short.push(Buffer.from(text));
    this.#shortBytes += text.length;
    if (this.#shortBytes <= DOCUMENT_CHARACTERS_MIN) return;
    const left = this.#mostBytes - this.#takenBytes + this.#shortBytes;
    this.#document = new Base64Bytes(Math.ceil((left * 3) / 4));
    for (const each of this.#short) this.#document.take(each);
    this.#short = [];
    this.#shortBytes = 0;
  }

  #endDocument(): void {
    this.#keepShort();
    if (this.#document === undefined) return;
    const { sha256, bytes }: DecodedDocument = this.#document.end();
    this.#document = undefined;
    const mark = bytes === undefined ? noDocument : placeholderOf(sha256);
    this.#documents.set(mark, bytes);
    this.#keep(Buffer.from(JSON.stringify(mark).slice(1, -1)));
  }

  #keepShort(): void {
    for (const each of this.#short) this.#keep(each);
    this.#short = [];
    this.#shortBytes = 0;
  }

  #keep(part: Buffer): void {
    this.#textBytes += part.length;
    this.#parts.push(Buffer.from(part));
  }
}
