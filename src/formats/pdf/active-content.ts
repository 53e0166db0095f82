import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { listPages } from './document.ts';
import type { PdfFile } from './pdf-file.types.ts';
import {
  asArray,
  asDict,
  asName,
  asReference,
  asStream,
  asString,
  type PdfDict,
  type PdfObject,
} from './syntax/objects.ts';
import { decodeText } from './syntax/text.ts';

/** Actions that run code, send or fetch data, or open another file. */
const activeActions: ReadonlySet<string> = new Set([
  ...['JavaScript', 'Launch', 'SubmitForm', 'ImportData', 'GoToR', 'GoToE'],
  ...['Rendition', 'Movie', 'Sound', 'RichMediaExecute', 'GoTo3DView'],
]);
/** Annotations that contain a file or play media. */
const activeAnnotations: ReadonlySet<string> = new Set([
  ...['RichMedia', '3D', 'Movie', 'Sound', 'Screen', 'FileAttachment'],
]);
/** URI schemes that are safe to follow. */
const plainSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);
/** Maximum number of entries, fields, outline items and actions inspected in one document. */
const INSPECTED_MAX = 200_000;
/** Maximum number of structure elements inspected. */
const ELEMENTS_MAX = 250_000;
/** Maximum number of painted objects and resources inspected: pages have many pictures. */
const DRAWN_MAX = 1_000_000;

/** The role in which an object is inspected: an object may have several, with separate entries. */
type Role = DictRole | ListRole;
type DictRole =
  | 'action'
  | 'actions'
  | 'annotation'
  | 'item'
  | 'names'
  | 'step'
  | 'appearance'
  | 'drawn'
  | 'element';
type ListRole = 'annotations' | 'following' | 'kids' | 'elements';

interface Walk {
  readonly file: PdfFile;
  readonly found: Set<string>;
  /** Objects already inspected, by role and object number. */
  readonly seen: Set<string>;
  looked: number;
  /** Number of painted objects inspected, counting each mention. */
  drawn: number;
  readonly isLenient: boolean;
}

/**
 * Content of a document that acts automatically or when the user interacts with it, by its names in
 * the standard: actions such as `JavaScript` and `Launch`, addresses of unusual schemes
 * (`URI file:`), annotations with media, `EmbeddedFiles`, `XFA`, and content from an
 * `external file`. Links to pages and to ordinary web addresses are not included. Sorted; empty for
 * most documents.
 *
 * @param isLenient skips streams that cannot be read
 * @throws limit.exceeded, pdf.* if the document cannot be read far enough
 * @spec ISO 32000-1 §12.6 (actions), §7.11.4 (embedded files), §12.7.8 (XFA), §13 (media), §7.3.8.2
 * (external streams), §8.10.4 (reference XObjects)
 */
export function listActiveContent(
  file: PdfFile,
  { isLenient = false }: { readonly isLenient?: boolean } = {},
): readonly string[] {
  const walk: Walk = {
    ...{ file, isLenient, found: new Set<string>(), seen: new Set<string>() },
    ...{ looked: 0, drawn: 0 },
  };
  const { catalog } = file;
  // An array is a destination within the document.
  inspectAction(walk, catalog.get('OpenAction'));
  inspectAdditionalActions(walk, catalog.get('AA'));
  inspectUri(walk, asDict(file.resolve(catalog.get('URI')))?.get('Base'));
  const names = asDict(file.resolve(catalog.get('Names')));
  if (hasNames(walk, names?.get('JavaScript'))) walk.found.add('JavaScript');
  if (hasNames(walk, names?.get('EmbeddedFiles'))) walk.found.add('EmbeddedFiles');
  inspectAssociatedFiles(walk, catalog);
  const form = asDict(file.resolve(catalog.get('AcroForm')));
  if (form !== undefined && file.resolve(form.get('XFA')) !== null) walk.found.add('XFA');
  inspectAnnotations(walk, form?.get('Fields'));
  // Calculated fields, in calculation order.
  inspectAnnotations(walk, form?.get('CO'));
  const outlines = asDict(file.resolve(catalog.get('Outlines')));
  inspectLinkedItems(walk, outlines?.get('First'), 'item', ['A'], ['Next', 'First']);
  for (const { dict } of listPages(file)) {
    inspectAdditionalActions(walk, dict.get('AA'));
    inspectAssociatedFiles(walk, dict);
    inspectAnnotations(walk, dict.get('Annots'));
    // Steps of a presentation. ISO 32000-1 §12.4.4.2
    inspectLinkedItems(walk, dict.get('PresSteps'), 'step', ['NA', 'PA'], ['Next', 'Prev']);
    const contents = file.resolve(dict.get('Contents'));
    inspectPainted(walk, asArray(contents) ?? [dict.get('Contents')]);
    inspectResources(walk, dict);
  }
  inspectStructure(walk, catalog.get('StructTreeRoot'));
  return [...walk.found].sort();
}

function count(walk: Walk, entries: number): void {
  walk.looked += entries;
  if (walk.looked <= INSPECTED_MAX) return;
  throw new InnsigliError('limit.exceeded', 'the document has too many annotations and actions');
}

/** False for an object already inspected in this role. */
function isNew({ seen }: Walk, value: PdfObject | undefined, role: Role): boolean {
  const number = asReference(value)?.objectNumber;
  if (number === undefined) return true;
  const look = `${role} ${number}`;
  if (seen.has(look)) return false;
  seen.add(look);
  return true;
}

/** The dictionary of a value, unless it was already inspected in this role. */
function newDictIn(walk: Walk, value: PdfObject | undefined, role: Role): PdfDict | undefined {
  return isNew(walk, value, role) ? asDict(walk.file.resolve(value)) : undefined;
}

/** Queues a value for inspection. */
function push(walk: Walk, open: PdfObject[], value: PdfObject | undefined): void {
  if (value === undefined) return;
  count(walk, 1);
  open.push(value);
}

/** Queues the items of a list. Many places may reference a long list, so it is inspected once. */
function pushAll(walk: Walk, open: PdfObject[], list: PdfObject | undefined, role: ListRole): void {
  if (!isNew(walk, list, role)) return;
  const items = asArray(walk.file.resolve(list)) ?? [];
  count(walk, items.length);
  for (const item of items) open.push(item);
}

/** A name; some viewers accept a string instead. */
function nameIn({ file }: Walk, value: PdfObject | undefined): string {
  const found = file.resolve(value);
  const string = asString(found);
  return asName(found)?.value ?? (string === undefined ? '' : decodeText(string));
}

/** Annotations of a page, or fields with their kids: many objects are both. */
function inspectAnnotations(walk: Walk, list: PdfObject | undefined): void {
  const open: PdfObject[] = [];
  pushAll(walk, open, list, 'annotations');
  while (open.length > 0) {
    const dict = newDictIn(walk, open.pop(), 'annotation');
    if (dict === undefined) continue;
    const subtype = nameIn(walk, dict.get('Subtype'));
    if (activeAnnotations.has(subtype)) walk.found.add(subtype);
    inspectAction(walk, dict.get('A'));
    inspectAction(walk, dict.get('PA'));
    inspectAdditionalActions(walk, dict.get('AA'));
    inspectAssociatedFiles(walk, dict);
    inspectAppearances(walk, dict.get('AP'));
    pushAll(walk, open, dict.get('Kids'), 'annotations');
    // Viewers read inherited entries, even from a field that the form does not list.
    for (const key of ['Parent', 'Popup']) push(walk, open, dict.get(key));
  }
}

/** Linked items and their actions. */
function inspectLinkedItems(
  walk: Walk,
  first: PdfObject | undefined,
  role: Role,
  actions: readonly string[],
  others: readonly string[],
): void {
  const open: PdfObject[] = [];
  push(walk, open, first);
  while (open.length > 0) {
    const dict = newDictIn(walk, open.pop(), role);
    if (dict === undefined) continue;
    for (const key of actions) inspectAction(walk, dict.get(key));
    for (const key of others) push(walk, open, dict.get(key));
  }
}

/** Additional actions, one per event. */
function inspectAdditionalActions(walk: Walk, value: PdfObject | undefined): void {
  for (const action of newDictIn(walk, value, 'actions')?.values() ?? []) {
    inspectAction(walk, action);
  }
}

/** An action and its successors. */
function inspectAction(walk: Walk, first: PdfObject | undefined): void {
  const open: PdfObject[] = [];
  push(walk, open, first);
  while (open.length > 0) {
    const action = newDictIn(walk, open.pop(), 'action');
    if (action === undefined) continue;
    const kind = nameIn(walk, action.get('S'));
    if (activeActions.has(kind)) walk.found.add(kind);
    if (kind === 'URI') inspectUri(walk, action.get('URI'));
    const next = action.get('Next');
    if (asArray(walk.file.resolve(next)) === undefined) push(walk, open, next);
    else pushAll(walk, open, next, 'following');
  }
}

function inspectUri(walk: Walk, value: PdfObject | undefined): void {
  // Viewers and browsers ignore invisible characters.
  const text = nameIn(walk, value).replace(/[^\x21-\x7e]/g, '');
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? [];
  const isShare = /^[\\/]{2}/.test(text);
  if (scheme === undefined ? !isShare : plainSchemes.has(scheme.toLowerCase())) return;
  walk.found.add(`URI ${scheme === undefined ? text.slice(0, 2) : scheme.toLowerCase()}:`);
}

/** The appearances of an annotation, one per state. */
function inspectAppearances(walk: Walk, value: PdfObject | undefined): void {
  if (value !== undefined && isNew(walk, value, 'appearance')) inspectPainted(walk, [value]);
}

/** Named resources of a page, its own or inherited from the page tree. */
function inspectResources(walk: Walk, page: PdfDict): void {
  let node: PdfDict | undefined = page;
  for (let depth = 0; node !== undefined && depth <= limits.pdfTreeDepth; depth++) {
    // Not resolved, so that shared resources are inspected once.
    const value = node.get('Resources');
    inspectPainted(walk, [value]);
    if (walk.file.resolve(value) !== null) return;
    node = asDict(walk.file.resolve(node.get('Parent')));
  }
}

/**
 * Painted objects and their resources: forms, pictures and their masks, patterns, fonts with their
 * programs and glyphs, graphics states, colours. A stream may take its content from another file.
 */
function inspectPainted(walk: Walk, values: Iterable<PdfObject | undefined>): void {
  const open: PdfObject[] = [];
  for (const each of values) if (each !== undefined) open.push(each);
  while (open.length > 0) {
    const value = open.pop();
    walk.drawn += 1;
    if (walk.drawn > DRAWN_MAX) {
      throw new InnsigliError('limit.exceeded', 'the pages of the document draw too much');
    }
    if (!isNew(walk, value, 'drawn')) continue;
    const found = readable(walk, value);
    const stream = asStream(found)?.dict;
    const dict = stream ?? asDict(found);
    const isOutside = ['F', 'Ref'].some((key) => walk.file.resolve(stream?.get(key)) !== null);
    if (isOutside) walk.found.add('external file');
    if (dict !== undefined) inspectAssociatedFiles(walk, dict);
    for (const each of asArray(found) ?? dict?.values() ?? []) {
      if (mayContainStream(each)) open.push(each);
    }
  }
}

/** False for numbers and strings, which contain no streams and are most of a font. */
function mayContainStream(value: PdfObject): boolean {
  return [asReference, asDict, asArray, asStream].some((as) => as(value) !== undefined);
}

function readable({ file, isLenient }: Walk, value: PdfObject | undefined): PdfObject {
  try {
    return file.resolve(value);
  } catch (error) {
    if (isLenient && isInnsigliError(error)) return null;
    throw error;
  }
}

/** Files associated with structure elements. @spec ISO 32000-2 §14.13.6 */
function inspectStructure(walk: Walk, root: PdfObject | undefined): void {
  const open: PdfObject[] = root === undefined ? [] : [root];
  let elements = 0;
  while (open.length > 0) {
    const element = newDictIn(walk, open.pop(), 'element');
    if (element === undefined) continue;
    inspectAssociatedFiles(walk, element);
    const kids = element.get('K');
    if (kids === undefined || !isNew(walk, kids, 'elements')) continue;
    const list = asArray(walk.file.resolve(kids)) ?? [kids];
    elements += list.length;
    if (elements > ELEMENTS_MAX) {
      // The findings so far are still reported.
      if (walk.isLenient) return;
      throw new InnsigliError('limit.exceeded', 'the document has too many structure elements');
    }
    // Numbers identify marked content of a page.
    for (const kid of list) if (mayContainStream(kid)) open.push(kid);
  }
}

/** Files associated with an object. @spec ISO 32000-2 §14.13 */
function inspectAssociatedFiles(walk: Walk, dict: PdfDict): void {
  if (dict.has('AF') && walk.file.resolve(dict.get('AF')) !== null) walk.found.add('EmbeddedFiles');
}

/** Whether a name tree has at least one name. @spec ISO 32000-1 §7.9.6 */
function hasNames(walk: Walk, root: PdfObject | undefined): boolean {
  const open: PdfObject[] = [];
  push(walk, open, root);
  while (open.length > 0) {
    const node = newDictIn(walk, open.pop(), 'names');
    if (node === undefined) continue;
    if ((asArray(walk.file.resolve(node.get('Names'))) ?? []).length > 0) return true;
    pushAll(walk, open, node.get('Kids'), 'kids');
  }
  return false;
}
