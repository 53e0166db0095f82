import { attempt } from '../../../../base/errors.ts';
import {
  asArray,
  asDict,
  asName,
  asNumber,
  asReference,
  asStream,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  readUndamaged,
} from '../../../../formats/pdf/index.ts';
import { parseXml } from '../../../../formats/xml/index.ts';
import { containsAll, equalExcept, sameObject } from '../compare-objects.ts';
import { type LaterChange, otherChange } from '../later-change.ts';

/** Entries of the catalog that signing and augmentation change. Each has a rule. */
const catalogKeys = new Set(['AcroForm', 'DSS', 'Extensions', 'Version', 'Metadata', 'Perms']);
const empty: PdfDict = new Map();

/**
 * Changes to the catalog and the document metadata, excluding form and validation data.
 *
 * @spec ISO 32000-2 §7.7.2, §12.8.6
 */
export function catalogChanges(before: PdfFile, after: PdfFile): readonly LaterChange[] {
  const found: LaterChange[] = [];
  const [old, now] = [before.catalog, after.catalog];
  if (!equalExcept(old, now, catalogKeys)) {
    const keys = changedKeys(old, now).filter((key) => !catalogKeys.has(key));
    const names = keys.map((key) => `/${key}`).join(', ');
    const object = after.catalogReference.objectNumber;
    found.push(otherChange(`the catalog of the document was changed: ${names}`, { object }));
  }
  return [
    ...found,
    ...permissionChanges(before, after),
    ...versionChanges(before, after),
    ...descriptionChanges(before, after),
  ];
}

/** The old and the new value of a catalog entry. */
function entriesOf(before: PdfFile, after: PdfFile, key: string): [PdfObject, PdfObject] {
  return [before.resolve(before.catalog.get(key)), after.resolve(after.catalog.get(key))];
}

/** Keys whose values differ between two dictionaries. */
export function changedKeys(old: PdfDict, now: PdfDict): readonly string[] {
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => !sameObject(old.get(key) ?? null, now.get(key) ?? null),
  );
}

/** A certification must come first: a later one is invalid. @spec ISO 32000-2 §12.8.2.2.1 */
function permissionChanges(before: PdfFile, after: PdfFile): readonly LaterChange[] {
  const [old, now] = entriesOf(before, after, 'Perms');
  if (sameObject(old, now)) return [];
  const [was, is] = [asDict(old) ?? empty, asDict(now) ?? empty];
  if (!was.has('DocMDP') && is.has('DocMDP')) {
    return [otherChange('the document was certified after signing')];
  }
  return [otherChange('the permissions of the certification (/Perms) were changed')];
}

/** Changes of version and extensions: they may be raised, never lowered. @spec ISO 32000-2 §7.12 */
function versionChanges(before: PdfFile, after: PdfFile): readonly LaterChange[] {
  const found: LaterChange[] = [];
  const [old, now] = entriesOf(before, after, 'Version');
  if (!sameObject(old, now)) {
    const [was, is] = [asName(old)?.value, asName(now)?.value];
    if (is === undefined || Number(is) < Number(was ?? '1.0')) {
      found.push(otherChange('the version of the document was lowered'));
    } else if (!/^[12]\.\d$/.test(is)) {
      found.push(otherChange('the version of the document is invalid'));
    } else found.push(described('long-term-data', 'the version of the document was raised'));
  }
  const [extensions, later] = entriesOf(before, after, 'Extensions');
  if (sameObject(extensions, later)) return found;
  const message = 'a developer extension of the document was';
  const isKept = keepsExtensions(before, after, extensions, later);
  return [
    ...found,
    isKept
      ? described('long-term-data', `${message} added`)
      : otherChange(`${message} lowered or removed`),
  ];
}

function described(level: LaterChange['level'], message: string): LaterChange {
  return { level, kind: 'description', message };
}

function keepsExtensions(before: PdfFile, after: PdfFile, old: PdfObject, now: PdfObject): boolean {
  if (old === null) return asDict(now) !== undefined;
  const [was, is] = [asDict(old), asDict(now)];
  if (was === undefined || is === undefined) return false;
  return [...was].every(([name, entry]) => {
    const [a, b] = [before.resolve(entry), after.resolve(is.get(name))];
    if (containsAll(a, b)) return true;
    const others = asArray(b);
    // A single extension may have become one of several.
    const list = asArray(a) ?? (others === undefined ? undefined : [a ?? null]);
    if (list !== undefined) {
      return list.every((item) => (others ?? []).some((other) => sameObject(item, other)));
    }
    const [before1, after1] = [asDict(a), asDict(b)];
    if (before1 === undefined || after1 === undefined) return false;
    const base = (dict: PdfDict) => Number(asName(dict.get('BaseVersion'))?.value ?? Number.NaN);
    const level = (dict: PdfDict) => asNumber(dict.get('ExtensionLevel')) ?? Number.NaN;
    return base(after1) >= base(before1) && level(after1) >= level(before1);
  });
}

/** Titles, dates and keywords: no page displays them, and tools rewrite them in each update. */
function descriptionChanges(before: PdfFile, after: PdfFile): readonly LaterChange[] {
  const found: LaterChange[] = [];
  // An entry unreadable in both is unchanged: sections and generations are compared elsewhere.
  const infoOf = (file: PdfFile) =>
    readUndamaged(() => file.resolve(file.trailer.get('Info'))) ?? null;
  const info = infoOf(after);
  if (!sameObject(infoOf(before), info)) {
    const isUsual = info === null || asDict(info) !== undefined;
    const message = 'the document information (title, dates) was changed';
    found.push(isUsual ? described('form-filling', message) : otherChange(message));
  }
  const [old, now] = entriesOf(before, after, 'Metadata');
  if (sameObject(old, now)) return found;
  const isKnown = isMetadata(before, old) && isMetadata(after, now);
  const isHeld = asReference(after.catalog.get('Metadata')) !== undefined;
  return [
    ...found,
    (old === null || isKnown) && isHeld && isMetadata(after, now)
      ? described('form-filling', 'the metadata (XMP) of the document was changed')
      : otherChange('the metadata of the document was replaced'),
  ];
}

/** Whether the value is an XMP stream. @spec ISO 32000-2 §14.3.2 */
function isMetadata(file: PdfFile, value: PdfObject): boolean {
  const stream = asStream(value);
  if (stream === undefined) return false;
  const root = attempt(() => parseXml(file.decode(stream)).root);
  return root?.is('adobe:ns:meta/', 'xmpmeta') === true;
}
