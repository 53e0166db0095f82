import { type ByteSource, latin1Bytes, latin1Text, sourceFrom } from '../../../base/bytes.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import { attemptRead, type ReadBudget, tolerantBudget } from '../budget.ts';
import { ObjectReader } from '../object-reader.ts';
import { findOffsetBase } from '../xref/offset-base.ts';
import { readSection, readSections } from '../xref/sections.ts';
import { readHeader, readStartXref } from '../xref/tail.ts';
import type { XrefLocation, XrefSection } from '../xref/xref.ts';
import { attemptAt } from './damaged-object.ts';

/** Returns an object's offset according to the cross-reference data; undefined if not there. */
export type StatedOffsets = (objectNumber: number) => number | undefined;

const OBJ = latin1Bytes('obj');
/** Longer than the first line of a subsection. */
const HEAD_BYTES = 64;

/**
 * The locations of objects according to the sections that `startxref` points to, in a file that was
 * scanned nevertheless: a reader that finds no fault uses them. Undefined if they cannot be read.
 *
 * @param originBytes base of the offsets in the result
 * @throws limit.exceeded
 */
export function readStatedOffsets(
  source: ByteSource,
  originBytes: number,
): StatedOffsets | undefined {
  const base = findOffsetBase(source, readHeader(source));
  const view = base === 0 ? source : sourceFrom(source, base);
  const budget = tolerantBudget(source.lengthBytes);
  const sections = sectionsOf(view, budget);
  if (sections === undefined) return undefined;
  const reader = new ObjectReader(view, sections, budget);
  const statedOffset = (objectNumber: number, entry: number): number | undefined => {
    const location = attemptRead<XrefLocation | undefined>(() => reader.locate(entry));
    if (location?.kind !== 'offset' || location.offsetBytes >= view.lengthBytes) return undefined;
    const at = headerAt(view, location.offsetBytes, objectNumber, budget);
    return at === undefined ? undefined : at + base - originBytes;
  };
  // Many tables start at number 1 when they mean 0; readers correct this.
  return (objectNumber) =>
    statedOffset(objectNumber, objectNumber) ?? statedOffset(objectNumber, objectNumber + 1);
}

/** The sections; only the newest one if those before it cannot be read. */
function sectionsOf(view: ByteSource, budget: ReadBudget): readonly XrefSection[] | undefined {
  const start = attemptRead(() => startOf(view));
  if (start === undefined || start >= view.lengthBytes) return undefined;
  const all = attemptRead(() => readSections(view, start, budget));
  if (all !== undefined) return all;
  const newest = attemptRead(() => readSection(view, start, budget));
  return newest === undefined ? undefined : [newest];
}

/** The offset in `startxref`, even if the end is irregular, where strict readers give up. */
function startOf(view: ByteSource): number {
  try {
    return readStartXref(view);
  } catch (error) {
    const { startOffset, namedOffset } = isInnsigliError(error) ? error.details : {};
    const start = startOffset ?? namedOffset;
    if (typeof start === 'number') return start;
    throw error;
  }
}

/** The start of the `N G obj` of this object, after any white space. */
function headerAt(
  view: ByteSource,
  offset: number,
  objectNumber: number,
  budget: ReadBudget,
): number | undefined {
  return attemptAt(view, offset, budget, (parser) => {
    parser.skipSpace();
    const at = parser.offsetBytes;
    const isSame = parser.acceptDigits() === objectNumber;
    parser.skipSpace();
    const hasGeneration = parser.acceptDigits() !== undefined;
    parser.skipSpace();
    return isSame && hasGeneration && parser.acceptKeyword(OBJ) ? at : undefined;
  });
}

/** Length of the table prefix that {@link isReadLeniently} reads. */
const TABLE_BYTES = 1_048_576;
const entries = /(?:\d{10} \d{5} [nf][ \r\n]{1,2}\s*)*/y;

/**
 * Whether a table is intact except for subsections that start with a number followed by garbage:
 * some readers stop reading the number there, and find different objects than a scan.
 */
export function isReadLeniently(source: ByteSource): boolean {
  const base = findOffsetBase(source, readHeader(source));
  const view = base === 0 ? source : sourceFrom(source, base);
  const start = attemptRead(() => startOf(view));
  if (start === undefined || start >= view.lengthBytes) return false;
  const end = Math.min(view.lengthBytes, start + TABLE_BYTES);
  const text = latin1Text(view.slice(start, end)).trimStart();
  if (!text.startsWith('xref')) return false;
  let at = 'xref'.length;
  let isOdd = false;
  for (;;) {
    const head = /^\s*(\d+)([^\s\d]\S*)?\s+\d+\s*/.exec(text.slice(at, at + HEAD_BYTES));
    if (head === null) return isOdd && /^\s*trailer/.test(text.slice(at, at + HEAD_BYTES));
    isOdd ||= head[2] !== undefined;
    entries.lastIndex = at + head[0].length;
    at += head[0].length + (entries.exec(text)?.[0].length ?? 0);
  }
}
