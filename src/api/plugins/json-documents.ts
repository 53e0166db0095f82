import { Base64Octets, type TakenDocument } from './base64-octets.ts';

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
/** Members whose text is a document in base64, in lower case. */
const documentNames: ReadonlySet<string> = new Set([
  'pdfdocument',
  'xmldocument',
  'document',
  'filecontent',
]);
const NAME_BYTES_MAX = 16;
/** Shorter texts stay where they are. */
const DOCUMENT_CHARACTERS_MIN = 32 * 1024;

/** JSON that comes in pieces, and the long documents in it. */
export interface TakenJson {
  /** The JSON with a mark in place of each document. */
  readonly text: Buffer;
  /** Documents by their marks. */
  readonly documents: ReadonlyMap<string, Buffer | undefined>;
}

/** The text that stands for a document: no other text of a request begins like it. */
export function markOf(sha256: string): string {
  return `\u0000sha256:${sha256}`;
}

/** True for a text that stands for a document, or may. */
export function isMark(text: string): boolean {
  return text.startsWith('\u0000');
}

/**
 * Takes the documents out of JSON while it comes, so that neither their text nor that of the whole
 * is ever in memory. What is no JSON is left for the parser to say.
 */
export class JsonDocuments {
  readonly #parts: Buffer[] = [];
  readonly #documents = new Map<string, Buffer | undefined>();
  readonly #sizeBytes: () => number;
  #textBytes = 0;
  #place: 'between' | 'text' | 'document' = 'between';
  /** What stands behind the last text: a colon alone makes it the name of a member. */
  #between: 'nothing' | 'colon' | 'other' = 'other';
  /** The beginning of the last text. */
  #name = '';
  /** Backslashes at the end of the last piece, which may escape a quote. */
  #slashes = 0;
  #document: Base64Octets | undefined;
  /** Pieces of a document that is short so far. */
  #short: Buffer[] = [];
  #shortBytes = 0;

  /** @param sizeBytes octets that a document which begins now can have at most */
  constructor(sizeBytes: () => number) {
    this.#sizeBytes = sizeBytes;
  }

  /** Bytes of the JSON without documents, so far. */
  get textBytes(): number {
    return this.#textBytes + this.#shortBytes;
  }

  /** Takes the next piece. */
  take(piece: Buffer): void {
    for (let at = 0; at < piece.length; ) {
      if (this.#place === 'between') at = this.#readBetween(piece, at);
      else at = this.#readText(piece, at);
    }
  }

  /** What it was; a document that has not ended is left out. */
  end(): TakenJson {
    this.#keep(...this.#short);
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
    if (found < 0) {
      this.#keep(piece.subarray(start));
      return piece.length;
    }
    this.#keep(piece.subarray(start, found + 1));
    const isDocument = this.#between === 'colon' && documentNames.has(this.#name.toLowerCase());
    this.#place = isDocument ? 'document' : 'text';
    this.#name = '';
    this.#slashes = 0;
    return found + 1;
  }

  #readText(piece: Buffer, start: number): number {
    const end = this.#endOfText(piece, start);
    const text = piece.subarray(start, end < 0 ? piece.length : end);
    if (this.#place === 'document') this.#takeDocument(text);
    else {
      this.#keep(text);
      const room = NAME_BYTES_MAX - this.#name.length;
      if (room > 0) this.#name += text.toString('latin1', 0, room);
    }
    if (end < 0) return piece.length;
    if (this.#place === 'document') this.#endDocument();
    this.#keep(piece.subarray(end, end + 1));
    this.#place = 'between';
    this.#between = 'nothing';
    return end + 1;
  }

  /** Place of the quote that ends the text, -1 when it does not end in this piece. */
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
    this.#short.push(text);
    this.#shortBytes += text.length;
    if (this.#shortBytes <= DOCUMENT_CHARACTERS_MIN) return;
    this.#document = new Base64Octets(this.#sizeBytes());
    for (const each of this.#short) this.#document.take(each);
    this.#forgetShort();
  }

  #endDocument(): void {
    this.#keep(...this.#short);
    this.#forgetShort();
    if (this.#document === undefined) return;
    const { sha256, octets }: TakenDocument = this.#document.end();
    this.#document = undefined;
    this.#documents.set(markOf(sha256), octets);
    this.#keep(Buffer.from(JSON.stringify(markOf(sha256)).slice(1, -1)));
  }

  #forgetShort(): void {
    this.#short = [];
    this.#shortBytes = 0;
  }

  #keep(...parts: readonly Buffer[]): void {
    for (const part of parts) {
      this.#textBytes += part.length;
      this.#parts.push(part);
    }
  }
}
