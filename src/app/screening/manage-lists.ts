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

/** A request to import a list. */
export interface ListImport {
  /** Name of the list: letters, digits, dots, underscores, spaces and hyphens. */
  readonly list: string;
  /** The file; for the US Treasury, all of its files together. */
  readonly files: readonly ListFile[];
  /** Default: detected by content; `csv` if `columns` or `category` is set. */
  readonly format?: ListFormat;
  /** For a custom CSV: its column names, by our column names or `name` for a full name. */
  readonly columns?: Readonly<Record<string, string>>;
  /** For a custom CSV: category codes of rows that have none, such as `SIP` or `Sanction/TER`. */
  readonly category?: string;
  /**
   * Whether to accept a version that loses more than a tenth of the persons or a fifth of the
   * names, has an earlier date, or replaces most persons.
   */
  readonly acceptShrink?: boolean;
}

/** Number of entries after which the event loop gets a turn. */
const TURN = 1000;

/**
 * Imports a version of a list. If it fails, the previous version stays. Screenings use the previous
 * version until the new one is complete.
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
    // Serializes concurrent imports: each is compared with the one before.
    await unit.companies.lock(companyKey);
    const [before] = await unit.watchlists.versions(companyKey, name);
    if (!acceptShrink) requireSuccessor(before, facts);
    // Versions are told apart by their time, so it must differ from the previous one.
    const importedAtMs = Math.max(ports.now(), (before?.version.importedAtMs ?? 0) + 1);
    const version: ListVersion = { ...facts, importedAtMs };
    await unit.watchlists.add(companyKey, { version, contentSha256 });
    await planRescreening(unit, companyKey, ports.now());
    return { ...version, contentSha256 };
  });
}

/** Runs `work`, reporting malformed or truncated XML. @throws screening.list.invalid */
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

/** Serializes the persons for storage one by one: a long list needs little more than its bytes. */
async function writeList(entries: Iterable<ListedPerson>) {
  const writer = new ListWriter();
  const counts = { persons: 0, names: 0, others: 0 };
  for (const entry of entries) {
    if (entry.subject === 'person') {
      writer.add(entry);
      counts.persons += 1;
      counts.names += entry.names.length;
    } else counts.others += 1;
    // A long list takes seconds: let other work run.
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

/** Returns the current version of each list of a company. */
export async function currentLists(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
): Promise<readonly ListVersion[]> {
  const stored = await store.read(({ watchlists }) => watchlists.current(companyKey));
  return stored.map(({ version }) => version);
}

/** Returns the stored versions of a list, newest first. @throws screening.list.not_found */
export async function listVersions(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
  list: string,
): Promise<readonly ListVersion[]> {
  const stored = await requireVersions(store, companyKey, list);
  return stored.map(({ version }) => version);
}

/** Compares the newest version with the previous one. @throws screening.list.not_found */
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
