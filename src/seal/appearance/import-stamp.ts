import { memorySource } from '../../base/bytes.ts';
import { assert, InnsigliError } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import type { TrueTypeFont } from '../../formats/font/index.ts';
import {
  asDict,
  asReference,
  asStream,
  firstPage,
  openPdf,
  type PdfFile,
  type PdfObject,
  PdfReference,
  PdfStream,
  type PdfUpdate,
  pdfName,
} from '../../formats/pdf/index.ts';
import type { Stamp } from './draw-stamp.ts';
import { embedFont } from './embed-font.ts';
import { loadPdfKit } from './pdf-kit.ts';
import type { Rotation } from './placement.ts';

/** A stamp as objects of an incremental update. */
export interface ImportedStamp {
  /**
   * The form XObject for `/AP /N` of an annotation on a page with this rotation. It is displayed
   * upright. The forms of one stamp share their fonts and images.
   */
  formFor(rotation: Rotation): PdfReference;
}

/**
 * Copies a drawn stamp into an update. Objects are written when the first form is requested.
 *
 * @spec ISO 32000-1 §8.10.2, §12.5.5
 */
export function importStamp(stamp: Stamp, update: PdfUpdate): ImportedStamp {
  const file = openPdf(memorySource(stamp.bytes));
  const page = firstPage(file).dict;
  const content = asStream(file.resolve(page.get('Contents')));
  const resources = asDict(file.resolve(page.get('Resources')));
  if (content === undefined || resources === undefined) {
    throw new InnsigliError('pdf.structure.invalid', 'the stamp has no content');
  }
  const copy = graphCopier(file, update);
  const forms = new Map<Rotation, PdfReference>();
  let shared: PdfReference | undefined;
  return {
    formFor: (rotation) =>
      getOrCompute(forms, rotation, () => {
        if (shared === undefined) {
          shared = update.allocate();
          update.set(shared, copy(resources));
        }
        const dict = new Map<string, PdfObject>([
          ['Type', pdfName('XObject')],
          ['Subtype', pdfName('Form')],
          ['BBox', [0, 0, stamp.width, stamp.height]],
          ['Matrix', uprightMatrix(rotation, stamp.width, stamp.height)],
          ['Resources', shared],
        ]);
        const filter = content.dict.get('Filter');
        if (filter !== undefined) dict.set('Filter', filter);
        const form = update.allocate();
        update.set(form, new PdfStream(dict, content.raw));
        return form;
      }),
  };
}

/** A font as objects of an incremental update. */
export interface ImportedFont {
  readonly reference: PdfReference;
  /** The text as the operand of a text-showing operator. */
  encode(text: string): string;
}

/**
 * Writes the font subset that `text` needs into an update.
 *
 * @throws font.invalid, limit.exceeded
 */
export async function importFont(
  font: TrueTypeFont,
  text: string,
  update: PdfUpdate,
): Promise<ImportedFont> {
  const kit = await loadPdfKit();
  const document = await kit.PDFDocument.create({ updateMetadata: false });
  const { reference, encode } = embedFont(kit, document.context, font, text);
  document.addPage().node.set(kit.PDFName.of('Font'), reference);
  const file = openPdf(memorySource(await document.save({ useObjectStreams: false })));
  const drawn = asReference(firstPage(file).dict.get('Font'));
  assert(drawn !== undefined, 'the page has the font');
  const copy = update.allocate();
  update.set(copy, graphCopier(file, update)(file.read(drawn)));
  return { reference: copy, encode: (line) => encode(line).toString() };
}

/** Rotates the form counter-clockwise by the clockwise rotation of the page. */
function uprightMatrix(rotation: Rotation, width: number, height: number): readonly number[] {
  switch (rotation) {
    case 0:
      return [1, 0, 0, 1, 0, 0];
    case 90:
      return [0, 1, -1, 0, height, 0];
    case 180:
      return [-1, 0, 0, -1, width, height];
    case 270:
      return [0, -1, 1, 0, 0, width];
  }
}

/** A copier of stamp values. Each referenced object becomes one new object of the update. */
function graphCopier(file: PdfFile, update: PdfUpdate): (value: PdfObject) => PdfObject {
  const copies = new Map<number, PdfReference>();
  const copy = (value: PdfObject): PdfObject => {
    if (value instanceof PdfReference) return copyIndirect(value);
    if (Array.isArray(value)) return value.map(copy);
    if (value instanceof Map) return copyDict(value);
    if (value instanceof PdfStream) return new PdfStream(copyDict(value.dict), value.raw);
    return value;
  };
  const copyDict = (dict: ReadonlyMap<string, PdfObject>): Map<string, PdfObject> =>
    new Map([...dict].map(([key, entry]) => [key, copy(entry)]));
  const copyIndirect = (reference: PdfReference): PdfReference => {
    const known = copies.get(reference.objectNumber);
    if (known !== undefined) return known;
    const target = update.allocate();
    copies.set(reference.objectNumber, target);
    update.set(target, copy(file.read(reference)));
    return target;
  };
  return copy;
}
