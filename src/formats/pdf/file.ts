import type { ByteSource } from '../../base/bytes.ts';
import { CoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type ReadBudget, readBudget } from './budget.ts';
import { decodeCounted, decodeStream } from './filters.ts';
import { readIndirectObject } from './indirect.ts';
import { type ObjectStream, openObjectStream } from './object-stream.ts';
import {
  asDict,
  asInteger,
  asName,
  asReference,
  type PdfDict,
  type PdfObject,
  PdfReference,
  PdfStream,
} from './objects.ts';
import { readSections } from './sections.ts';
import { readHeader, readStartXref } from './tail.ts';
import { type XrefLocation, type XrefSection, xrefInvalid } from './xref.ts';

/** An open PDF: objects are read, and remembered, when they are asked for. */
export interface PdfFile {
  readonly source: ByteSource;
  /** The later one of header and catalog, such as `1.7`. */
  readonly version: string;
  /** Cross-reference sections, newest first. */
  readonly sections: readonly XrefSection[];
  /** Trailer of the newest section. */
  readonly trailer: PdfDict;
  /** The next free object number: no section speaks of it or a higher one. */
  readonly objectCount: number;
  readonly catalogReference: PdfReference;
  readonly catalog: PdfDict;
  /**
   * The object, null when it is free or absent.
   *
   * @throws pdf.xref.invalid when another object stands where it should be
   * @throws pdf.object.missing when the object stream that holds it is absent
   * @throws pdf.syntax.invalid, pdf.stream.invalid, pdf.truncated, limit.exceeded
   */
  read(reference: PdfReference): PdfObject;
  /**
   * The value itself, or what its reference leads to; null for undefined.
   *
   * @throws pdf.structure.invalid when references lead nowhere but to references
   */
  resolve(value: PdfObject | undefined): PdfObject;
  /**
   * The data of a stream with its filters undone: Flate, LZW, ASCIIHex, ASCII85, RunLength.
   *
   * @throws pdf.stream.invalid, pdf.filter.unsupported, limit.exceeded
   */
  decode(stream: PdfStream): Uint8Array;
  /** Where an object stands, undefined when it is free or absent. */
  locate(objectNumber: number): XrefLocation | undefined;
}

/**
 * Opens a PDF: reads its header, its tail, the cross-reference sections and the catalog. Other
 * objects and the entries of tables are read on demand.
 *
 * @throws pdf.empty, pdf.notpdf, pdf.truncated, pdf.encrypted
 * @throws pdf.header.offset when bytes stand in front of the header and offsets do not fit
 * @throws pdf.xref.invalid, pdf.syntax.invalid, pdf.structure.invalid, pdf.object.missing
 * @throws limit.exceeded
 */
export function openPdf(source: ByteSource): PdfFile {
  const header = readHeader(source);
  try {
    const budget = readBudget(source.lengthBytes);
    const sections = readSections(source, readStartXref(source), budget);
    refuseEncrypted(sections);
    return new LazyPdfFile(source, header.version, sections, budget);
  } catch (error) {
    const misplaced = error instanceof CoreError && error.code === 'pdf.xref.invalid';
    if (!misplaced || header.offsetBytes === 0) throw error;
    throw new CoreError(
      'pdf.header.offset',
      `${header.offsetBytes} bytes stand before the header and offsets do not fit`,
      {
        cause: error,
        details: { offsetBytes: header.offsetBytes },
        hint: 'Remove the bytes before "%PDF-", or save the document anew.',
      },
    );
  }
}

function refuseEncrypted(sections: readonly XrefSection[]): void {
  for (const { trailer } of sections) {
    const encrypt = trailer.get('Encrypt');
    if (encrypt === undefined || encrypt === null) continue;
    throw new CoreError('pdf.encrypted', 'the PDF is encrypted', {
      hint: 'Remove the encryption first: save the document without a password.',
    });
  }
}

/** Number of the first object that no section names or claims by /Size. */
function countObjects(sections: readonly XrefSection[]): number {
  let count = 1;
  for (const { trailer, ranges, offsetBytes } of sections) {
    const size = asInteger(trailer.get('Size'));
    if (size === undefined || size < 0) {
      throw xrefInvalid('/Size is no number of objects, in the section', offsetBytes);
    }
    if (size > limits.pdfObjectNumber + 1) {
      throw new CoreError(
        'limit.exceeded',
        `/Size is ${size}, the highest possible is ${limits.pdfObjectNumber + 1}`,
      );
    }
    count = Math.max(count, size);
    for (const range of ranges) count = Math.max(count, range.first + range.count);
  }
  return count;
}

class LazyPdfFile implements PdfFile {
  readonly source: ByteSource;
  readonly version: string;
  readonly sections: readonly XrefSection[];
  readonly trailer: PdfDict;
  readonly objectCount: number;
  readonly catalogReference: PdfReference;
  readonly catalog: PdfDict;
  readonly #budget: ReadBudget;
  readonly #objects = new Map<number, PdfObject>();
  readonly #generations = new Map<number, number>();
  readonly #containers = new Map<number, ObjectStream>();
  readonly #reading = new Set<number>();

  constructor(
    source: ByteSource,
    headerVersion: string,
    sections: readonly XrefSection[],
    budget: ReadBudget,
  ) {
    this.source = source;
    this.sections = sections;
    this.trailer = (sections[0] as XrefSection).trailer;
    this.#budget = budget;
    this.objectCount = countObjects(sections);
    const root = asReference(this.trailer.get('Root'));
    if (root === undefined) {
      throw new CoreError('pdf.structure.invalid', 'the trailer has no reference to a catalog');
    }
    const catalog = asDict(this.#require(root));
    if (catalog === undefined) {
      throw new CoreError('pdf.structure.invalid', 'the catalog is no dictionary');
    }
    this.catalogReference = root;
    this.catalog = catalog;
    const version = asName(this.resolve(catalog.get('Version')))?.value ?? '';
    this.version = Number(version) > Number(headerVersion) ? version : headerVersion;
  }

  read(reference: PdfReference): PdfObject {
    const { objectNumber, generation } = reference;
    let value = this.#objects.get(objectNumber);
    if (value === undefined) {
      value = this.#load(objectNumber);
      this.#objects.set(objectNumber, value);
    }
    // Only generations other than 0 are noted: they are rare.
    return (this.#generations.get(objectNumber) ?? 0) === generation ? value : null;
  }

  resolve(value: PdfObject | undefined): PdfObject {
    if (!(value instanceof PdfReference)) return value ?? null;
    let found: PdfObject = value;
    for (let hops = 0; hops < limits.pdfReferenceHops; hops++) {
      found = this.read(found);
      if (!(found instanceof PdfReference)) return found;
    }
    throw new CoreError(
      'pdf.structure.invalid',
      `object ${value.objectNumber} leads from reference to reference without end`,
    );
  }

  decode(stream: PdfStream): Uint8Array {
    return decodeStream(stream, (value) => this.resolve(value), limits.pdfDecodedBytes);
  }

  locate(objectNumber: number): XrefLocation | undefined {
    for (const section of this.sections) {
      const entry = section.find(objectNumber);
      if (entry !== undefined) return entry.kind === 'free' ? undefined : entry;
    }
    return undefined;
  }

  #require(reference: PdfReference): PdfObject {
    const value = this.read(reference);
    if (value !== null) return value;
    const { objectNumber, generation } = reference;
    throw new CoreError('pdf.object.missing', `object ${objectNumber} ${generation} is missing`, {
      details: { objectNumber },
    });
  }

  #load(objectNumber: number): PdfObject {
    const location = this.locate(objectNumber);
    if (location === undefined) return null;
    if (this.#reading.has(objectNumber)) {
      throw new CoreError('pdf.structure.invalid', `object ${objectNumber} depends on itself`);
    }
    // The length of a stream may stand in a stream, whose length stands in a stream, and so on.
    if (this.#reading.size >= limits.pdfReferenceHops) {
      throw new CoreError('limit.exceeded', `object ${objectNumber} is needed too indirectly`);
    }
    this.#reading.add(objectNumber);
    try {
      if (location.kind === 'offset') return this.#loadAt(objectNumber, location);
      return this.#containerOf(location.container).read(objectNumber, location.index);
    } finally {
      this.#reading.delete(objectNumber);
    }
  }

  #loadAt(
    objectNumber: number,
    location: { readonly offsetBytes: number; readonly generation: number },
  ): PdfObject {
    const { offsetBytes, generation } = location;
    const object =
      offsetBytes < this.source.lengthBytes
        ? readIndirectObject(this.source, offsetBytes, this.#budget, (dict) =>
            asInteger(this.resolve(dict.get('Length'))),
          )
        : undefined;
    if (object?.objectNumber !== objectNumber || object.generation !== generation) {
      throw xrefInvalid(`expected object ${objectNumber} ${generation}`, offsetBytes);
    }
    if (generation !== 0) this.#generations.set(objectNumber, generation);
    return object.value;
  }

  #containerOf(container: number): ObjectStream {
    const known = this.#containers.get(container);
    if (known !== undefined) return known;
    // A container inside a container is forbidden; refusing it also bounds the recursion.
    const location = this.locate(container);
    const value =
      location?.kind === 'compressed' ? null : this.#require(new PdfReference(container, 0));
    if (!(value instanceof PdfStream)) {
      throw new CoreError('pdf.structure.invalid', `object ${container} is no object stream`, {
        details: { objectNumber: container },
      });
    }
    const data = decodeCounted(value, (inner) => this.resolve(inner), this.#budget);
    const opened = openObjectStream(value.dict, data, container, this.#budget);
    this.#containers.set(container, opened);
    return opened;
  }
}
