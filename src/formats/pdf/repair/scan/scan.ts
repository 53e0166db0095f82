import { type ByteSource, latin1Bytes } from '../../../../base/bytes.ts';
import { limits } from '../../../../base/limits.ts';
import { budgetExceeded, type ReadBudget } from '../../budget.ts';
import { characterClasses, SPACE } from '../../syntax/characters.ts';
import { asDict, asInteger, asName, type PdfDict, PdfReference } from '../../syntax/objects.ts';
import { attemptAt, endstreamAt, parseBody } from '../damaged-object.ts';
import { NumberTable } from '../number-table.ts';
import { ByteScanner } from './byte-scanner.ts';
import { END_OF_FILE, endOfMarker, GapReader } from './gap-reader.ts';
import { StreamEnds } from './stream-ends.ts';

/** An object stream or cross-reference stream, as found in the file. */
export interface FoundContainer {
  readonly objectNumber: number;
  readonly offsetBytes: number;
  readonly dict: PdfDict;
  readonly dataOffset: number;
  /** From `/Length` if that leads to `endstream`, otherwise found by searching. */
  readonly lengthBytes: number;
}

/** A trailer dictionary, or the dictionary of a cross-reference stream. */
export interface FoundTrailer {
  readonly offsetBytes: number;
  readonly dict: PdfDict;
}

/** Objects and trailers of a file, in file order. */
export interface Scan {
  /** Every usable `N G obj`. Rows: object number, offset, generation. */
  readonly definitions: NumberTable;
  /**
   * Streams whose `/Length` is a reference, so that their end was found by searching. Rows: offset
   * of the object, offset of the data, length as found, object number of the length.
   */
  readonly openLengths: NumberTable;
  /** Actual length of streams whose direct `/Length` is incorrect, by object offset. */
  readonly lengths: Map<number, number>;
  /** Offsets of stream objects without `endstream` before the next object. */
  readonly unended: ReadonlySet<number>;
  readonly containers: readonly FoundContainer[];
  readonly trailers: readonly FoundTrailer[];
  /** Cross-reference streams. */
  readonly sections: readonly FoundContainer[];
  /** Number of objects without `endobj`. */
  readonly unclosed: number;
  /** Number of objects dropped because they are unreadable or truncated. */
  readonly broken: number;
  /** Number of headers with a number out of range. */
  readonly outOfRange: number;
  /** Number of unreadable trailer dictionaries. */
  readonly brokenTrailers: number;
}

interface Header {
  readonly objectNumber: number;
  readonly generation: number;
  readonly offsetBytes: number;
  readonly bodyOffset: number;
}

const OBJ = latin1Bytes('obj');
const STREAM = latin1Bytes('stream');
/** Also the end of `startxref`. */
const XREF = latin1Bytes('xref');
const TRAILER = latin1Bytes('trailer');
/** Characters that end a value. */
const CLOSERS = latin1Bytes(')]>}');
/** Characters that can hide the actual end of an object, or contain an apparent one. */
const HIDERS = [latin1Bytes('('), latin1Bytes('%')];
const MAX_GENERATION = 65_535;
/** Maximum distance in bytes between the numbers and `obj`: they may be on separate lines. */
const HEADER_BYTES = 48;

/**
 * Every object and trailer of a file. The file is read once, front to back. Stream data is skipped
 * if its `/Length` leads to `endstream`; otherwise it ends at the next `endstream`, or where the
 * next object clearly starts. Comments and strings contain no objects.
 *
 * @param takesHidden whether comments and strings between objects are searched like anything else
 * @throws limit.exceeded if the file has too many objects or they take too much to read
 */
export function scanObjects(source: ByteSource, budget: ReadBudget, takesHidden = false): Scan {
  const scan = new ObjectScan(source, budget, takesHidden);
  scan.run();
  return scan;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

class ObjectScan implements Scan {
  readonly definitions = new NumberTable(3);
  readonly openLengths = new NumberTable(4);
  readonly lengths = new Map<number, number>();
  readonly unended = new Set<number>();
  readonly containers: FoundContainer[] = [];
  readonly trailers: FoundTrailer[] = [];
  readonly sections: FoundContainer[] = [];
  unclosed = 0;
  broken = 0;
  outOfRange = 0;
  brokenTrailers = 0;
  readonly #scanner: ByteScanner;
  readonly #source: ByteSource;
  readonly #budget: ReadBudget;
  /** The object whose end has not been found yet. */
  #open: Header | undefined;
  /** Start of the bytes that belong to no object. */
  #gap = 0;
  readonly #ends: StreamEnds;
  readonly #takesHidden: boolean;
  readonly #gaps: GapReader;

  constructor(source: ByteSource, budget: ReadBudget, takesHidden: boolean) {
    this.#source = source;
    this.#scanner = new ByteScanner(source);
    this.#gaps = new GapReader(this.#scanner);
    this.#takesHidden = takesHidden;
    this.#ends = new StreamEnds(this.#scanner);
    this.#budget = budget;
  }

  run(): void {
    let at = this.#gap;
    for (;;) {
      const found = this.#scanner.find(OBJ, at);
      if (found < 0) break;
      const hiddenUntil = this.#open === undefined ? this.#hiddenUntil(found) : -1;
      if (hiddenUntil >= 0) {
        at = hiddenUntil;
        continue;
      }
      const closes = this.#closesAt(found);
      const header = closes ? undefined : this.#headerAt(found);
      if (!closes && header === undefined) at = found + OBJ.length;
      else if (this.#open === undefined) at = this.#outside(header, found);
      else at = this.#inside(this.#open, header, found);
    }
    const end = this.#source.lengthBytes;
    if (this.#open !== undefined) this.#settle(this.#open, end, false);
    this.#findTrailers(this.#gap, end);
  }

  /** End of the comment or string around `offset` between objects; otherwise -1. */
  #hiddenUntil(offset: number): number {
    return this.#takesHidden ? -1 : this.#gaps.hiddenUntil(this.#gap, offset);
  }

  /** Whether the `obj` at `found` is the end of `endobj`. */
  #closesAt(found: number): boolean {
    const scanner = this.#scanner;
    return (
      scanner.byteAt(found - 1) === 0x64 &&
      scanner.byteAt(found - 2) === 0x6e &&
      scanner.byteAt(found - 3) === 0x65
    );
  }

  /** The header that ends with the `obj` at `found`, read backwards. */
  #headerAt(found: number): Header | undefined {
    const behind = this.#scanner.byteAt(found + OBJ.length);
    if (behind >= 0 && characterClasses[behind] === 0) return undefined;
    const first = Math.max(this.#gap, found - HEADER_BYTES);
    const generationEnd = this.#skipSpaceBack(found, first);
    const generationStart = this.#skipDigitsBack(generationEnd, first);
    const numberEnd = this.#skipSpaceBack(generationStart, first);
    const offsetBytes = this.#skipDigitsBack(numberEnd, first);
    const isHeader =
      generationEnd < found &&
      generationStart < generationEnd &&
      numberEnd < generationStart &&
      offsetBytes < numberEnd;
    if (!isHeader || this.#goesOn(offsetBytes, first)) return undefined;
    const generation = this.#readDigits(generationStart, generationEnd);
    const objectNumber = this.#readDigits(offsetBytes, numberEnd);
    if (
      objectNumber === 0 ||
      objectNumber > limits.pdfObjectNumber ||
      generation > MAX_GENERATION
    ) {
      this.outOfRange++;
      return undefined;
    }
    return { objectNumber, generation, offsetBytes, bodyOffset: found + OBJ.length };
  }

  /** Whether the number at `offset` is the rest of a word, or part of something else. */
  #goesOn(offset: number, first: number): boolean {
    if (offset === first || this.#takesHidden) return false;
    const before = this.#scanner.byteAt(offset - 1);
    if (endOfMarker(this.#scanner, offset - END_OF_FILE.length) === offset) return false;
    return characterClasses[before] !== SPACE && !CLOSERS.includes(before);
  }

  #skipSpaceBack(end: number, first: number): number {
    let at = end;
    while (at > first && characterClasses[this.#scanner.byteAt(at - 1)] === SPACE) at--;
    return at;
  }

  #skipDigitsBack(end: number, first: number): number {
    let at = end;
    while (at > first && isDigit(this.#scanner.byteAt(at - 1))) at--;
    return at;
  }

  #readDigits(start: number, end: number): number {
    let value = 0;
    for (let at = start; at < end; at++) value = value * 10 + this.#scanner.byteAt(at) - 0x30;
    return value;
  }

  /** Between objects. Returns the offset at which to continue. */
  #outside(header: Header | undefined, found: number): number {
    this.#findTrailers(this.#gap, header?.offsetBytes ?? found);
    this.#open = header;
    this.#gap = found + OBJ.length;
    return this.#gap;
  }

  /** Inside an object, at `endobj` or an apparent header. Returns the offset to continue at. */
  #inside(open: Header, header: Header | undefined, found: number): number {
    const limit = header?.offsetBytes ?? found - 3;
    const behind = found + OBJ.length;
    const has = (word: Uint8Array) => this.#scanner.find(word, open.bodyOffset, limit) >= 0;
    if (header === undefined && !has(STREAM) && !HIDERS.some(has)) {
      this.#define(open);
      this.#open = undefined;
      this.#gap = behind;
      return behind;
    }
    // What follows a complete or unreadable object is independent of it.
    const end = this.#settle(open, limit, header === undefined);
    return Math.max(end, this.#gap);
  }

  /** Reads the open object and closes it; returns its end. Its end marker is at `limit`. */
  #settle(open: Header, limit: number, closed: boolean): number {
    this.#open = undefined;
    const body = attemptAt(this.#source, open.bodyOffset, this.#budget, parseBody);
    let end: number;
    if (body === undefined) {
      this.broken++;
      end = this.#skipBroken(open, limit);
    } else if (body.dataOffset === undefined) {
      end = body.endOffset;
      const unclosed = !closed && end <= limit;
      if (unclosed && this.#isCutOff(end, limit)) {
        this.broken++;
      } else {
        this.#define(open);
        if (unclosed) this.unclosed++;
      }
    } else {
      end = this.#stream(open, body.value as PdfDict, body.dataOffset);
    }
    this.#gap = end;
    return end;
  }

  /** Unless a trailer follows, the last object may be truncated, such as 12 of 123. */
  #isCutOff(endOffset: number, limit: number): boolean {
    if (limit < this.#source.lengthBytes) return false;
    return [XREF, TRAILER].every((word) => this.#scanner.find(word, endOffset) < 0);
  }

  /** Returns the offset at which to continue after an unreadable object: after its data, if any. */
  #skipBroken(open: Header, limit: number): number {
    const found = this.#scanner.find(STREAM, open.bodyOffset, limit);
    if (found < 0) return open.bodyOffset;
    const behind = this.#scanner.byteAt(found + STREAM.length);
    if (behind !== 0x0a && behind !== 0x0d) return open.bodyOffset;
    const stop = this.#ends.find(found + STREAM.length);
    return stop < 0 ? open.bodyOffset : stop;
  }

  #stream(open: Header, dict: PdfDict, dataOffset: number): number {
    const length = dict.get('Length');
    const stated = asInteger(length) ?? -1;
    let lengthBytes = stated;
    let end = stated < 0 ? -1 : endstreamAt(this.#source, dataOffset + stated, this.#budget);
    if (end < 0) {
      end = this.#ends.find(dataOffset);
      if (end < 0) {
        this.broken++;
        this.#keepTrailer(open, dict, dataOffset);
        return dataOffset;
      }
      lengthBytes = this.#ends.trim(dataOffset, end) - dataOffset;
      if (!this.#ends.isEndstream(end)) this.unended.add(open.offsetBytes);
      if (length instanceof PdfReference) {
        this.openLengths.push(open.offsetBytes, dataOffset, lengthBytes, length.objectNumber);
      } else {
        this.lengths.set(open.offsetBytes, lengthBytes);
      }
    }
    this.#define(open);
    const type = asName(dict.get('Type'))?.value;
    const { objectNumber, offsetBytes } = open;
    const found = { objectNumber, offsetBytes, dict, dataOffset, lengthBytes };
    if (type === 'XRef') {
      this.sections.push(found);
      this.trailers.push({ offsetBytes, dict });
    } else if (type === 'ObjStm') this.containers.push(found);
    return end;
  }

  /** A truncated section still names the catalog and shows that a file is encrypted. */
  #keepTrailer({ objectNumber, offsetBytes }: Header, dict: PdfDict, dataOffset: number): void {
    if (asName(dict.get('Type'))?.value !== 'XRef') return;
    this.trailers.push({ offsetBytes, dict });
    this.sections.push({ objectNumber, offsetBytes, dict, dataOffset, lengthBytes: 0 });
    this.lengths.set(offsetBytes, 0);
  }

  #define({ objectNumber, offsetBytes, generation }: Header): void {
    if (--this.#budget.values < 0) throw budgetExceeded('number of objects');
    this.definitions.push(objectNumber, offsetBytes, generation);
  }

  #findTrailers(from: number, limit: number): void {
    const gaps = new GapReader(this.#scanner);
    let found = this.#scanner.find(TRAILER, from, limit);
    while (found >= 0) {
      const at = found + TRAILER.length;
      const hiddenUntil = this.#takesHidden ? -1 : gaps.hiddenUntil(from, found);
      if (hiddenUntil >= 0) {
        found = this.#scanner.find(TRAILER, Math.max(at, hiddenUntil), limit);
        continue;
      }
      const dict = attemptAt(this.#source, at, this.#budget, (parser) =>
        asDict(parser.parseObject()),
      );
      if (dict === undefined) this.brokenTrailers++;
      else this.trailers.push({ offsetBytes: found, dict });
      found = this.#scanner.find(TRAILER, at, limit);
    }
  }
}
