import { getOrCompute } from '../../base/memo.ts';
import {
  asArray,
  asReference,
  encodeText,
  firstPage,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfPage,
  type PdfReference,
  PdfStream,
  type PdfUpdate,
  pdfName,
} from '../../formats/pdf/index.ts';
import {
  type ImportedStamp,
  importStamp,
  type Placement,
  type Stamp,
} from '../appearance/index.ts';
import { pageObjects } from './page-objects.ts';
import { type AddedAnnotation, tagAnnotations } from './structure-tree.ts';

/** A drawn stamp and its position on a page. */
export interface PlacedStamp {
  readonly page: PdfPage;
  readonly placement: Placement;
  readonly stamp: Stamp;
}

/** Appearance of a seal in the document. */
export interface SealAppearance {
  /** On the widget of the signature field. */
  readonly widget: PlacedStamp;
  /** The same seal on other pages: a signature field can have only one widget. */
  readonly further: readonly PlacedStamp[];
}

/** A signature field to be added to the document. */
export interface NewField {
  readonly name: string;
  /** Undefined: the seal is invisible. */
  readonly look?: SealAppearance;
  /** Whether an invisible field has no appearance stream. Default: false. */
  readonly isBare?: boolean;
}

/** Print and Locked: viewers must not move or delete the widget. */
const WIDGET_FLAGS = 4 | 128;
/** Print, ReadOnly, Locked, LockedContents. @spec ISO 32000-1 table 165 */
const STAMP_FLAGS = 4 | 64 | 128 | 512;

/**
 * Adds a signature field with its widget, which is invisible without an appearance.
 *
 * @spec ISO 32000-1 §12.5.6.19, §12.7.4.5
 */
export function addWidget(
  file: PdfFile,
  update: PdfUpdate,
  { name, look, isBare = false }: NewField,
  value: PdfReference,
): PdfReference {
  const pageOf = pageObjects(file, update);
  const first = pageOf(firstPage(file));
  const page = look === undefined ? first : pageOf(look.widget.page);
  const reference = update.allocate();
  const stamps = stampImporter(update);
  const widget = new Map<string, PdfObject>([
    ['Type', pdfName('Annot')],
    ['Subtype', pdfName('Widget')],
    ['FT', pdfName('Sig')],
    ['T', encodeText(name)],
    ['V', value],
    ['Rect', look?.widget.placement.rect ?? [0, 0, 0, 0]],
    ['F', WIDGET_FLAGS],
    ['P', page.reference],
  ]);
  if (look !== undefined) widget.set('AP', appearance(stamps, look.widget));
  else if (!isBare) widget.set('AP', emptyLook(update));
  const further = look?.further ?? [];
  const added: AddedAnnotation[] = [
    { reference, page, role: 'Form', description: name, isVisible: look !== undefined },
    ...further.map(
      (placed): AddedAnnotation => ({
        reference: update.allocate(),
        page: pageOf(placed.page),
        role: 'Annot',
        description: name,
        isVisible: true,
      }),
    ),
  ];
  const tags = tagAnnotations(file, update, added);
  update.set(reference, withEntries(widget, tags.annotation(reference)));
  for (const [index, placed] of further.entries()) {
    const { reference: own, page: ownPage } = added[index + 1] as AddedAnnotation;
    const stamp = stampOf(stamps, placed, ownPage.reference);
    update.set(own, withEntries(stamp, tags.annotation(own)));
  }
  appendAnnotations(file, update, added, tags.page);
  return reference;
}

function withEntries(dict: PdfDict, entries: PdfDict): Map<string, PdfObject> {
  const whole = new Map(dict);
  for (const [key, value] of entries) whole.set(key, value);
  return whole;
}

/** The dictionary of an existing field with its value and, if it is visible, its appearance. */
export function filledField(
  update: PdfUpdate,
  field: PdfDict,
  value: PdfReference,
  look: SealAppearance | undefined,
): PdfDict {
  const dict = new Map<string, PdfObject>(field);
  dict.set('V', value);
  if (look !== undefined) dict.set('AP', appearance(stampImporter(update), look.widget));
  else if (!dict.has('AP') && dict.has('Rect')) dict.set('AP', emptyLook(update));
  return dict;
}

/** @spec ISO 32000-1 §12.5.6.12 */
function stampOf(stamps: StampImporter, placed: PlacedStamp, page: PdfReference): PdfDict {
  return new Map<string, PdfObject>([
    ['Type', pdfName('Annot')],
    ['Subtype', pdfName('Stamp')],
    ['Rect', placed.placement.rect],
    ['F', STAMP_FLAGS],
    ['P', page],
    ['AP', appearance(stamps, placed)],
  ]);
}

function appearance(stamps: StampImporter, { stamp, placement }: PlacedStamp): PdfDict {
  return new Map([['N', stamps(stamp).formFor(placement.rotation)]]);
}

/** PDF/A requires an appearance of every widget, even of an invisible one. */
function emptyLook(update: PdfUpdate): PdfDict {
  const form = update.allocate();
  const entries: [string, PdfObject][] = [
    ['Type', pdfName('XObject')],
    ['Subtype', pdfName('Form')],
    ['BBox', [0, 0, 0, 0]],
  ];
  update.set(form, new PdfStream(new Map(entries), new Uint8Array()));
  return new Map([['N', form]]);
}

type StampImporter = (stamp: Stamp) => ImportedStamp;

/** Imports each stamp once for all pages that show it. */
function stampImporter(update: PdfUpdate): StampImporter {
  const imported = new Map<Stamp, ImportedStamp>();
  return (stamp) => getOrCompute(imported, stamp, () => importStamp(stamp, update));
}

/**
 * Adds annotations to their pages, and `entries` to the page dictionaries. An annotation array that
 * is an indirect object is replaced under its own number.
 */
function appendAnnotations(
  file: PdfFile,
  update: PdfUpdate,
  added: readonly AddedAnnotation[],
  entries: ReadonlyMap<string, PdfObject>,
): void {
  const lists = new Map<number, PdfObject[]>();
  for (const { page, reference } of added) {
    const annotations = page.dict.get('Annots');
    const holder = asReference(annotations);
    const isShared = holder !== undefined && asArray(file.read(holder)) !== undefined;
    const key = isShared ? holder.objectNumber : page.reference.objectNumber;
    const list = lists.get(key) ?? [...(asArray(file.resolve(annotations)) ?? [])];
    list.push(reference);
    lists.set(key, list);
    if (isShared) update.set(holder, list);
    if (isShared && entries.size === 0) continue;
    const dict = withEntries(page.dict, entries);
    if (!isShared) dict.set('Annots', list);
    update.set(page.reference, dict);
  }
}
