import { hash } from 'node:crypto';
import { concatBytes } from '../../base/bytes.ts';
import { assert, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { mentionedNumbers } from './mentions.ts';
import type { PdfFile } from './pdf-file.types.ts';
import {
  asArray,
  asString,
  type PdfObject,
  PdfRaw,
  PdfReference,
  PdfStream,
  PdfString,
  pdfName,
} from './syntax/objects.ts';
import { PdfWriter } from './syntax/serializer.ts';
import { formatXrefTable, type WrittenObject, xrefRows } from './xref/xref-writer.ts';

/** Changes to a file, appended as one incremental update. */
export interface PdfUpdate {
  /**
   * Returns a reference to a new object, which must then be set; the file contains no reference to
   * its number.
   *
   * @throws limit.exceeded if all object numbers are in use
   */
  allocate(): PdfReference;
  /** Writes the object under this reference; an existing object is replaced. */
  set(reference: PdfReference, object: PdfObject): void;
  /**
   * Returns the bytes to append to the file.
   *
   * @throws limit.exceeded if an offset does not fit into a cross-reference table
   */
  finish(): PdfUpdateResult;
}

/** An incremental update. */
export interface PdfUpdateResult {
  /** Bytes to append to the unchanged file. */
  readonly bytes: Uint8Array;
  /** Offset of each marked PdfRaw from the start of the file. */
  readonly marks: ReadonlyMap<string, number>;
}

/** Highest offset that fits into ten digits. */
const MAX_TABLE_OFFSET = 9_999_999_999;

/**
 * Starts an update. Its cross-reference section has the same form as the newest one of the file, so
 * that a reader of the file can also read the result.
 *
 *     [EOL]  objects  cross-reference section  startxref  offset  %%EOF
 *
 * @spec ISO 32000-1 §7.5.6
 */
export function beginUpdate(file: PdfFile): PdfUpdate {
  const objects = new Map<number, { reference: PdfReference; object: PdfObject }>();
  let next = file.objectCount;
  let mentioned: ReadonlySet<number> | undefined;
  const skipMentioned = (): void => {
    mentioned ??= mentionedNumbers(file, file.objectCount);
    while (mentioned.has(next)) next++;
  };
  return {
    allocate() {
      skipMentioned();
      if (next > limits.pdfObjectNumber) {
        throw new InnsigliError('limit.exceeded', 'the PDF has no free object number');
      }
      return new PdfReference(next++, 0);
    },
    set(reference, object) {
      const { objectNumber } = reference;
      assert(objectNumber > 0 && objectNumber < next, 'an object of the file or an allocated one');
      objects.set(objectNumber, { reference, object });
    },
    finish() {
      for (const mended of file.mended) {
        const { objectNumber } = mended.reference;
        if (!objects.has(objectNumber)) objects.set(objectNumber, mended);
      }
      // A cross-reference stream also needs an object number.
      skipMentioned();
      return writeUpdate(file, [...objects.values()], next);
    },
  };
}

function writeUpdate(
  file: PdfFile,
  objects: readonly { readonly reference: PdfReference; readonly object: PdfObject }[],
  next: number,
): PdfUpdateResult {
  const { lengthBytes } = file.source;
  // Offsets are relative to the header; marks to the first byte, as in /ByteRange.
  const base = lengthBytes - file.originBytes;
  const writer = new PdfWriter(estimateBytes(objects));
  const { output } = writer;
  const lastByte = file.source.slice(lengthBytes - 1, lengthBytes)[0];
  if (lastByte !== 0x0a && lastByte !== 0x0d) writer.text('\n');
  const written: WrittenObject[] = objects.map(({ reference, object }) => {
    const offsetBytes = base + output.lengthBytes;
    writer.indirect(reference, file.security?.encrypt(reference, object) ?? object);
    return { reference, offsetBytes };
  });
  const startBytes = base + output.lengthBytes;
  const trailer = trailerOf(file, output.bytes);
  const rows = file.previous === undefined ? completed(file, written) : written;
  const asStream =
    file.sections[0]?.kind === 'stream' || rows.some(({ container }) => container !== undefined);
  if (asStream) writeXrefStream(writer, rows, trailer, new PdfReference(next, 0), startBytes);
  else {
    if (startBytes > MAX_TABLE_OFFSET) {
      throw new InnsigliError('limit.exceeded', 'the file is too long for a cross-reference table');
    }
    trailer.set('Size', next);
    writer.text(formatXrefTable(rows, file.previous === undefined));
    writer.text('trailer\n');
    writer.value(trailer);
    writer.text('\n');
  }
  writer.text(`startxref\n${startBytes}\n%%EOF\n`);
  const marks = new Map<string, number>();
  for (const [mark, at] of writer.marks) marks.set(mark, lengthBytes + at);
  return { bytes: output.bytes, marks };
}

/** Estimated length of an update: a few hundred bytes per object plus raw bytes and stream data. */
function estimateBytes(objects: readonly { readonly object: PdfObject }[]): number {
  let bytes = 2_048;
  for (const { object } of objects) {
    bytes += 512;
    if (object instanceof PdfStream) bytes += object.raw.length;
    else if (object instanceof Map) {
      for (const value of object.values()) {
        if (value instanceof PdfRaw) bytes += value.bytes.length;
      }
    }
  }
  return bytes;
}

/**
 * The written objects and, for a file with damaged cross-reference data, all of its other objects,
 * so that readers find them without a /Prev that leads nowhere.
 */
function completed(file: PdfFile, written: readonly WrittenObject[]): readonly WrittenObject[] {
  const rows = [...written];
  const own = new Set(written.map(({ reference }) => reference.objectNumber));
  const seen = new Set<number>();
  for (const { ranges } of file.sections) {
    for (const { first, count } of ranges) {
      for (let objectNumber = first; objectNumber < first + count; objectNumber++) {
        if (own.has(objectNumber) || seen.has(objectNumber)) continue;
        seen.add(objectNumber);
        const location = file.locate(objectNumber);
        if (location?.kind === 'offset') {
          const reference = new PdfReference(objectNumber, location.generation);
          rows.push({ reference, offsetBytes: location.offsetBytes });
        } else if (location?.kind === 'compressed') {
          const { container, index } = location;
          const reference = new PdfReference(objectNumber, 0);
          rows.push({ reference, offsetBytes: index, container });
        }
      }
    }
  }
  return rows;
}

/** Entries common to both kinds of section. */
function trailerOf(file: PdfFile, content: Uint8Array): Map<string, PdfObject> {
  const trailer = new Map<string, PdfObject>();
  trailer.set('Size', 0);
  trailer.set('Root', file.catalogReference);
  const info = file.trailer.get('Info');
  // The standard requires a reference; a direct dictionary is kept too.
  if (info instanceof PdfReference || info instanceof Map) trailer.set('Info', info);
  // As in the file, even if it points to white space before the section: validators compare both.
  if (file.previous !== undefined) trailer.set('Prev', file.previous);
  const encrypt = file.sections.find((section) => section.trailer.has('Encrypt'));
  if (encrypt !== undefined) {
    trailer.set('Encrypt', encrypt.trailer.get('Encrypt') as PdfObject);
    // The key was derived from the identifier, or from its absence.
    if (file.trailer.get('ID') === undefined) return trailer;
  }
  trailer.set('ID', nextId(file, content));
  return trailer;
}

/**
 * The identifier of the new revision: the first part is unchanged, the second is a hash of the
 * change, so that the same change of the same file yields the same bytes.
 *
 * @spec ISO 32000-1 §14.4
 */
function nextId(file: PdfFile, content: Uint8Array): readonly PdfObject[] {
  const [first, second] = asArray(file.resolve(file.trailer.get('ID'))) ?? [];
  const permanent = asString(file.resolve(first));
  const before = asString(file.resolve(second));
  const hashed = before === undefined ? content : concatBytes([content, before.bytes]);
  const changing = new PdfString(hash('sha256', hashed, 'buffer').subarray(0, 16), true);
  if (permanent === undefined || permanent.bytes.length === 0) return [changing, changing];
  return [new PdfString(permanent.bytes, true), changing];
}

function writeXrefStream(
  writer: PdfWriter,
  written: readonly WrittenObject[],
  trailer: Map<string, PdfObject>,
  own: PdfReference,
  offsetBytes: number,
): void {
  if (own.objectNumber > limits.pdfObjectNumber) {
    throw new InnsigliError('limit.exceeded', 'the PDF has no free object number');
  }
  const { rows, widths, index } = xrefRows([...written, { reference: own, offsetBytes }]);
  trailer.set('Size', own.objectNumber + 1);
  trailer.set('Type', pdfName('XRef'));
  trailer.set('Index', index);
  trailer.set('W', widths);
  writer.indirect(own, new PdfStream(trailer, rows));
}
