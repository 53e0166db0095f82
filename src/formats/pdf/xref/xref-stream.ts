import { limits } from '../../../base/limits.ts';
import { budgetExceeded, type ReadBudget } from '../budget.ts';
import { asArray, asInteger, type PdfDict } from '../syntax/objects.ts';
import {
  checkRange,
  freeEntry,
  type ObjectRange,
  rangeFinder,
  type XrefEntry,
  xrefInvalid,
} from './xref.ts';

/** A cross-reference stream that is decoded on first access to an entry. */
export interface XrefStream {
  readonly ranges: readonly ObjectRange[];
  find(objectNumber: number): XrefEntry | undefined;
}

interface Rows extends ObjectRange {
  /** Row of the first object number of the range. */
  readonly row: number;
}

type Widths = readonly [number, number, number];

/**
 * The entries of the cross-reference stream with this dictionary.
 *
 *     | type (W0) | offset or container (W1) | generation or index (W2) |   one row per object
 *
 * @throws pdf.xref.invalid if /W or /Index is invalid; on access, if rows are missing
 * @spec ISO 32000-1 §7.5.8
 */
export function readXrefStream(
  dict: PdfDict,
  offsetBytes: number,
  decode: () => Uint8Array,
  budget: ReadBudget,
): XrefStream {
  const { widths, strideBytes } = readWidths(dict, offsetBytes);
  const ranges = readRanges(dict, offsetBytes);
  const last = ranges.at(-1);
  const neededBytes = last === undefined ? 0 : (last.row + last.count) * strideBytes;
  const findRange = rangeFinder(ranges, budget);
  let rows: Uint8Array | undefined;
  return {
    ranges,
    find(objectNumber) {
      const range = findRange(objectNumber);
      if (range === undefined) return undefined;
      if (rows === undefined) {
        const decoded = decode();
        if (decoded.length < neededBytes) {
          throw xrefInvalid(
            `expected ${neededBytes} bytes of entries, found ${decoded.length}, in the stream`,
            offsetBytes,
          );
        }
        rows = decoded;
      }
      const at = (range.row + objectNumber - range.first) * strideBytes;
      return readRow(rows, at, widths, offsetBytes);
    },
  };
}

function readWidths(
  dict: PdfDict,
  offsetBytes: number,
): { readonly widths: Widths; readonly strideBytes: number } {
  const found = (asArray(dict.get('W')) ?? []).map((width) => asInteger(width) ?? -1);
  const [type = -1, second = -1, third = -1] = found;
  let strideBytes = 0;
  for (const width of found) {
    if (width < 0 || width > 32) throw xrefInvalid('a width of /W is invalid', offsetBytes);
    strideBytes += width;
  }
  if (found.length < 3 || found.length > 32 || second < 1) {
    throw xrefInvalid('expected three widths in /W', offsetBytes);
  }
  return { widths: [type, second, third], strideBytes };
}

function readRanges(dict: PdfDict, offsetBytes: number): readonly Rows[] {
  const index = asArray(dict.get('Index')) ?? [0, dict.get('Size') ?? null];
  const ranges: Rows[] = [];
  let row = 0;
  for (let i = 0; i < index.length; i += 2) {
    const first = asInteger(index[i]);
    const count = asInteger(index[i + 1]);
    if (first === undefined || count === undefined || first < 0 || count < 0) {
      throw xrefInvalid('expected pairs of integers in /Index', offsetBytes);
    }
    if (count === 0) continue;
    const range = { first, count, row };
    checkRange(range, offsetBytes);
    ranges.push(range);
    row += count;
  }
  if (row > limits.pdfDecodedBytes) throw budgetExceeded('cross-reference entries');
  return ranges;
}

function readRow(rows: Uint8Array, at: number, widths: Widths, offsetBytes: number): XrefEntry {
  const [typeBytes, secondBytes, thirdBytes] = widths;
  const type = typeBytes === 0 ? 1 : readField(rows, at, typeBytes, offsetBytes);
  if (type !== 1 && type !== 2) return freeEntry;
  const second = readField(rows, at + typeBytes, secondBytes, offsetBytes);
  const third = readField(rows, at + typeBytes + secondBytes, thirdBytes, offsetBytes);
  if (type === 2) return { kind: 'compressed', container: second, index: third };
  if (second === 0) return freeEntry;
  return { kind: 'offset', offsetBytes: second, generation: third };
}

function readField(rows: Uint8Array, at: number, count: number, offsetBytes: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value = value * 256 + (rows[at + i] as number);
  if (value <= Number.MAX_SAFE_INTEGER) return value;
  throw xrefInvalid('an entry is too large in the cross-reference stream', offsetBytes);
}
