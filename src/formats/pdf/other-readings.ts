import { type ByteSource, latin1Bytes, latin1Text } from '../../base/bytes.ts';
import { isCoreError } from '../../base/errors.ts';
import type { ReadBudget } from './budget.ts';
import { attemptAt } from './damaged-object.ts';
import { NumberTable } from './number-table.ts';
import { DETAIL, NUMBER, PLACE } from './object-index.ts';
import type { ObjectReader } from './object-reader.ts';
import { asArray, asDict, asReference, asStream, type PdfObject, PdfReference } from './objects.ts';
import { isCatalog } from './recovery-trailer.ts';

/** How a file without usable cross-reference data was read here. */
export interface OwnReading {
  /** The bytes that offsets count in. */
  readonly source: ByteSource;
  /** Reads the objects that were found. */
  readonly reader: ObjectReader;
  readonly root: PdfReference;
  /** What the trailers name as /Root. */
  readonly roots: readonly PdfReference[];
  readonly budget: ReadBudget;
}

/** Column of a line reading. */
const STARTS_LINE = 3;
const TRAILER = latin1Bytes('trailer');
const CHUNK_BYTES = 1024 * 1024;
/** More than any start of a line that is looked for. */
const OVERLAP_BYTES = 256;
const gap = '[\\0\\t\\f ]';
const wordEnd = '(?![^\\0\\t\\n\\f\\r ()<>[\\]{}/%])';
const anObject = `(\\d{1,10})${gap}{1,40}(\\d{1,5})${gap}{1,40}obj${wordEnd}`;
const lineStart = new RegExp(`(?:(?<![^\\r\\n])|endobj)${gap}{0,40}(?:${anObject}|trailer)`, 'g');

/**
 * Says where a reader that looks for objects line by line shows another document; undefined when
 * it shows the same. Such readers see an object at the start of every line, some of them behind
 * `endobj` too, and in a string or in the data of a stream as anywhere. Of several objects with
 * one number some take the last, some the last of the highest generation; of several trailers
 * some take the first.
 *
 * Only what the catalog leads to is compared: nothing else is shown.
 *
 * @throws limit.exceeded
 */
export function findOtherReading(own: OwnReading): string | undefined {
  const { definitions, trailers } = readLines(own.source);
  const roots = [...own.roots, ...trailers.flatMap((offset) => rootAt(own, offset))];
  const other = roots.find(
    (root) => root.objectNumber !== own.root.objectNumber && isCatalog(attempt(own, root)),
  );
  if (other !== undefined) {
    return `the catalog is object ${own.root.objectNumber} or ${other.objectNumber}`;
  }
  const suspects = otherwiseRead(own.reader, definitions);
  const shown = suspects.size === 0 ? undefined : findShown(own, suspects);
  return shown === undefined ? undefined : `object ${shown} stands in the file more than once`;
}

/** Rows: number, offset, generation, and 1 at the start of a line, 0 behind `endobj`. */
function readLines(source: ByteSource): {
  readonly definitions: NumberTable;
  readonly trailers: readonly number[];
} {
  const definitions = new NumberTable(4);
  const trailers: number[] = [];
  for (let base = 0; base < source.lengthBytes; base += CHUNK_BYTES) {
    // One byte in front of the chunk tells whether a line starts there.
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

function rootAt({ source, budget }: OwnReading, offset: number): readonly PdfReference[] {
  const dict = attemptAt(source, offset + TRAILER.length, budget, (parser) =>
    asDict(parser.parseObject()),
  );
  const root = asReference(dict?.get('Root'));
  return root === undefined ? [] : [root];
}

/** Numbers of objects of which a reader by lines takes another one than is read here. */
function otherwiseRead(reader: ObjectReader, definitions: NumberTable): ReadonlySet<number> {
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
      if (definitions.at(row, PLACE) !== place) suspects.add(number);
    }
  }
  return suspects;
}

/** The first of the objects that the catalog leads to. */
function findShown(own: OwnReading, wanted: ReadonlySet<number>): number | undefined {
  const seen = new Set<number>([own.root.objectNumber]);
  const open: PdfReference[] = [own.root];
  const visit = (value: PdfObject | undefined): void => {
    if (value instanceof PdfReference) {
      if (seen.has(value.objectNumber)) return;
      seen.add(value.objectNumber);
      open.push(value);
      return;
    }
    const dict = asDict(value) ?? asStream(value)?.dict;
    for (const each of asArray(value) ?? dict?.values() ?? []) visit(each);
  };
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (wanted.has(next.objectNumber)) return next.objectNumber;
    visit(attempt(own, next));
  }
  return undefined;
}

/** What the reference leads to; undefined when it cannot be read. */
function attempt({ reader }: OwnReading, reference: PdfReference): PdfObject | undefined {
  try {
    return reader.read(reference);
  } catch (error) {
    if (!isCoreError(error) || error.code === 'limit.exceeded') throw error;
    return undefined;
  }
}
