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
import { otherwiseRead, readLines, rootAt } from './line-readings.ts';
import type { Recovered } from './recovery.ts';
import { isCatalog } from './recovery-trailer.ts';
import { isReadLeniently, type StatedPlaces } from './stated-places.ts';

/** Our own way of reading a damaged file. */
export interface OwnReading {
  /** The bytes that offsets count in. */
  readonly source: ByteSource;
  /** Reads the objects that were found. */
  readonly reader: ObjectReader;
  readonly root: PdfReference;
  /** Objects found by reading all of the file. */
  readonly recovered: Recovered;
  /** Places of objects according to the cross-reference data, if it was not used. */
  readonly stated: StatedPlaces | undefined;
  readonly budget: ReadBudget;
}

/** Result of comparing the ways in which readers handle a damaged file. */
export interface ReadingComparison {
  /** Difference that another reader may show; undefined if all show the same document. */
  readonly different: string | undefined;
  /** Streams whose length was wrong, as far as the catalog leads to them. */
  readonly mended: readonly MendedObject[];
}

/** An object as it was read although something about it was wrong. */
export interface MendedObject {
  readonly reference: PdfReference;
  readonly object: PdfObject;
}

/** Greatest offset of the linearization dictionary. */
const HEAD_BYTES = 1024;
const ENDSTREAM = 'endstream';
const linearized = /\d+\s+\d+\s+obj\s*<<[^>]*\/Linearized[^>]*>>\s*endobj/;
/** The reason that readers may repair a scanned file in other ways; undefined: nothing found. */
function structuralDoubt({ source, reader, recovered }: OwnReading): string | undefined {
  if (reader.sections[0] !== recovered.section) return undefined;
  return isReadLeniently(source) ? 'some use its damaged cross-reference table' : undefined;
}

/**
 * Compares our reading with those of other readers of a damaged file. Some search for objects line
 * by line: they find one at the start of every line, or after `endobj` too, even in a string or in
 * the data of a stream. If several objects have one number, some take the last, some the last of
 * the highest generation, some the one in an object stream; if there are several trailers, some
 * take the first. Some find a trailer and no object stream.
 *
 * Only what the catalog leads to is compared, and how it is decrypted: nothing else is shown.
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
  // Some readers take from it what they can.
  if (broken !== undefined) return differs(`the object stream ${broken} cannot be read`);
  const suspects = otherwiseRead(own.reader, definitions, recovered.rows);
  // Without a catalog outside of object streams they open nothing.
  const hasTrailer = named.some((each) => own.reader.locate(each.objectNumber)?.kind === 'offset');
  return walkShown(own, { suspects, hasTrailer, front: hasTrailer ? undefined : frontOf(own) });
}

function differs(different: string): ReadingComparison {
  return { different, mended: [] };
}

/** Parts of a file that other readers may read in another way. */
interface OtherChoices {
  readonly suspects: ReadonlySet<number>;
  readonly hasTrailer: boolean;
  /**
   * Finds the place of an object in the first section of a linearized file; undefined for other
   * files.
   */
  readonly front: ((objectNumber: number) => XrefLocation | undefined) | undefined;
}

/** In a linearized file without a trailer some readers take the section in front, and no other. */
function frontOf({ source, budget }: OwnReading): OtherChoices['front'] {
  const head = latin1Text(source.slice(0, Math.min(source.lengthBytes, HEAD_BYTES)));
  const start = linearized.exec(head);
  if (start === null) return undefined;
  const front = attemptRead(() => {
    const sections = readSections(source, start.index + start[0].length, budget);
    const reader = new ObjectReader(source, sections, budget);
    // Its entries may be damaged, too: that shows when one is asked for.
    reader.locate(1);
    return reader;
  });
  return (objectNumber) => front?.locate(objectNumber);
}

/** Looks at all that the catalog leads to, and at the encryption, up to the first difference. */
function walkShown(own: OwnReading, others: OtherChoices): ReadingComparison {
  const mended: MendedObject[] = [];
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
      : whatIsOdd(own, number, others);
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
    if (value instanceof PdfStream && isGlued(own, offset, value)) {
      return differs(`"endstream" of object ${number} is at the end of a token`);
    }
    if (value instanceof PdfStream && own.recovered.streamLengths.has(offset)) {
      mended.push({ reference: next, object: value });
    }
    visit(value);
  }
  return { different: undefined, mended };
}

/**
 * The reason that some readers do not find the object, or find another end of it; undefined without
 * one.
 */
function whatIsOdd(
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

/** True for a page whose contents, or a part of them, are an object that stands nowhere. */
function lacksContents({ reader }: OwnReading, page: PdfDict | undefined): boolean {
  const contents = page?.get('Contents');
  const parts = asArray(attemptRead(() => reader.resolve(contents))) ?? [contents];
  return parts.some(
    (part) => part instanceof PdfReference && reader.locate(part.objectNumber) === undefined,
  );
}

/**
 * True for a page whose contents go on in the middle of a word, with lengths that are references:
 * a reader that does not follow these takes the end of line behind the data for data.
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
 * True for plain data with its last word in front of `endstream`, and nothing between: some readers
 * that scan take the data up to the next `endstream` then.
 */
function isGlued({ source, budget }: OwnReading, offset: number, stream: PdfStream): boolean {
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
