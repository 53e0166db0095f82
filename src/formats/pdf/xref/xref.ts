import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { budgetExceeded, type ReadBudget } from '../budget.ts';
import type { PdfDict } from '../syntax/objects.ts';

/** Location of an object. */
export type XrefLocation =
  | { readonly kind: 'offset'; readonly offsetBytes: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly container: number; readonly index: number };

/** Entry of a section for an object number. */
export type XrefEntry = XrefLocation | { readonly kind: 'free' };

/** One cross-reference section: written by one revision, or by a part of it. */
export interface XrefSection {
  /** Offset of `xref`, or of the object number of the cross-reference stream. */
  readonly offsetBytes: number;
  readonly kind: 'table' | 'stream' | 'hybrid';
  /** The trailer dictionary, or the dictionary of the cross-reference stream. */
  readonly trailer: PdfDict;
  /** Object numbers that the section lists, as ranges in file order. */
  readonly ranges: readonly ObjectRange[];
  /** Returns the entry of an object number; undefined if the section does not list it. */
  find(objectNumber: number): XrefEntry | undefined;
  /** The two parts of a hybrid section: old readers use only the table. */
  readonly parts?: { readonly table: XrefPart; readonly stream: XrefPart };
}

/** Entries of a table or a stream; see {@link XrefSection}. */
export type XrefPart = Pick<XrefSection, 'ranges' | 'find'>;

/** Object numbers from `first` to `first + count - 1`. */
export interface ObjectRange {
  readonly first: number;
  readonly count: number;
}

/** The entry that hides or removes an object. */
export const freeEntry: XrefEntry = Object.freeze({ kind: 'free' });

/** The error for damaged cross-reference data. */
export function xrefInvalid(message: string, offsetBytes: number): InnsigliError {
  return new InnsigliError('pdf.xref.invalid', `${message} at byte ${offsetBytes}`, {
    details: { offsetBytes },
    hint: 'open and save the document with the program that created it, then try again',
  });
}

/**
 * Checks that a range does not exceed the highest object number.
 *
 * @throws limit.exceeded
 */
export function checkRange(range: ObjectRange, offsetBytes: number): void {
  const last = range.first + range.count - 1;
  if (last <= limits.pdfObjectNumber) return;
  throw new InnsigliError(
    'limit.exceeded',
    `the cross-reference section at byte ${offsetBytes} names object ${last}, ` +
      `the maximum is ${limits.pdfObjectNumber}`,
    { details: { offsetBytes, objectNumber: last } },
  );
}

/**
 * A function that returns the range of an object number. Ascending ranges are searched by
 * bisection; otherwise linearly, and the first match wins.
 */
export function rangeFinder<T extends ObjectRange>(
  ranges: readonly T[],
  budget: ReadBudget,
): (objectNumber: number) => T | undefined {
  let ascending = true;
  for (let i = 1; i < ranges.length && ascending; i++) {
    const before = ranges[i - 1] as T;
    ascending = before.first + before.count <= (ranges[i] as T).first;
  }
  return ascending
    ? (objectNumber) => findByHalves(ranges, objectNumber, budget)
    : (objectNumber) => findInOrder(ranges, objectNumber, budget);
}

function findByHalves<T extends ObjectRange>(
  ranges: readonly T[],
  objectNumber: number,
  budget: ReadBudget,
): T | undefined {
  let low = 0;
  let high = ranges.length - 1;
  if (--budget.probes < 0) throw budgetExceeded('cross-reference look-ups');
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle] as T;
    if (objectNumber < range.first) high = middle - 1;
    else if (objectNumber >= range.first + range.count) low = middle + 1;
    else return range;
  }
  return undefined;
}

function findInOrder<T extends ObjectRange>(
  ranges: readonly T[],
  objectNumber: number,
  budget: ReadBudget,
): T | undefined {
  for (const range of ranges) {
    if (--budget.probes < 0) throw budgetExceeded('cross-reference look-ups');
    if (objectNumber >= range.first && objectNumber < range.first + range.count) return range;
  }
  return undefined;
}
