import { type ByteSource, latin1Bytes, latin1Text } from '../../../base/bytes.ts';
import type { ReadBudget } from '../budget.ts';
import type { ObjectReader } from '../object-reader.ts';
import { asDict, asReference, type PdfReference } from '../syntax/objects.ts';
import { attemptAt } from './damaged-object.ts';
import { NumberTable } from './number-table.ts';
import { DETAIL, LOCATION, NUMBER } from './object-index.ts';

/** Additional column of a line reading. */
const STARTS_LINE = 3;
const TRAILER = latin1Bytes('trailer');
const CHUNK_BYTES = 1024 * 1024;
/** More than any line prefix that is searched for. */
const OVERLAP_BYTES = 256;
const gap = '[\\0\\t\\f ]';
const wordEnd = '(?![^\\0\\t\\n\\f\\r ()<>[\\]{}/%])';
const anObject = `(\\d{1,10})${gap}{1,40}(\\d{1,5})${gap}{1,40}obj${wordEnd}`;
const lineStart = new RegExp(`(?:(?<![^\\r\\n])|endobj)${gap}{0,40}(?:${anObject}|trailer)`, 'g');

/** Findings of a reader that searches for objects line by line. */
export interface LineReading {
  /** Rows: number, offset, generation, and 1 at the start of a line, 0 after `endobj`. */
  readonly definitions: NumberTable;
  /** Offsets of the keyword `trailer`. */
  readonly trailers: readonly number[];
}

/** Reads the whole source line by line. */
export function readLines(source: ByteSource): LineReading {
  const definitions = new NumberTable(4);
  const trailers: number[] = [];
  for (let base = 0; base < source.lengthBytes; base += CHUNK_BYTES) {
    // The byte before the chunk shows whether a line starts there.
    const start = Math.max(0, base - 1);
    const end = Math.min(source.lengthBytes, base + CHUNK_BYTES + OVERLAP_BYTES);
    const text = latin1Text(source.slice(start, end));
    for (const match of text.matchAll(lineStart)) {
      if (start + match.index >= base + CHUNK_BYTES) break;
      if (start + match.index < base) continue;
      const [line, number, generation] = match;
      const offset = start + match.index + line.search(/\d|t/);
      if (number === undefined) trailers.push(offset);
      else {
        const startsLine = line.startsWith('endobj') ? 0 : 1;
        definitions.push(Number(number), offset, Number(generation), startsLine);
      }
    }
  }
  return { definitions, trailers };
}

/** The /Root reference of the trailer at `offset`, in an array; empty if there is none. */
export function rootAt(
  source: ByteSource,
  offset: number,
  budget: ReadBudget,
): readonly PdfReference[] {
  const dict = attemptAt(source, offset + TRAILER.length, budget, (parser) =>
    asDict(parser.parseObject()),
  );
  const root = asReference(dict?.get('Root'));
  return root === undefined ? [] : [root];
}

/** Maximum length of comments before an object. */
const COMMENT_BYTES = 4_096;

/** Whether two offsets are separated only by white space and comments. */
export function isSamePosition(view: ByteSource, one: number, other: number): boolean {
  if (one === other) return true;
  const [start, end] = [Math.min(one, other), Math.max(one, other)];
  if (end > view.lengthBytes || end - start > COMMENT_BYTES) return false;
  return /^(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*$/.test(latin1Text(view.slice(start, end)));
}

/**
 * Numbers of the objects for which a line-based reader, or one that prefers object streams, uses a
 * different definition than this reader.
 *
 * @param rows every definition, including those in object streams, oldest first
 */
export function findAmbiguousNumbers(
  reader: ObjectReader,
  definitions: NumberTable,
  rows: NumberTable,
): ReadonlySet<number> {
  const last = new Map<number, number>();
  const lastOfLines = new Map<number, number>();
  const highest = new Map<number, number>();
  for (let row = 0; row < definitions.count; row++) {
    const number = definitions.at(row, NUMBER);
    last.set(number, row);
    if (definitions.at(row, STARTS_LINE) === 1) lastOfLines.set(number, row);
    const before = highest.get(number);
    const generation = definitions.at(row, DETAIL);
    if (before === undefined || generation >= definitions.at(before, DETAIL)) {
      highest.set(number, row);
    }
  }
  const suspects = new Set<number>();
  for (const choices of [last, lastOfLines, highest]) {
    for (const [number, row] of choices) {
      const location = reader.locate(number);
      const place = location?.kind === 'offset' ? location.offsetBytes : undefined;
      const found = definitions.at(row, LOCATION);
      if (place === undefined || !isSamePosition(reader.view, place, found)) suspects.add(number);
    }
  }
  for (let row = 0; row < rows.count; row++) {
    const container = -rows.at(row, LOCATION);
    if (container <= 0) continue;
    const location = reader.locate(rows.at(row, NUMBER));
    const isOwn = location?.kind === 'compressed' && location.container === container;
    if (!isOwn || location.index !== rows.at(row, DETAIL)) suspects.add(rows.at(row, NUMBER));
  }
  return suspects;
}
