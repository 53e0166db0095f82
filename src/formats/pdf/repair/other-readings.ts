import { type ByteSource, latin1Text } from '../../../base/bytes.ts';
import { attemptRead, type ReadBudget } from '../budget.ts';
import { ObjectReader } from '../object-reader.ts';
import { characterClasses, SPACE } from '../syntax/characters.ts';
import {
  asArray,
  asDict,
  asStream,
  type PdfDict,
  type PdfObject,
  PdfReference,
  PdfStream,
} from '../syntax/objects.ts';
import { readSections } from '../xref/sections.ts';
import type { XrefLocation } from '../xref/xref.ts';
import { bodyAt } from './damaged-object.ts';
import { findAmbiguousNumbers, readLines, rootAt } from './line-readings.ts';
import type { Recovered } from './recovery.ts';
import { isCatalog } from './recovery-trailer.ts';
import { isReadLeniently, type StatedOffsets } from './stated-places.ts';

/** This reader's interpretation of a damaged file. */
export interface OwnReading {
  /** The bytes to which offsets refer. */
  readonly source: ByteSource;
  /** Reads the objects that were found. */
  readonly reader: ObjectReader;
  readonly root: PdfReference;
  /** Objects found by scanning the whole file. */
  readonly recovered: Recovered;
  /** Locations of objects according to the cross-reference data, if it was not used. */
  readonly stated: StatedOffsets | undefined;
  readonly budget: ReadBudget;
}

/** Result of comparing how different readers interpret a damaged file. */
export interface ReadingComparison {
  /** Possible difference in another reader; undefined if all show the same document. */
  readonly different: string | undefined;
  /** Streams with an incorrect length, among those reachable from the catalog. */
  readonly repaired: readonly RepairedObject[];
}

/** An object with a fault, as it was read despite it. */
export interface RepairedObject {
  readonly reference: PdfReference;
  readonly object: PdfObject;
}

/** Maximum offset of the linearization dictionary. */
const HEAD_BYTES = 1024;
const ENDSTREAM = 'endstream';
const linearized = /\d+\s+\d+\s+obj\s*<<[^>]*\/Linearized[^>]*>>\s*endobj/;
/** Reason why readers may repair a scanned file differently; undefined if none was found. */
function structuralDoubt({ source, reader, recovered }: OwnReading): string | undefined {
  if (reader.sections[0] !== recovered.section) return undefined;
  return isReadLeniently(source) ? 'some use its damaged cross-reference table' : undefined;
}

/**
 * Compares this reader's interpretation of a damaged file with those of other readers. Some search
 * for objects line by line: they find one at the start of every line, or also after `endobj`, even
 * in a string or in stream data. If several objects have the same number, some use the last, some
 * the last of the highest generation, some the one in an object stream; if there are several
 * trailers, some use the first. Some find a trailer but no object stream.
 *
 * Only objects reachable from the catalog, and the encryption, are compared: nothing else is shown.
 *
 * @throws limit.exceeded
 */
export function compareReadings(own: OwnReading): ReadingComparison {
  const { root, recovered } = own;
  const { definitions, trailers } = readLines(own.source);
  const named = trailers.flatMap((offset) => rootAt(own.source, offset, own.budget));
  const other = [...recovered.roots, ...named].find(
    (each) =>
      each.objectNumber !== root.objectNumber &&
      isCatalog(attemptRead(() => own.reader.read(each))),
  );
  if (other !== undefined) {
    return differs(`the catalog is object ${root.objectNumber} or ${other.objectNumber}`);
  }
  const structural = structuralDoubt(own);
  if (structural !== undefined) return differs(structural);
  if (recovered.sectionOffsets.some((offset) => recovered.streamLengths.has(offset))) {
    return differs('the cross-reference stream has an incorrect length');
  }
  const [broken] = recovered.brokenContainers;
  // Some readers use the readable part of it.
  if (broken !== undefined) return differs(`the object stream ${broken} cannot be read`);
  const suspects = findAmbiguousNumbers(own.reader, definitions, recovered.rows);
  // They open nothing unless the catalog is outside object streams.
  const hasTrailer = named.some((each) => own.reader.locate(each.objectNumber)?.kind === 'offset');
  return walkShown(own, {
    suspects,
    hasTrailer,
    front: hasTrailer ? undefined : readFrontSection(own),
  });
}

function differs(different: string): ReadingComparison {
  return { different, repaired: [] };
}

/** Parts of a file that other readers may interpret differently. */
interface OtherChoices {
  readonly suspects: ReadonlySet<number>;
  readonly hasTrailer: boolean;
  /** Finds an object in the first section of a linearized file; undefined for other files. */
  readonly front: ((objectNumber: number) => XrefLocation | undefined) | undefined;
}

/** In a linearized file without a trailer, some readers use only the section at the front. */
function readFrontSection({ source, budget }: OwnReading): OtherChoices['front'] {
  const head = latin1Text(source.slice(0, Math.min(source.lengthBytes, HEAD_BYTES)));
  const start = linearized.exec(head);
  if (start === null) return undefined;
  const front = attemptRead(() => {
    const sections = readSections(source, start.index + start[0].length, budget);
    const reader = new ObjectReader(source, sections, budget);
    // Its entries may be damaged too, which only shows on access.
    reader.locate(1);
    return reader;
  });
  return (objectNumber) => front?.locate(objectNumber);
}

/** Visits all objects reachable from the catalog, and the encryption, to the first difference. */
function walkShown(own: OwnReading, others: OtherChoices): ReadingComparison {
  const repaired: RepairedObject[] = [];
  const encryption = own.reader.sections[0]?.trailer.get('Encrypt');
  const open = [own.root, ...(encryption instanceof PdfReference ? [encryption] : [])];
  const seen = new Set(open.map(({ objectNumber }) => objectNumber));
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
    const number = next.objectNumber;
    const different = others.suspects.has(number)
      ? `object ${number} occurs more than once in the file`
      : findDifference(own, number, others);
    if (different !== undefined) return differs(different);
    const at = next;
    const value = attemptRead(() => own.reader.read(at));
    if (lacksContents(own, asDict(value))) {
      return differs(`the contents of page ${number} are missing`);
    }
    if (isSplitInWords(own, asDict(value))) {
      return differs(`the contents of page ${number} are split inside a token`);
    }
    const offset = offsetOf(own, number);
    if (value instanceof PdfStream && endsWithToken(own, offset, value)) {
      return differs(`"endstream" of object ${number} is at the end of a token`);
    }
    if (value instanceof PdfStream && own.recovered.streamLengths.has(offset)) {
      repaired.push({ reference: next, object: value });
    }
    visit(value);
  }
  return { different: undefined, repaired };
}

/** Why some readers do not find the object, or find a different end; undefined if there is none. */
function findDifference(
  own: OwnReading,
  number: number,
  { hasTrailer, front }: OtherChoices,
): string | undefined {
  const { streamLengths, unended } = own.recovered;
  const location = own.reader.locate(number);
  const stated = own.stated?.(number);
  if (stated !== undefined && stated !== offsetOf(own, number)) {
    return `the cross-reference data has a different position for object ${number}`;
  }
  if (front !== undefined && !isSamePlace(location, front(number))) {
    return `object ${number} is not at the position of the first section of the linearized file`;
  }
  if (location?.kind === 'compressed') {
    const { container } = location;
    if (hasTrailer) return `object ${number} is in an object stream, but the file has a trailer`;
    const isWrong = streamLengths.has(offsetOf(own, container));
    return isWrong ? `the object stream ${container} has an incorrect length` : undefined;
  }
  const offset = location?.offsetBytes ?? -1;
  const hasNoEnd = unended.has(offset) && streamLengths.has(offset);
  return hasNoEnd ? `the stream of object ${number} has no end` : undefined;
}

/** Whether the contents of a page, or part of them, reference a missing object. */
function lacksContents({ reader }: OwnReading, page: PdfDict | undefined): boolean {
  const contents = page?.get('Contents');
  const parts = asArray(attemptRead(() => reader.resolve(contents))) ?? [contents];
  return parts.some(
    (part) => part instanceof PdfReference && reader.locate(part.objectNumber) === undefined,
  );
}

/**
 * Whether the contents of a page are split inside a token between streams whose lengths are
 * references: a reader that does not follow these treats the end of line after the data as data.
 */
function isSplitInWords(own: OwnReading, page: PdfDict | undefined): boolean {
  const parts = asArray(attemptRead(() => own.reader.resolve(page?.get('Contents')))) ?? [];
  return parts.slice(0, -1).some((part) => {
    const stream = asStream(attemptRead(() => own.reader.resolve(part)));
    if (stream === undefined || stream.dict.has('Filter')) return false;
    const last = stream.raw.at(-1);
    const isOpen = last !== undefined && characterClasses[last] !== SPACE;
    return isOpen && stream.dict.get('Length') instanceof PdfReference;
  });
}

/**
 * Whether unfiltered data ends with a token directly before `endstream`: some readers that scan
 * then read the data up to the next `endstream`.
 */
function endsWithToken({ source, budget }: OwnReading, offset: number, stream: PdfStream): boolean {
  if (offset < 0 || stream.dict.has('Filter')) return false;
  const last = stream.raw.at(-1);
  if (last === undefined || characterClasses[last] === SPACE) return false;
  const start = bodyAt(source, offset, budget)?.dataOffset;
  return start !== undefined && endstreamIsAt(source, start + stream.raw.length);
}

function endstreamIsAt(source: ByteSource, offset: number): boolean {
  const end = Math.min(source.lengthBytes, offset + ENDSTREAM.length);
  return latin1Text(source.slice(Math.min(offset, end), end)) === ENDSTREAM;
}

function isSamePlace(one: XrefLocation | undefined, other: XrefLocation | undefined): boolean {
  if (one?.kind === 'offset') {
    return other?.kind === 'offset' && one.offsetBytes === other.offsetBytes;
  }
  if (one === undefined || other?.kind !== 'compressed') return one === other;
  return one.container === other.container && one.index === other.index;
}

function offsetOf({ reader }: OwnReading, number: number): number {
  const location = reader.locate(number);
  return location?.kind === 'offset' ? location.offsetBytes : -1;
}
