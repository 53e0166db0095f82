import { joinedSource, latin1Bytes, memorySource } from '../../base/bytes.ts';
import { limits } from '../../base/limits.ts';
import { roundTo } from '../../base/round-to.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asNumber,
  asReference,
  asStream,
  beginUpdate,
  inheritedEntry,
  listPages,
  listSignatureFields,
  openPdf,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfPage,
  type PdfReference,
  PdfStream,
  type PdfUpdate,
  replaceForm,
} from '../../formats/pdf/index.ts';

/** Bits of `/F` that hide an annotation on screen. @spec ISO 32000-1 table 165 */
const HIDDEN = 2 | 32;
/** ReadOnly bit of `/Ff`. @spec ISO 32000-1 table 221 */
const READ_ONLY = 1;

/**
 * Makes the form values part of the page contents, so that they can no longer be changed. The
 * result is the input followed by one incremental update. Signature fields are preserved; a field
 * without an appearance stream (its value is drawn by viewers) becomes read-only. A signed document
 * is returned unchanged, because flattening would break the signature.
 *
 * @throws pdf.* if the document cannot be read
 * @spec ISO 32000-1 §12.5.5 (appearance streams), §12.7
 */
export function flattenForm(content: Uint8Array): Uint8Array {
  const source = memorySource(content);
  const file = openPdf(source);
  const form = asDict(file.resolve(file.catalog.get('AcroForm')));
  const isSigned = listSignatureFields(file).some(({ value }) => value !== undefined);
  if (form === undefined || isSigned) return content;
  const update = beginUpdate(file);
  const flat = new Set<number>();
  for (const page of listPages(file)) flattenPage(file, update, page, flat);
  const fields = keptFields(file, update, form, flat);
  const next = new Map<string, PdfObject>([...form, ['Fields', fields]]);
  for (const key of ['XFA', 'CO']) next.delete(key);
  replaceForm(file, update, next);
  const { bytes } = update.finish();
  const result = joinedSource(source, bytes);
  return result.slice(0, result.lengthBytes);
}

function flattenPage(file: PdfFile, update: PdfUpdate, page: PdfPage, flat: Set<number>): void {
  if (page.reference === undefined) return;
  const annotations = asArray(file.resolve(page.dict.get('Annots'))) ?? [];
  const drawn = new Map<string, PdfReference>();
  const operators: string[] = [];
  const kept = annotations.filter((item) => {
    const reference = asReference(item);
    const widget = asDict(file.resolve(item));
    if (reference === undefined || widget === undefined || !isFlattened(file, widget)) return true;
    const look = appearanceOf(file, widget);
    const isHidden = ((asInteger(file.resolve(widget.get('F'))) ?? 0) & HIDDEN) !== 0;
    if (look === undefined && !isHidden) return true;
    flat.add(reference.objectNumber);
    const matrix = look === undefined ? undefined : widgetMatrix(file, widget, look.stream.dict);
    if (look === undefined || matrix === undefined || isHidden) return false;
    const name = `InnsigliFlat${drawn.size}`;
    drawn.set(name, look.reference);
    operators.push(`q ${matrix.map(rounded).join(' ')} cm /${name} Do Q\n`);
    return false;
  });
  if (kept.length === annotations.length) return;
  const dict = new Map<string, PdfObject>([...page.dict, ['Annots', kept]]);
  if (operators.length > 0) {
    dict.set('Resources', withForms(file, inheritedEntry(file, page.dict, 'Resources'), drawn));
    dict.set('Contents', withOperators(file, update, page.dict, operators.join('')));
  }
  update.set(page.reference, dict);
}

/** Whether the annotation is a widget of a field other than a signature. */
function isFlattened(file: PdfFile, widget: PdfDict): boolean {
  if (asName(file.resolve(widget.get('Subtype')))?.value !== 'Widget') return false;
  return asName(inheritedEntry(file, widget, 'FT'))?.value !== 'Sig';
}

/** The current appearance of the widget: `/N` itself, or the one selected by `/AS`. */
function appearanceOf(file: PdfFile, widget: PdfDict) {
  const normal = asDict(file.resolve(widget.get('AP')))?.get('N');
  const states = asDict(file.resolve(normal));
  const state = asName(file.resolve(widget.get('AS')))?.value;
  const chosen = states === undefined ? normal : states.get(state ?? 'Off');
  const reference = asReference(chosen);
  const stream = asStream(file.resolve(chosen));
  return reference === undefined || stream === undefined ? undefined : { reference, stream };
}

/** The matrix that maps a form XObject to the rectangle of its widget. @spec ISO 32000-1 §12.5.5 */
function widgetMatrix(
  file: PdfFile,
  widget: PdfDict,
  form: PdfDict,
): readonly number[] | undefined {
  const rect = numbersOf(file, widget.get('Rect'), 4);
  const box = numbersOf(file, form.get('BBox'), 4);
  const [a, b, c, d, e, f] = numbersOf(file, form.get('Matrix'), 6) ?? [1, 0, 0, 1, 0, 0];
  if (rect === undefined || box === undefined) return undefined;
  const corners = [0, 2].flatMap((i) =>
    [1, 3].map((j) => {
      const [x, y] = [box[i] as number, box[j] as number];
      const n = { a: a as number, b: b as number, c: c as number, d: d as number };
      return [n.a * x + n.c * y + (e as number), n.b * x + n.d * y + (f as number)] as const;
    }),
  );
  const from = boundsOf(corners);
  const to = boundsOf([
    [rect[0] as number, rect[1] as number],
    [rect[2] as number, rect[3] as number],
  ]);
  const [width, height] = [from.right - from.left, from.top - from.bottom];
  if (width <= 0 || height <= 0) return undefined;
  const [sx, sy] = [(to.right - to.left) / width, (to.top - to.bottom) / height];
  return [sx, 0, 0, sy, to.left - from.left * sx, to.bottom - from.bottom * sy];
}

function boundsOf(points: readonly (readonly [number, number])[]) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    bottom: Math.min(...ys),
    top: Math.max(...ys),
  };
}

function numbersOf(
  file: PdfFile,
  value: PdfObject | undefined,
  count: number,
): readonly number[] | undefined {
  const items = asArray(file.resolve(value));
  const found = (items ?? []).map((item) => asNumber(file.resolve(item)) ?? Number.NaN);
  return found.length === count && found.every(Number.isFinite) ? found : undefined;
}

function withForms(
  file: PdfFile,
  resources: PdfObject,
  forms: ReadonlyMap<string, PdfReference>,
): PdfDict {
  const own = asDict(resources) ?? new Map<string, PdfObject>();
  const objects = asDict(file.resolve(own.get('XObject'))) ?? new Map<string, PdfObject>();
  return new Map<string, PdfObject>([...own, ['XObject', new Map([...objects, ...forms])]]);
}

/** Encloses page contents in `q` and `Q`: appended operators need the initial graphics state. */
function withOperators(
  file: PdfFile,
  update: PdfUpdate,
  page: PdfDict,
  operators: string,
): readonly PdfObject[] {
  const add = (text: string): PdfReference => {
    const reference = update.allocate();
    update.set(reference, new PdfStream(new Map(), latin1Bytes(text)));
    return reference;
  };
  const contents = page.get('Contents');
  const streams = asArray(file.resolve(contents)) ?? (contents === undefined ? [] : [contents]);
  return [add('q\n'), ...streams, add(`\nQ\n${operators}`)];
}

/** The fields that remain: signatures, and fields that could not be drawn, now read-only. */
function keptFields(
  file: PdfFile,
  update: PdfUpdate,
  form: PdfDict,
  flat: ReadonlySet<number>,
): readonly PdfObject[] {
  const seen = new Set<number>();
  const keep = (item: PdfObject, depth: number): boolean => {
    const reference = asReference(item);
    const dict = asDict(file.resolve(item));
    if (reference === undefined || dict === undefined || depth > limits.pdfTreeDepth) return false;
    if (flat.has(reference.objectNumber) || seen.has(reference.objectNumber)) return false;
    seen.add(reference.objectNumber);
    if (asName(inheritedEntry(file, dict, 'FT'))?.value === 'Sig') return true;
    const kids = asArray(file.resolve(dict.get('Kids')));
    const left = kids?.filter((kid) => keep(kid, depth + 1));
    if (left?.length === 0) return false;
    const flags = asInteger(inheritedEntry(file, dict, 'Ff')) ?? 0;
    const changed = new Map<string, PdfObject>([...dict, ['Ff', flags | READ_ONLY]]);
    if (left !== undefined) changed.set('Kids', left);
    update.set(reference, changed);
    return true;
  };
  return (asArray(file.resolve(form.get('Fields'))) ?? []).filter((item) => keep(item, 0));
}

const rounded = (value: number): number => roundTo(value, 5);
