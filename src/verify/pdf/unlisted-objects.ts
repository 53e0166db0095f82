import { asBuffer, type ByteSource, latin1Text } from '../../base/bytes.ts';
import { createMemo } from '../../base/memo.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';

/** Content after a signed revision that no section lists. */
export interface FileEnding {
  /** Text after the percent sign of the last end-of-file marker. */
  readonly tail: string;
  /** Objects that readers find when they look through a file, and where they are listed. */
  readonly unlisted: readonly FoundObject[];
}

/** An object with the first section, counted from the newest, that lists it or that it is. */
interface FoundObject {
  /** In the file. */
  readonly offset: number;
  /** Infinite when no section lists it. */
  readonly section: number;
}

const endings = createMemo<PdfFile, FileEnding & { readonly start: number }>();

/**
 * The content after `start`, or after an earlier offset of a previous call: signatures are
 * processed one after the other, and the file is scanned once.
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

/** True when a section of the file lists the object that begins there. */
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

/** Bytes that are searched at once, and those of the next ones that may end an `N G obj`. */
const PIECE_BYTES = 16 * 1024 * 1024;
const HEAD_BYTES = 64;

/** Where a mark stands in the bytes from an offset on. */
export function* placesOf(source: ByteSource, mark: Uint8Array, from: number): Generator<number> {
  for (let start = from; start < source.lengthBytes; start += PIECE_BYTES) {
    // A mark may begin in one piece and end in the next.
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
 * Every `N G obj` in the text, one character for each byte. They are looked for from the keyword:
 * signatures are long rows of digits.
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

/** Every `N G obj` in the bytes; offsets count from their beginning. */
export function* allObjectHeads(source: ByteSource): Generator<ObjectHead> {
  for (let start = 0; start < source.lengthBytes; start += PIECE_BYTES) {
    const end = Math.min(start + PIECE_BYTES + HEAD_BYTES, source.lengthBytes);
    for (const { objectNumber, at } of objectHeads(latin1Text(source.slice(start, end)))) {
      // The first digits may stand in the piece before, which has found this one.
      if (at > 0 || start === 0) yield { objectNumber, at: start + at };
    }
  }
}

/** The start of the characters of a kind in front of `end`; `end` if there are none. */
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
