import type { ByteSource } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { ReadBudget } from './budget.ts';
import type { PdfSecurity } from './encryption/index.ts';
import { decodeCounted } from './filters/filters.ts';
import type { ParsedObjects } from './parsed-objects.ts';
import { type IndirectObject, readIndirectObject } from './syntax/indirect.ts';
import { type ObjectStream, openObjectStream } from './syntax/object-stream.ts';
import {
  asInteger,
  type PdfDict,
  type PdfObject,
  PdfReference,
  PdfStream,
} from './syntax/objects.ts';
import { type EntryFinder, sectionLookup } from './xref/section-lookup.ts';
import { type XrefLocation, type XrefSection, xrefInvalid } from './xref/xref.ts';

/** Reads objects by their numbers and caches them. */
export class ObjectReader {
  /** The bytes to which offsets refer. */
  readonly view: ByteSource;
  /** Newest first. */
  readonly sections: readonly XrefSection[];
  readonly #findEntry: EntryFinder;
  readonly #budget: ReadBudget;
  readonly #streamLengths: ReadonlyMap<number, number> | undefined;
  readonly #parsed: ParsedObjects | undefined;
  readonly #objects = new Map<number, PdfObject>();
  readonly #generations = new Map<number, number>();
  readonly #containers = new Map<number, ObjectStream>();
  readonly #reading = new Set<number>();
  /** Set once the encryption dictionary, which itself is not encrypted, has been read. */
  security: PdfSecurity | undefined;

  /**
   * `streamLengths` corrects the /Length of streams, by object offset; `parsed` is shared with
   * readers that read the same bytes in the same way.
   */
  constructor(
    view: ByteSource,
    sections: readonly XrefSection[],
    budget: ReadBudget,
    streamLengths?: ReadonlyMap<number, number>,
    parsed?: ParsedObjects,
  ) {
    this.view = view;
    this.sections = sections;
    this.#findEntry = sectionLookup(sections);
    this.#budget = budget;
    this.#streamLengths = streamLengths;
    this.#parsed = parsed;
  }

  /** See {@link PdfFile.read}. */
  read(reference: PdfReference): PdfObject {
    const { objectNumber, generation } = reference;
    let value = this.#objects.get(objectNumber);
    if (value === undefined) {
      value = this.#load(objectNumber);
      this.#objects.set(objectNumber, value);
    }
    // Only generations other than 0 are stored: they are rare.
    const noted = this.#generations.size === 0 ? 0 : (this.#generations.get(objectNumber) ?? 0);
    return noted === generation ? value : null;
  }

  /** See {@link PdfFile.resolve}. */
  resolve(value: PdfObject | undefined): PdfObject {
    if (!(value instanceof PdfReference)) return value ?? null;
    let found: PdfObject = value;
    for (let hops = 0; hops < limits.pdfReferenceHops; hops++) {
      found = this.read(found);
      if (!(found instanceof PdfReference)) return found;
    }
    const message = `object ${value.objectNumber} is an endless chain of references`;
    throw new InnsigliError('pdf.structure.invalid', message);
  }

  /** See {@link PdfFile.decode}. */
  decode(stream: PdfStream): Uint8Array {
    return decodeCounted(stream, (value) => this.resolve(value), this.#budget);
  }

  /** See {@link PdfFile.locate}. */
  locate(objectNumber: number): XrefLocation | undefined {
    const entry = this.#findEntry(objectNumber);
    return entry?.kind === 'free' ? undefined : entry;
  }

  /** {@link read} for a required object. @throws pdf.object.missing */
  require(reference: PdfReference): PdfObject {
    const value = this.read(reference);
    if (value !== null) return value;
    const { objectNumber, generation } = reference;
    const message = `object ${objectNumber} ${generation} is missing`;
    throw new InnsigliError('pdf.object.missing', message, { details: { objectNumber } });
  }

  #load(objectNumber: number): PdfObject {
    const location = this.locate(objectNumber);
    if (location === undefined) return null;
    if (this.#reading.has(objectNumber)) {
      throw new InnsigliError('pdf.structure.invalid', `object ${objectNumber} depends on itself`);
    }
    // The length of a stream may be in an object stream, whose length may be in another, and so on.
    if (this.#reading.size >= limits.pdfReferenceHops) {
      throw new InnsigliError('limit.exceeded', `object ${objectNumber} is nested too deeply`);
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
    const object = this.#parse(offsetBytes);
    if (object?.objectNumber !== objectNumber || object.generation !== generation) {
      throw xrefInvalid(`expected object ${objectNumber} ${generation}`, offsetBytes);
    }
    if (generation !== 0) this.#generations.set(objectNumber, generation);
    return this.security?.decrypt(objectNumber, generation, object.value) ?? object.value;
  }

  #parse(offsetBytes: number): IndirectObject | undefined {
    const { lengthBytes } = this.view;
    if (offsetBytes >= lengthBytes) return undefined;
    const known = this.#parsed?.find(offsetBytes, lengthBytes);
    if (known !== undefined) return known;
    const lengthOf = (dict: PdfDict) =>
      this.#streamLengths?.get(offsetBytes) ?? asInteger(this.resolve(dict.get('Length')));
    const object = readIndirectObject(this.view, offsetBytes, this.#budget, lengthOf);
    if (object !== undefined) this.#parsed?.keep(offsetBytes, object);
    return object;
  }

  #containerOf(container: number): ObjectStream {
    const known = this.#containers.get(container);
    if (known !== undefined) return known;
    // Nested object streams are forbidden; rejecting them also bounds the recursion.
    const location = this.locate(container);
    const value =
      location?.kind === 'compressed' ? null : this.require(new PdfReference(container, 0));
    if (!(value instanceof PdfStream)) {
      const details = { objectNumber: container };
      const message = `object ${container} is not an object stream`;
      throw new InnsigliError('pdf.structure.invalid', message, { details });
    }
    const data = decodeCounted(value, (inner) => this.resolve(inner), this.#budget);
    const opened = openObjectStream(value.dict, data, container, this.#budget);
    this.#containers.set(container, opened);
    return opened;
  }
}
