import { asBuffer, type ByteSource, latin1Text } from '../../base/bytes.ts';
import { createMemo } from '../../base/memo.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';

/** Content after a signed revision that is not listed by any section. */
export interface FileEnding {
  /** Text after the percent sign of the last end-of-file marker. */
  readonly tail: string;
  /** Objects that readers find by scanning the file, and where they are listed. */
  readonly unlisted: readonly FoundObject[];
}

/** An object with the first section, counted from the newest, that lists it or is it. */
interface FoundObject {
  /** Offset in the file. */
  readonly offset: number;
  /** Infinite if no section lists it. */
  readonly section: number;
}

const endings = createMemo<PdfFile, FileEnding & { readonly start: number }>();

/**
 * The content after `start`, or after an earlier offset of a previous call: signatures are
 * processed one after another, and the file is scanned once.
 */
export function endingOf(after: PdfFile, start: number): FileEnding {
  const known = endings.get(after);
  if (known !== undefined && known.start <= start) return known;
  const { source, originBytes } = after;
  const text = latin1Text(source.slice(start, source.lengthBytes));
  const tail = text.slice(text.lastIndexOf('%%EOF') + 1);
  const unlisted: FoundObject[] = [];
  for (const { objectNumber, at } of objectHeads(text)) {
    const offset = start + at;
    unlisted.push({ offset, section: sectionOf(after, objectNumber, offset - originBytes) });
  }
  const found = { start, tail, unlisted };
  endings.set(after, found);
  return found;
}

/** Whether a section of the file lists the object that starts there. */
export function isListed(file: PdfFile, { objectNumber, at }: ObjectHead): boolean {
  return Number.isFinite(sectionOf(file, objectNumber, at - file.originBytes));
}

function sectionOf({ sections }: PdfFile, objectNumber: number, offset: number): number {
  const index = sections.findIndex((section) => {
    if (section.offsetBytes === offset) return true;
    const entry = section.find(objectNumber);
    return entry?.kind === 'offset' && entry.offsetBytes === offset;
  });
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

/** Size of a chunk for searching, and number of following bytes needed to complete an `N G obj`. */
const PIECE_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 64;

/** Offsets of a byte sequence, from an offset on. */
export function* placesOf(source: ByteSource, mark: Uint8Array, from: number): Generator<number> {
  for (let start = from; start < source.lengthBytes; start += PIECE_BYTES) {
    // The sequence may span two chunks.
    const end = Math.min(start + PIECE_BYTES + mark.length - 1, source.lengthBytes);
    const piece = asBuffer(source.slice(start, end));
    for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, at + mark.length)) {
      yield start + at;
    }
  }
}

/** Position of an indirect object in a text. */
export interface ObjectHead {
  readonly objectNumber: number;
  /** Offset of its first digit. */
  readonly at: number;
}

/**
 * Finds every `N G obj` in the text, with one character per byte. The search is for the keyword,
 * because signatures are long sequences of digits.
 */
export function* objectHeads(text: string): Generator<ObjectHead> {
  for (let end = text.indexOf('obj'); end >= 0; end = text.indexOf('obj', end + 3)) {
    const generationEnd = startOf(text, end, isSpace);
    const generation = startOf(text, generationEnd, isDigit);
    const numberEnd = startOf(text, generation, isSpace);
    const at = startOf(text, numberEnd, isDigit);
    const isWhole =
      at < numberEnd && numberEnd < generation && generation < generationEnd && generationEnd < end;
    if (isWhole) yield { objectNumber: Number(text.slice(at, numberEnd)), at };
  }
}

/** Finds every `N G obj` in the bytes. Offsets are counted from the start. */
export function* allObjectHeads(source: ByteSource): Generator<ObjectHead> {
  for (let start = 0; start < source.lengthBytes; start += PIECE_BYTES) {
    const end = Math.min(start + PIECE_BYTES + HEAD_BYTES, source.lengthBytes);
    for (const { objectNumber, at } of objectHeads(latin1Text(source.slice(start, end)))) {
      // Its first digits may be in the previous chunk, where it was already found.
      if (at > 0 || start === 0) yield { objectNumber, at: start + at };
    }
  }
}

/** The start of the run of matching characters before `end`, or `end` if there are none. */
function startOf(text: string, end: number, isOne: (code: number) => boolean): number {
  let at = end;
  while (at > 0 && isOne(text.charCodeAt(at - 1))) at--;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isSpace(code: number): boolean {
  return (
    code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0 || code === 0x0c
  );
}
