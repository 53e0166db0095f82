import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { listPages } from './document.ts';
import type { PdfFile } from './pdf-file.types.ts';
import {
  asArray,
  asDict,
  asName,
  asReference,
  asString,
  type PdfDict,
  type PdfObject,
} from './syntax/objects.ts';
import { decodeText } from './syntax/text.ts';

/** Actions that run something, send or fetch something, or open another file. */
const activeActions: ReadonlySet<string> = new Set([
  ...['JavaScript', 'Launch', 'SubmitForm', 'ImportData', 'GoToR', 'GoToE'],
  ...['Rendition', 'Movie', 'Sound', 'RichMediaExecute', 'GoTo3DView'],
]);
/** Annotations that hold a file, or play something. */
const activeAnnotations: ReadonlySet<string> = new Set([
  ...['RichMedia', '3D', 'Movie', 'Sound', 'Screen', 'FileAttachment'],
]);
/** Schemes of addresses that a person may follow. */
const plainSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);
/** Annotations, fields, outline items and actions that are looked at in one document. */
const LOOKED_MAX = 200_000;

interface Walk {
  readonly file: PdfFile;
  readonly found: Set<string>;
  /** Numbers of objects that were looked at. */
  readonly seen: Set<number>;
  looked: number;
}

/**
 * What in a document acts by itself or when it is touched, by its names in the standard: actions
 * such as `JavaScript` and `Launch`, addresses of unusual schemes (`URI file:`), annotations with
 * media, `EmbeddedFiles` and `XFA`. Links to pages and to plain web addresses are none of it.
 * Sorted; empty for most documents.
 *
 * @throws limit.exceeded, pdf.* when it cannot be read that far
 * @spec ISO 32000-1 §12.6 (actions), §7.11.4 (embedded files), §12.7.8 (XFA), §13 (media)
 */
export function listActiveContent(file: PdfFile): readonly string[] {
  const walk: Walk = { file, found: new Set(), seen: new Set(), looked: 0 };
  const { catalog } = file;
  // An array is a destination: a place in the document.
  lookAtAction(walk, catalog.get('OpenAction'));
  lookAtTriggers(walk, catalog.get('AA'));
  lookAtAddress(walk, dictIn(walk, catalog.get('URI'))?.get('Base'));
  const names = dictIn(walk, catalog.get('Names'));
  if (hasNames(walk, names?.get('JavaScript'))) walk.found.add('JavaScript');
  if (hasNames(walk, names?.get('EmbeddedFiles'))) walk.found.add('EmbeddedFiles');
  lookAtFiles(walk, catalog);
  const form = dictIn(walk, catalog.get('AcroForm'));
  if (form !== undefined && file.resolve(form.get('XFA')) !== null) walk.found.add('XFA');
  lookAtTree(walk, form?.get('Fields'), 0);
  lookAtOutlines(walk, dictIn(walk, catalog.get('Outlines'))?.get('First'));
  for (const { dict } of listPages(file)) {
    lookAtTriggers(walk, dict.get('AA'));
    lookAtFiles(walk, dict);
    lookAtTree(walk, dict.get('Annots'), 0);
  }
  return [...walk.found].sort();
}

/** The dictionary that a value is; each object is counted. */
function dictIn(walk: Walk, value: PdfObject | undefined): PdfDict | undefined {
  if (++walk.looked > LOOKED_MAX) {
    throw new InnsigliError('limit.exceeded', 'the document has too many annotations and actions');
  }
  return asDict(walk.file.resolve(value));
}

/** As {@link dictIn}, for objects that are looked at once. */
function newDictIn(walk: Walk, value: PdfObject | undefined): PdfDict | undefined {
  const number = asReference(value)?.objectNumber;
  if (number !== undefined) {
    if (walk.seen.has(number)) return undefined;
    walk.seen.add(number);
  }
  return dictIn(walk, value);
}

/** Annotations of a page, or fields with their kids: many are both. */
function lookAtTree(walk: Walk, list: PdfObject | undefined, depth: number): void {
  if (depth > limits.pdfTreeDepth) return;
  for (const item of asArray(walk.file.resolve(list)) ?? []) {
    const dict = newDictIn(walk, item);
    if (dict === undefined) continue;
    const subtype = asName(walk.file.resolve(dict.get('Subtype')))?.value;
    if (subtype !== undefined && activeAnnotations.has(subtype)) walk.found.add(subtype);
    lookAtAction(walk, dict.get('A'));
    lookAtAction(walk, dict.get('PA'));
    lookAtTriggers(walk, dict.get('AA'));
    lookAtFiles(walk, dict);
    if (dict.has('Kids')) lookAtTree(walk, dict.get('Kids'), depth + 1);
  }
}

function lookAtOutlines(walk: Walk, first: PdfObject | undefined): void {
  const open = [first];
  while (open.length > 0) {
    const dict = newDictIn(walk, open.pop());
    if (dict === undefined) continue;
    lookAtAction(walk, dict.get('A'));
    for (const key of ['Next', 'First']) if (dict.has(key)) open.push(dict.get(key));
  }
}

/** Additional actions: one for each event. */
function lookAtTriggers(walk: Walk, value: PdfObject | undefined): void {
  if (value === undefined) return;
  for (const action of dictIn(walk, value)?.values() ?? []) lookAtAction(walk, action);
}

/** An action, and those that follow it. */
function lookAtAction(walk: Walk, first: PdfObject | undefined): void {
  const open = [first];
  while (open.length > 0) {
    const value = open.pop();
    const action = value === undefined ? undefined : newDictIn(walk, value);
    if (action === undefined) continue;
    const kind = asName(walk.file.resolve(action.get('S')))?.value ?? '';
    if (activeActions.has(kind)) walk.found.add(kind);
    if (kind === 'URI') lookAtAddress(walk, action.get('URI'));
    const next = walk.file.resolve(action.get('Next'));
    open.push(...(asArray(next) ?? (next === null ? [] : [action.get('Next')])));
  }
}

function lookAtAddress(walk: Walk, value: PdfObject | undefined): void {
  const string = asString(walk.file.resolve(value));
  if (string === undefined) return;
  // Viewers and browsers leave out what is not seen.
  const text = decodeText(string).replace(/[^\x21-\x7e]/g, '');
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? [];
  const isShare = /^[\\/]{2}/.test(text);
  if (scheme === undefined ? !isShare : plainSchemes.has(scheme.toLowerCase())) return;
  walk.found.add(`URI ${scheme === undefined ? text.slice(0, 2) : scheme.toLowerCase()}:`);
}

/** Files that belong to an object. @spec ISO 32000-2 §14.13 */
function lookAtFiles(walk: Walk, dict: PdfDict): void {
  if (dict.has('AF') && walk.file.resolve(dict.get('AF')) !== null) walk.found.add('EmbeddedFiles');
}

/** True for a name tree with at least one name. @spec ISO 32000-1 §7.9.6 */
function hasNames(walk: Walk, root: PdfObject | undefined): boolean {
  const open = root === undefined ? [] : [root];
  while (open.length > 0) {
    const node = newDictIn(walk, open.pop());
    if ((asArray(walk.file.resolve(node?.get('Names'))) ?? []).length > 0) return true;
    open.push(...(asArray(walk.file.resolve(node?.get('Kids'))) ?? []));
  }
  return false;
}
