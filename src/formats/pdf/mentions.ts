import { asBuffer, type ByteSource, latin1Text, scanBytes } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { createMemo } from '../../base/memo.ts';
import { attemptRead, readBudget, rewriteBudget } from './budget.ts';
import { decodeCounted } from './filters/filters.ts';
import type { PdfFile } from './pdf-file.types.ts';
import { scanObjects } from './repair/scan/index.ts';
import { characterClasses, SPACE } from './syntax/characters.ts';
import { asStream, PdfReference } from './syntax/objects.ts';
import type { XrefSection } from './xref/xref.ts';

const R = 0x52;
const PERCENT = 0x25;
/** Maximum distance in bytes between the start of a reference and its `R`. */
const REFERENCE_BYTES = 256;
const gap = '(?:[\\0\\t\\n\\f\\r ]|%[^\\r\\n]*[\\r\\n])+';
const reference = new RegExp(`(\\d{1,10})${gap}\\d{1,10}${gap}$`);

/** Cached results by source: later sources that begin with it are read only from its end on. */
const known = createMemo<ByteSource, ReadonlySet<number>>();

/**
 * Numbers from `first` on that the file references although no such object exists: an object with
 * such a number would become part of the document.
 *
 * All bytes are searched, including those of streams and the decoded object streams.
 *
 * @throws limit.exceeded if the object streams decode to too much
 */
export function mentionedNumbers(file: PdfFile, first: number): ReadonlySet<number> {
  const { source } = file;
  const before = source.head === undefined ? undefined : known.get(source.head);
  const numbers = new Set(before);
  const start = before === undefined ? 0 : (source.head?.lengthBytes ?? 0);
  searchSource(source, start, first, numbers);
  // Our own updates add no object streams.
  if (before === undefined) searchContainers(file, first, numbers);
  known.set(source, numbers);
  return numbers;
}

function searchSource(source: ByteSource, start: number, first: number, numbers: Set<number>) {
  let rest: Uint8Array = new Uint8Array();
  scanBytes(source, start, source.lengthBytes, (piece) => {
    const bytes = asBuffer(piece);
    let last = bytes;
    if (rest.length === 0) search(bytes, 0, bytes.length, first, numbers);
    else {
      // A reference that ends in the first bytes may have started in the previous chunk.
      const joint = Buffer.concat([rest, bytes.subarray(0, REFERENCE_BYTES)]);
      search(joint, rest.length, joint.length, first, numbers);
      search(bytes, REFERENCE_BYTES, bytes.length, first, numbers);
      if (bytes.length < REFERENCE_BYTES) last = joint;
    }
    rest = new Uint8Array(last.subarray(-REFERENCE_BYTES));
  });
}

/** Adds the numbers of all references whose `R` is between `from` and `end`. */
function search(
  bytes: Buffer,
  from: number,
  end: number,
  first: number,
  numbers: Set<number>,
): void {
  for (let at = bytes.indexOf(R, from); at >= 0 && at < end; at = bytes.indexOf(R, at + 1)) {
    if (at === 0 || characterClasses[bytes[at - 1] as number] !== SPACE) continue;
    const number = numberBefore(bytes, at);
    if (number >= first) numbers.add(number);
  }
}

/** Object number of the reference that ends with the `R` at `end`; -1 if it is no reference. */
function numberBefore(bytes: Buffer, end: number): number {
  const generation = numberStart(bytes, end);
  const start = generation < 0 ? -1 : numberStart(bytes, generation);
  if (start >= 0) {
    let value = 0;
    for (let at = start; isDigit(bytes[at] as number); at++) {
      value = value * 10 + (bytes[at] as number) - 0x30;
    }
    return value;
  }
  const window = bytes.subarray(Math.max(0, end - REFERENCE_BYTES), end);
  if (!window.includes(PERCENT)) return -1;
  return Number(reference.exec(latin1Text(window))?.[1] ?? -1);
}

/** The start of the digits separated from `end` only by white space; -1 if there are none. */
function numberStart(bytes: Buffer, end: number): number {
  const limit = Math.max(0, end - REFERENCE_BYTES);
  let at = end;
  while (at > limit && characterClasses[bytes[at - 1] as number] === SPACE) at--;
  const digitsEnd = at;
  while (at > limit && isDigit(bytes[at - 1] as number)) at--;
  return at < digitsEnd && digitsEnd < end ? at : -1;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function searchContainers(file: PdfFile, first: number, numbers: Set<number>): void {
  const budget = readBudget(file.source.lengthBytes);
  for (const container of containersOf(file)) {
    // No reader uses a damaged one.
    attemptRead(() => {
      const stream = asStream(file.read(new PdfReference(container)));
      if (stream === undefined) return;
      const text = decodeCounted(stream, (value) => file.resolve(value), budget);
      search(asBuffer(text), 0, text.length, first, numbers);
    });
  }
}

/** Numbers of the object streams; in a file with a damaged section, those found by a scan. */
function containersOf(file: PdfFile): ReadonlySet<number> {
  const containers = new Set<number>();
  try {
    for (const section of file.sections) addContainers(section, containers);
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'limit.exceeded') throw error;
    const found = scanObjects(file.source, rewriteBudget(file.source.lengthBytes));
    for (const { objectNumber } of found.containers) containers.add(objectNumber);
  }
  return containers;
}

function addContainers({ ranges, find, kind }: XrefSection, containers: Set<number>): void {
  if (kind !== 'stream') return;
  for (const { first, count } of ranges) {
    for (let number = first; number < first + count; number++) {
      const entry = find(number);
      if (entry?.kind === 'compressed') containers.add(entry.container);
    }
  }
}
