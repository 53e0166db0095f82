import {
  asArray,
  asDict,
  asReference,
  asStream,
  type PdfDict,
  type PdfFile,
  type PdfObject,
} from '../../../../formats/pdf/index.ts';
import { sameObject } from '../compare-objects.ts';
import { type LaterChange, otherChange } from '../later-change.ts';

const lists = ['Certs', 'OCSPs', 'CRLs'] as const;
const storeKeys = new Set<string>(['Type', 'VRI', ...lists]);
const vriLists = ['Cert', 'OCSP', 'CRL'] as const;
const vriKeys = new Set<string>(['Type', 'TU', 'TS', ...vriLists]);
const empty: PdfDict = new Map();

/**
 * Changes to the validation data. It may grow, and lists may be rewritten without unnecessary data;
 * the store itself and its entries for single signatures must remain.
 *
 * @spec ISO 32000-2 §12.8.4.3; ETSI EN 319 142-1 §5.4
 */
export function storeChanges(before: PdfFile, after: PdfFile): readonly LaterChange[] {
  const [old, now] = [before.catalog.get('DSS') ?? null, after.catalog.get('DSS') ?? null];
  const [was, is] = [before.resolve(old), after.resolve(now)];
  if (was === null && is === null) return [];
  if (is === null) return [otherChange('validation data (/DSS) was removed')];
  const store = asDict(is);
  const earlier = asDict(was) ?? empty;
  if (store === undefined) return [otherChange('validation data (/DSS) is not a dictionary')];
  const fault =
    storeFault(before, after, earlier, store) ?? vriFault(before, after, earlier, store);
  if (fault !== undefined) return [otherChange(`validation data was changed: ${fault}`)];
  const isSame = sameObject(was, is) && sameLists(before, after, earlier, store);
  if (isSame) return [];
  const message = `validation data was ${was === null ? 'added' : 'renewed'}`;
  return [{ level: 'long-term-data', kind: 'validation-data', message }];
}

function storeFault(
  before: PdfFile,
  after: PdfFile,
  earlier: PdfDict,
  store: PdfDict,
): string | undefined {
  const unknown = [...store.keys()].find((key) => !storeKeys.has(key) && !earlier.has(key));
  if (unknown !== undefined) return `/DSS has an entry /${unknown}`;
  const wrong = lists.find((key) => {
    const old = before.resolve(earlier.get(key));
    // Entries in the signed revision may have any type, as long as they do not change.
    if (sameObject(old, after.resolve(store.get(key)))) return false;
    return !isStreamList(after, store.get(key), asArray(old));
  });
  return wrong === undefined ? undefined : `/${wrong} is not a list of streams`;
}

/** Whether all additions to a list are streams. Those in the signed revision may have any type. */
function isStreamList(
  file: PdfFile,
  value: PdfObject | undefined,
  earlier?: readonly PdfObject[],
): boolean {
  if (value === undefined) return true;
  const items = asArray(file.resolve(value));
  if (items === undefined) return false;
  return items.every((item) => {
    if (asReference(item) !== undefined && asStream(file.resolve(item)) !== undefined) return true;
    return earlier?.some((old) => sameObject(old, item)) === true;
  });
}

/** The fault of rewritten /VRI entries that lose data. Undefined if there is none. */
function vriFault(
  before: PdfFile,
  after: PdfFile,
  earlier: PdfDict,
  store: PdfDict,
): string | undefined {
  const value = after.resolve(store.get('VRI'));
  const was = before.resolve(earlier.get('VRI'));
  if (asDict(was) === undefined && sameObject(was, value)) return undefined;
  const [old, now] = [asDict(was) ?? empty, value === null ? empty : asDict(value)];
  if (now === undefined) return '/VRI is not a dictionary';
  for (const [key, entry] of now) {
    if (key === 'Type' || sameObject(entry, old.get(key) ?? null)) continue;
    const dict = asDict(after.resolve(entry));
    const isOdd =
      dict === undefined ||
      // The standard requires the SHA-1 of /Contents; some programs use a longer digest.
      !/^[A-Z0-9]{40}/.test(key) ||
      [...dict.keys()].some((inner) => !vriKeys.has(inner)) ||
      vriLists.some((inner) => !isStreamList(after, dict.get(inner)));
    if (isOdd) return '/VRI has an invalid entry';
  }
  const kept = streamsOf(after, store);
  const lost = [...vriStreams(before, old)].some((number) => !kept.has(number));
  return lost ? 'validation data named in /VRI was removed' : undefined;
}

/** Numbers of all streams in the store. */
function streamsOf(file: PdfFile, store: PdfDict): ReadonlySet<number> {
  const found = vriStreams(file, asDict(file.resolve(store.get('VRI'))) ?? empty);
  for (const key of lists) addNumbers(file, store.get(key), found);
  return found;
}

function vriStreams(file: PdfFile, vri: PdfDict): Set<number> {
  const found = new Set<number>();
  for (const entry of vri.values()) {
    const dict = asDict(file.resolve(entry));
    for (const key of vriLists) addNumbers(file, dict?.get(key), found);
  }
  return found;
}

function addNumbers(file: PdfFile, list: PdfObject | undefined, found: Set<number>): void {
  for (const item of asArray(file.resolve(list)) ?? []) {
    const number = asReference(item)?.objectNumber;
    if (number !== undefined) found.add(number);
  }
}

function sameLists(before: PdfFile, after: PdfFile, old: PdfDict, now: PdfDict): boolean {
  return [...lists, 'VRI'].every((key) =>
    sameObject(before.resolve(old.get(key)), after.resolve(now.get(key))),
  );
}
