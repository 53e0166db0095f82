import { type ByteSource, latin1Bytes } from '../../../base/bytes.ts';
import { budgetExceeded, type ReadBudget } from '../budget.ts';
import { asDict, type PdfDict } from '../syntax/objects.ts';
import { parseAt } from '../syntax/parser.ts';
import {
  checkRange,
  freeEntry,
  type ObjectRange,
  rangeFinder,
  type XrefEntry,
  xrefInvalid,
} from './xref.ts';

/** A cross-reference table whose entries are read on demand. */
export interface XrefTable {
  readonly trailer: PdfDict;
  readonly ranges: readonly ObjectRange[];
  find(objectNumber: number): XrefEntry | undefined;
}

/**
 * Entries of one subsection: at equal distances, as the standard requires, or at individual offsets
 * if a program wrote lines of different lengths.
 */
interface Subsection extends ObjectRange {
  readonly at: number;
  readonly strideBytes: number;
  readonly places: Float64Array | undefined;
}

const TRAILER = latin1Bytes('trailer');
/** Length of an entry without its end of line: `0000000016 00000 n`. */
const ENTRY_BYTES = 18;
/** The standard requires 20; ends of line of one or three bytes result in 19 and 21. */
const STRIDES = [20, 19, 21] as const;

/**
 * The table whose first subsection starts at `offset`, after the keyword `xref`. Only the first and
 * last entries of each subsection are checked.
 *
 * @throws pdf.xref.invalid, pdf.truncated, limit.exceeded
 * @spec ISO 32000-1 §7.5.4
 */
export function readXrefTable(source: ByteSource, offset: number, budget: ReadBudget): XrefTable {
  const ranges: Subsection[] = [];
  let at = offset;
  for (;;) {
    const header = parseAt(source, at, budget, (parser) => {
      parser.skipSpace();
      if (parser.acceptKeyword(TRAILER)) {
        const trailer = asDict(parser.parseObject());
        if (trailer === undefined) throw xrefInvalid('expected the trailer dictionary', at);
        return { trailer };
      }
      const first = parser.acceptDigits();
      parser.skipSpace();
      const count = first === undefined ? undefined : parser.acceptDigits();
      if (first === undefined || count === undefined) {
        throw xrefInvalid('expected a subsection or "trailer"', parser.offsetBytes);
      }
      const end = parser.offsetBytes;
      parser.skipSpace();
      return { trailer: undefined, first, count, at: count === 0 ? end : parser.offsetBytes };
    });
    if (header.trailer !== undefined) return tableOf(source, header.trailer, ranges, budget);
    if (--budget.values < 0) throw budgetExceeded('number of subsections');
    at = header.at;
    if (header.count === 0) continue;
    checkRange(header, header.at);
    const subsection = layOut(source, header, budget);
    ranges.push(subsection);
    at = entryOffset(subsection, header.count - 1) + ENTRY_BYTES;
  }
}

function tableOf(
  source: ByteSource,
  trailer: PdfDict,
  ranges: readonly Subsection[],
  budget: ReadBudget,
): XrefTable {
  const findRange = rangeFinder(ranges, budget);
  return {
    trailer,
    ranges,
    find(objectNumber) {
      const range = findRange(objectNumber);
      if (range === undefined) return undefined;
      return readEntry(source, entryOffset(range, objectNumber - range.first));
    },
  };
}

function entryOffset(range: Subsection, index: number): number {
  return range.places === undefined
    ? range.at + index * range.strideBytes
    : (range.places[index] as number);
}

/** Determines the distance between entries. */
function layOut(
  source: ByteSource,
  header: { readonly first: number; readonly count: number; readonly at: number },
  budget: ReadBudget,
): Subsection {
  const { first, count, at } = header;
  const last = count - 1;
  if (at + last * ENTRY_BYTES + ENTRY_BYTES > source.lengthBytes) {
    throw xrefInvalid(`a subsection of ${count} entries does not fit into the file`, at);
  }
  if (isEntry(source, at)) {
    for (const strideBytes of STRIDES) {
      const fits =
        last === 0 ||
        (isEntry(source, at + strideBytes) &&
          isEntry(source, at + last * strideBytes) &&
          isBoundary(source, at + last * strideBytes + ENTRY_BYTES));
      if (fits) return { first, count, at, strideBytes, places: undefined };
    }
  }
  return { first, count, at, strideBytes: 0, places: findPlaces(source, at, count, budget) };
}

/** Offset of each entry, for subsections with lines of different lengths. */
function findPlaces(
  source: ByteSource,
  offset: number,
  count: number,
  budget: ReadBudget,
): Float64Array {
  const places = new Float64Array(count);
  budget.values -= count;
  if (budget.values < 0) throw budgetExceeded('number of irregular entries');
  let at = offset;
  for (let i = 0; i < count; i++) {
    at = parseAt(source, at, budget, (parser) => {
      parser.skipSpace();
      return parser.offsetBytes;
    });
    if (!isEntry(source, at)) throw xrefInvalid(`expected entry ${i + 1} of ${count}`, at);
    places[i] = at;
    at += ENTRY_BYTES;
  }
  return places;
}

function isEntry(source: ByteSource, at: number): boolean {
  return entryAt(source, at) !== undefined;
}

/** The bytes of the entry that starts here; undefined if there is none. */
function entryAt(source: ByteSource, at: number): Uint8Array | undefined {
  if (at + ENTRY_BYTES > source.lengthBytes) return undefined;
  const bytes = source.slice(at, at + ENTRY_BYTES);
  for (let i = 0; i < 16; i++) {
    const byte = bytes[i] as number;
    if (i === 10 ? byte !== 0x20 : byte < 0x30 || byte > 0x39) return undefined;
  }
  const isClosed = bytes[16] === 0x20 && (bytes[17] === 0x6e || bytes[17] === 0x66);
  return isClosed ? bytes : undefined;
}

/** Whether an entry is followed by an end of line and then the next subsection or the trailer. */
function isBoundary(source: ByteSource, at: number): boolean {
  const bytes = source.slice(at, Math.min(source.lengthBytes, at + 8));
  let i = 0;
  while (i < bytes.length && (bytes[i] as number) <= 0x20) i++;
  const byte = bytes[i] ?? 0;
  return i > 0 && (byte === 0x74 || (byte >= 0x30 && byte <= 0x39));
}

function readEntry(source: ByteSource, at: number): XrefEntry {
  const bytes = entryAt(source, at);
  if (bytes === undefined) throw xrefInvalid('expected a cross-reference entry', at);
  // No object can be at offset 0, where the header is: some programs use it for free entries.
  const offsetBytes = digitsOf(bytes, 0, 10);
  if (bytes[17] !== 0x6e || offsetBytes === 0) return freeEntry;
  return { kind: 'offset', offsetBytes, generation: digitsOf(bytes, 11, 16) };
}

function digitsOf(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) value = value * 10 + (bytes[i] as number) - 0x30;
  return value;
}
