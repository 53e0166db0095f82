import { equalBytes } from '../base/bytes.ts';
import { isCoreError } from '../base/errors.ts';
import {
  asArray,
  asDict,
  asName,
  asReference,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
  serializeObject,
} from '../formats/pdf/index.ts';

/** Entries of the catalog that signing and archiving change. */
const catalogKeys = new Set(['AcroForm', 'DSS', 'Perms', 'Extensions', 'Version', 'Metadata']);
/** Entries of a form that signing changes: `Fields` may only grow, resources are for new fields. */
const formKeys = new Set(['Fields', 'SigFlags', 'DR', 'DA']);
/** Entries that are not compared where the object is a signature field or its widget. */
const fieldKeys = new Set(['V', 'AP', 'F', 'Lock', 'M']);

/**
 * What updates after a revision changed besides adding signatures, time-stamps and validation
 * data, for people; undefined when nothing. An allow-list: whatever it does not know is a change,
 * because content that a signer never saw must not pass for what was signed.
 *
 * @spec ETSI EN 319 142-1 §5.5; ISO 32000-2 §12.8.2.2.2
 */
export function findForeignChange(before: PdfFile, after: PdfFile): string | undefined {
  try {
    return findChange(before, after);
  } catch (error) {
    if (isCoreError(error)) return `the change cannot be read: ${error.message}`;
    throw error;
  }
}

function findChange(before: PdfFile, after: PdfFile): string | undefined {
  const { objectNumber } = after.catalogReference;
  if (objectNumber !== before.catalogReference.objectNumber) return 'there is another catalog';
  if (!sameEncryption(before, after)) return 'the encryption was changed';
  const roles = collectRoles(before);
  for (const number of changedNumbers(before, after)) {
    const [old, now] = [before, after].map((file) => read(file, number)) as [PdfObject, PdfObject];
    if (sameObject(old, now)) continue;
    const role = roles.get(number);
    const allowed =
      number === objectNumber
        ? sameBut(old, now, catalogKeys) && formGrew(before, after)
        : allowedChange(role, old, now, before, after);
    if (!allowed) return `object ${number}${role === undefined ? '' : ` (${role})`} was changed`;
  }
  return undefined;
}

/** Compares the dictionary in the trailer and the identifier that its key is made from. */
function sameEncryption(before: PdfFile, after: PdfFile): boolean {
  const [old, now] = [before, after].map(({ trailer }) => trailer.get('Encrypt') ?? null);
  if (!sameObject(old ?? null, now ?? null)) return false;
  if ((now ?? null) === null) return true;
  const [oldId, newId] = [before, after].map((file) => {
    const [first] = asArray(file.resolve(file.trailer.get('ID'))) ?? [];
    return file.resolve(first);
  });
  return sameObject(oldId ?? null, newId ?? null);
}

type Role = 'form' | 'signature field' | 'validation data' | 'description';

/** Objects of the old revision that signing and archiving may touch, by number. */
function collectRoles(file: PdfFile): ReadonlyMap<number, Role> {
  const roles = new Map<number, Role>();
  const mark = (value: PdfObject | undefined, role: Role) => {
    const reference = asReference(value);
    if (reference !== undefined) roles.set(reference.objectNumber, role);
  };
  const note = (value: PdfObject | undefined, role: Role) => {
    mark(value, role);
    return file.resolve(value);
  };
  const form = asDict(note(file.catalog.get('AcroForm'), 'form'));
  for (const item of asArray(file.resolve(form?.get('Fields'))) ?? []) {
    const field = asDict(file.resolve(item));
    if (asName(file.resolve(field?.get('FT')))?.value !== 'Sig') continue;
    note(item, 'signature field');
  }
  const store = asDict(note(file.catalog.get('DSS'), 'validation data'));
  for (const key of ['Certs', 'OCSPs', 'CRLs', 'VRI']) note(store?.get(key), 'validation data');
  // Data about the document: tools renew its dates, and no page shows it.
  mark(file.catalog.get('Metadata'), 'description');
  mark(file.trailer.get('Info'), 'description');
  return roles;
}

function changedNumbers(before: PdfFile, after: PdfFile): ReadonlySet<number> {
  const known = new Set(before.sections.map(({ offsetBytes }) => offsetBytes));
  const numbers = new Set<number>();
  for (const { offsetBytes, ranges } of after.sections) {
    if (known.has(offsetBytes)) continue;
    for (const { first, count } of ranges) {
      for (let i = 0; i < count && first + i < before.objectCount; i++) numbers.add(first + i);
    }
  }
  numbers.delete(0);
  return numbers;
}

function read(file: PdfFile, number: number): PdfObject {
  const location = file.locate(number);
  if (location === undefined) return null;
  const generation = location.kind === 'offset' ? location.generation : 0;
  return file.read(new PdfReference(number, generation));
}

function sameObject(old: PdfObject, now: PdfObject): boolean {
  if (old instanceof PdfStream || now instanceof PdfStream) {
    return (
      old instanceof PdfStream &&
      now instanceof PdfStream &&
      sameBut(old.dict, now.dict, new Set()) &&
      equalBytes(old.raw, now.raw)
    );
  }
  return sameValue(old, now);
}

/** Compares what is said, not how it is written: encrypted strings are written anew as digits. */
function sameValue(old: PdfObject, now: PdfObject): boolean {
  if (old instanceof PdfString) {
    return now instanceof PdfString && equalBytes(old.bytes, now.bytes);
  }
  const [list, dict] = [asArray(old), asDict(old)];
  if (list !== undefined) {
    const other = asArray(now);
    if (other?.length !== list.length) return false;
    return list.every((item, index) => sameValue(item, other[index] as PdfObject));
  }
  if (dict === undefined) return equalBytes(serializeObject(old), serializeObject(now));
  const other = asDict(now);
  if (other?.size !== dict.size) return false;
  return [...dict].every(
    ([key, value]) => other.has(key) && sameValue(value, other.get(key) ?? null),
  );
}

function sameBut(old: PdfObject, now: PdfObject, free: ReadonlySet<string>): boolean {
  const [a, b] = [asDict(old), asDict(now)];
  if (a === undefined || b === undefined) return false;
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    if (free.has(key)) continue;
    if (!sameObject(a.get(key) ?? null, b.get(key) ?? null)) return false;
  }
  return true;
}

function allowedChange(
  role: Role | undefined,
  old: PdfObject,
  now: PdfObject,
  before: PdfFile,
  after: PdfFile,
): boolean {
  if (role === 'validation data' || role === 'description') return true;
  if (role === 'form') return sameBut(old, now, formKeys) && formGrew(before, after);
  // The fields of the form, the annotations of a page: wherever the list stands, it only grew.
  if (asArray(old) !== undefined) return grewBySignatures(old, now, before, after);
  if (role === undefined && asDict(now)?.has('Annots')) {
    if (!sameBut(old, now, new Set(['Annots']))) return false;
    const [a, b] = [asDict(old)?.get('Annots'), asDict(now)?.get('Annots')];
    return grewBySignatures(before.resolve(a), after.resolve(b), before, after);
  }
  if (role !== 'signature field' || !sameBut(old, now, fieldKeys)) return false;
  const signed = asDict(before.resolve(asDict(old)?.get('V')));
  return signed === undefined || sameObject(asDict(old)?.get('V') ?? null, signatureValueOf(now));
}

function signatureValueOf(field: PdfObject): PdfObject {
  return asDict(field)?.get('V') ?? null;
}

function formGrew(before: PdfFile, after: PdfFile): boolean {
  const [old, now] = [before, after].map((file) =>
    asDict(file.resolve(file.catalog.get('AcroForm'))),
  );
  if (now === undefined) return old === undefined;
  const empty: PdfDict = new Map();
  if (!sameBut(old ?? empty, now, formKeys)) return old === undefined;
  const fields = (file: PdfFile, form: PdfDict | undefined) => file.resolve(form?.get('Fields'));
  return grewBySignatures(fields(before, old), fields(after, now), before, after);
}

/** True when the new list is the old one with signature fields behind it. */
function grewBySignatures(
  old: PdfObject,
  now: PdfObject,
  before: PdfFile,
  after: PdfFile,
): boolean {
  const [a, b] = [asArray(old) ?? [], asArray(now)];
  if (b === undefined) return old === null && now === null;
  if (b.length < a.length) return false;
  if (!a.every((item, index) => sameObject(item, b[index] ?? null))) return false;
  return b.slice(a.length).every((item) => {
    const reference = asReference(item);
    const isNew = reference !== undefined && before.locate(reference.objectNumber) === undefined;
    const field = asDict(after.resolve(item));
    const parent = asDict(after.resolve(field?.get('Parent')));
    const type = asName(after.resolve(field?.get('FT') ?? parent?.get('FT')))?.value;
    return type === 'Sig' && (isNew || isEmptySignature(before, reference));
  });
}

function isEmptySignature(before: PdfFile, reference: PdfReference | undefined): boolean {
  const field = asDict(reference === undefined ? null : before.resolve(reference));
  return asName(before.resolve(field?.get('FT')))?.value === 'Sig';
}
