import { isInnsigliError } from '../../../base/errors.ts';
import { getOrCompute } from '../../../base/memo.ts';
import { attemptRead } from '../budget.ts';
import { costOfDamage, decodeStream } from '../filters/filters.ts';
import type { PdfFile } from '../pdf-file.types.ts';
import {
  asDict,
  asStream,
  type PdfDict,
  type PdfName,
  type PdfObject,
  PdfReference,
  type PdfStream,
} from '../syntax/objects.ts';
import { type ColorKind, colorKindOf, isDeviceSpace } from './painting/colors.ts';
import {
  type FontPart,
  type FontSource,
  type GlyphReach,
  type PrintFont,
  readPrintFont,
  unknownFont,
} from './print-font.ts';
import { type PrintBudget, spend } from './work.ts';

/** Cost of resolving a reference, in steps: an object may have to be parsed. */
const REFERENCE = 200;

/** Maximum nesting depth of glyphs. */
const GLYPHS = 4;

/** Measures the painted area of a glyph's content. */
export type MeasureGlyph = (
  source: PrintSource,
  content: Uint8Array,
  resources: PdfDict | undefined,
) => GlyphReach;

/** Reads the objects that content refers to within the budget; caches fonts and decoded streams. */
export class PrintSource implements FontSource {
  readonly file: PdfFile;
  readonly #budget: PrintBudget;
  readonly #fonts = new Map<PdfDict, PrintFont>();
  readonly #colors = new Map<PdfDict, Map<string, ColorKind>>();
  readonly #decoded = new Map<PdfStream, Uint8Array>();
  readonly #failed = new Map<PdfStream, unknown>();
  readonly #measure: MeasureGlyph;
  /** Glyphs being measured: they can show text in fonts whose glyphs are content streams. */
  readonly #measured = new Set<PdfStream>();
  readonly #parts = { widths: new Map(), codes: new Map(), blanks: new Map() };

  constructor(file: PdfFile, budget: PrintBudget, measure: MeasureGlyph) {
    this.file = file;
    this.#budget = budget;
    this.#measure = measure;
  }

  /** Returns the value itself, or the target of its reference; null if it is damaged. */
  resolve(value: PdfObject | undefined): PdfObject {
    if (!(value instanceof PdfReference)) return value ?? null;
    spend(this.#budget, REFERENCE);
    return attemptRead(() => this.file.resolve(value)) ?? null;
  }

  /** See {@link FontSource.decode}. */
  decode(value: PdfObject | undefined): Uint8Array | undefined {
    const stream = asStream(this.resolve(value));
    return stream && attemptRead(() => this.contentOf(stream));
  }

  /**
   * Returns the decoded data of a stream. Not charged to the budget of the file, which is reserved
   * for what a seal needs.
   *
   * @throws pdf.stream.invalid, pdf.filter.unsupported, limit.exceeded
   */
  contentOf(stream: PdfStream): Uint8Array {
    const known = this.#decoded.get(stream);
    if (known !== undefined) return known;
    if (this.#failed.has(stream)) throw this.#failed.get(stream);
    const most = this.#budget.decodedBytes;
    try {
      const data = decodeStream(stream, (value) => this.resolve(value), most);
      this.#spendDecoded(data.length);
      this.#decoded.set(stream, data);
      return data;
    } catch (error) {
      this.#failed.set(stream, error);
      // A stream can be damaged at its very end, after all of it was decoded.
      if (isDamage(error)) this.#spendDecoded(Math.min(most, costOfDamage(stream.raw.length)));
      throw error;
    }
  }

  #spendDecoded(lengthBytes: number): void {
    this.#budget.decodedBytes -= lengthBytes;
    spend(this.#budget, lengthBytes >> 1);
  }

  /** See {@link FontSource.once}. */
  once<T>(kind: FontPart, part: PdfDict | PdfStream, read: () => T): T {
    return getOrCompute(this.#parts[kind] as Map<unknown, T>, part, read);
  }

  /** See {@link FontSource.reachOf}. */
  reachOf(glyph: PdfStream, resources: PdfDict | undefined): GlyphReach {
    if (this.#measured.has(glyph)) return undefined;
    if (this.#measured.size >= GLYPHS) return 'unknown';
    const content = this.decode(glyph);
    if (content === undefined) return 'unknown';
    this.#measured.add(glyph);
    try {
      return this.#measure(this, content, resources);
    } finally {
      this.#measured.delete(glyph);
    }
  }

  /** See {@link FontSource.spend}. */
  spend(steps: number): void {
    spend(this.#budget, steps);
  }

  /** A resource by its kind and name. */
  find(resources: PdfDict | undefined, kind: string, name: string): PdfObject {
    return this.resolve(asDict(this.resolve(resources?.get(kind)))?.get(name));
  }

  /** Returns the properties of a font; {@link unknownFont} if the value is not a dictionary. */
  font(value: PdfObject | undefined): PrintFont {
    const dict = asDict(this.resolve(value));
    if (dict === undefined) return unknownFont;
    return getOrCompute(this.#fonts, dict, () => readPrintFont(dict, this));
  }

  /** Returns the class of the colour space with this name. */
  colorKind(resources: PdfDict | undefined, name: PdfName): ColorKind {
    const kindOf = (space: PdfObject) => colorKindOf(space, (value) => this.resolve(value));
    if (isDeviceSpace(name) || resources === undefined) return kindOf(name);
    const kinds = getOrCompute(this.#colors, resources, () => new Map());
    const { value } = name;
    return getOrCompute(kinds, value, () => kindOf(this.find(resources, 'ColorSpace', value)));
  }
}

function isDamage(error: unknown): boolean {
  return isInnsigliError(error) && error.code !== 'limit.exceeded';
}
