import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { invalid, oneOf, optional } from '../../base/input.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { type ListFormat, listFormats } from '../../domain/list-formats.ts';
import {
  compareLists,
  type ListDelta,
  type ListedPerson,
  type ListFile,
  type ListVersion,
  ListWriter,
  openList,
  parsePersons,
} from '../../domain/screening/index.ts';
import type { StoredWatchlist } from '../ports/index.ts';
import {
  type ListPorts,
  requireSamePersons,
  requireSuccessor,
  unpackFiles,
} from './lists/index.ts';
import { planRescreening } from './rescreen-customers.ts';

/** A list that is to be imported. */
export interface ListImport {
  /** Its name: letters, digits, dots, underscores, blanks and hyphens. */
  readonly list: string;
  /** The file, or those of the US Treasury together. */
  readonly files: readonly ListFile[];
  /** Default: by the content; `csv` with `columns` or `category`. */
  readonly format?: ListFormat;
  /** Of a CSV of one's own: what its columns are called, by our names or `name`, a whole name. */
  readonly columns?: Readonly<Record<string, string>>;
  /** Of a CSV of one's own: codes for rows without any, such as `SIP` or `Sanction/TER`. */
  readonly category?: string;
  /**
   * Takes a version with a tenth fewer persons, a fifth fewer names, an earlier date, or others in
   * place of most persons.
   */
  readonly acceptShrink?: boolean;
}

/** Entries after which others get their turn. */
const TURN = 1000;

/**
 * Imports a version of a list. Whatever is wrong with it, the version of before stays; until the
 * new one is whole, it is the one that is screened against.
 *
 * @throws screening.list.invalid, screening.list.shrunken, validation.error, limit.exceeded
 */
export async function importList(
  ports: ListPorts,
  companyKey: CompanyKey,
  { list, files, format: asked, acceptShrink = false, columns, category }: ListImport,
): Promise<ListVersion> {
  const name = list.trim();
  if (!/^[\p{L}\p{N}._ -]{1,100}$/u.test(name)) {
    invalid('list', 'expected a name of letters and digits');
  }
  const format = optional(oneOf(listFormats))(asked, 'format');
  const own = defined({ columns, category });
  const isOwn = columns !== undefined || category !== undefined;
  if (isOwn && (format ?? 'csv') !== 'csv') {
    invalid(columns === undefined ? 'category' : 'columns', 'only allowed for a csv list');
  }
  const { read, content, counts } = await asList(files, async () => {
    const read = openList(await unpackFiles(files), isOwn ? 'csv' : format, own);
    const { content, ...counts } = await writeList(read.entries);
    return { read, content, counts };
  });
  if (!acceptShrink) {
    const [newest] = await ports.store.read((unit) => unit.watchlists.versions(companyKey, name));
    await requireSamePersons(ports.blobs, newest, content);
  }
  const { publishedDate } = read;
  const facts = {
    ...{ list: name, format: read.format },
    ...defined({ publishedDate }),
    sha256: digestOf(files),
    ...counts,
  };
  const contentSha256 = await ports.blobs.put(content);
  return ports.store.write(async (unit) => {
    // Imports at the same time follow each other, each compared with the one before.
    await unit.companies.lock(companyKey);
    const [before] = await unit.watchlists.versions(companyKey, name);
    if (!acceptShrink) requireSuccessor(before, facts);
    // Two versions of one millisecond would be one.
    const importedAtMs = Math.max(ports.now(), (before?.version.importedAtMs ?? 0) + 1);
    const version: ListVersion = { ...facts, importedAtMs };
    await unit.watchlists.add(companyKey, { version, contentSha256 });
    await planRescreening(unit, companyKey, ports.now());
    return { ...version, contentSha256 };
  });
}

/** What `work` gives; XML that is cut or wrong is no list. @throws screening.list.invalid */
async function asList<T>(files: readonly ListFile[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isInnsigliError(error, 'xml')) throw error;
    const name = files[0]?.name ?? 'the list';
    const message = `${name.slice(0, 100)}: ${error.message}`;
    throw new InnsigliError('screening.list.invalid', message, { cause: error });
  }
}

/** The persons as they are stored. None is kept: a long list takes little more than its bytes. */
async function writeList(entries: Iterable<ListedPerson>) {
  const writer = new ListWriter();
  const counts = { persons: 0, names: 0, others: 0 };
  for (const entry of entries) {
    if (entry.subject === 'person') {
      writer.add(entry);
      counts.persons += 1;
      counts.names += entry.names.length;
    } else counts.others += 1;
    // A long list takes seconds: others get their turn.
    if ((counts.persons + counts.others) % TURN === 0) await turn();
  }
  if (counts.persons > 0) return { ...counts, content: writer.finish() };
  throw new InnsigliError('screening.list.invalid', 'expected persons, found none');
}

function digestOf(files: readonly ListFile[]): string {
  const hash = createHash('sha256');
  for (const { content } of files) hash.update(content);
  return hash.digest('hex');
}

/** The current version of each list of a company. */
export async function currentLists(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
): Promise<readonly ListVersion[]> {
  const stored = await store.read(({ watchlists }) => watchlists.current(companyKey));
  return stored.map(({ version }) => version);
}

/** The versions of a list that are kept, the newest first. @throws screening.list.not_found */
export async function listVersions(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
  list: string,
): Promise<readonly ListVersion[]> {
  const stored = await requireVersions(store, companyKey, list);
  return stored.map(({ version }) => version);
}

/** What the newest version changes, against the one before. @throws screening.list.not_found */
export async function diffList(
  ports: ListPorts,
  companyKey: CompanyKey,
  list: string,
): Promise<ListDelta & { readonly from?: ListVersion; readonly to: ListVersion }> {
  const [to, from] = await requireVersions(ports.store, companyKey, list);
  if (to === undefined) throw notFound(list);
  const persons = async ({ contentSha256 }: StoredWatchlist) =>
    parsePersons(await ports.blobs.get(contentSha256));
  const after = await persons(to);
  if (from === undefined) {
    const added = Array.from({ length: after.count }, (_, at) => after.person(at));
    return { added, changed: [], removed: [], to: to.version };
  }
  const delta = compareLists(await persons(from), after);
  return { ...delta, from: from.version, to: to.version };
}

/** Removes a list with all versions. @throws screening.list.not_found */
export async function removeList(
  { store, now }: Pick<ListPorts, 'store' | 'now'>,
  companyKey: CompanyKey,
  list: string,
): Promise<void> {
  const count = await store.write(async (unit) => {
    await unit.companies.lock(companyKey);
    await planRescreening(unit, companyKey, now());
    return unit.watchlists.remove(companyKey, list);
  });
  if (count === 0) throw notFound(list);
}

async function requireVersions(
  store: ListPorts['store'],
  companyKey: CompanyKey,
  list: string,
): Promise<readonly StoredWatchlist[]> {
  const found = await store.read(({ watchlists }) => watchlists.versions(companyKey, list));
  if (found.length === 0) throw notFound(list);
  return found;
}

function notFound(list: string): InnsigliError {
  return new InnsigliError('screening.list.not_found', `no list "${list.slice(0, 100)}"`, {
    hint: 'list them with innsigli screen lists show',
  });
}
