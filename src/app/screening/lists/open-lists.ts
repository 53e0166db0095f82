import { InnsigliError } from '../../../base/errors.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import {
  buildNameIndex,
  fictionalList,
  joinNameIndexes,
  type ListContent,
  type ListedPerson,
  type ListVersion,
  listedEntry,
  type NameIndex,
  type PersonMatch,
  type PersonQuery,
  parseList,
  type SearchedList,
  type SearchOptions,
  watchCategories,
} from '../../../domain/screening/index.ts';
import type { BlobStore, StoredWatchlist } from '../../ports/index.ts';
import type { ServicePorts } from '../../service/index.ts';

/** Dependencies of reading lists. */
export interface ListPorts extends Pick<ServicePorts, 'store' | 'blobs' | 'now'> {
  /** Whether an embedded list of fictional persons replaces missing lists. Never in production. */
  readonly mayUseFictionalList: boolean;
  /** Undefined: searches run in the calling thread. */
  readonly searchThreads?: SearchThreads;
}

/** Worker threads that search lists. */
export interface SearchThreads {
  /** Starts a thread if there is none, so that it is ready when the lists are loaded. */
  begin(): void;
  /** Copies the bytes to memory shared by all threads. */
  share(bytes: Uint8Array): Uint8Array;
  /**
   * Like a search of the joined indexes of these lists.
   *
   * @returns undefined if no thread is available
   */
  search(
    lists: readonly SharedList[],
    query: PersonQuery,
    options: SearchOptions,
  ): Promise<readonly PersonMatch[] | undefined>;
}

/** A list in memory shared by all threads. */
export interface SharedList {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** Source of a file of a list. */
export interface ListSource {
  /** Name of the list. A list of several files has one source per file. */
  readonly list: string;
  readonly url: string;
}

/** Dependencies of updating lists. */
export interface UpdatePorts extends ListPorts {
  /** The configured sources, in order. */
  readonly listSources: readonly ListSource[];
  /** Fetches the content of a URL. @throws network.* */
  fetchList(url: string): Promise<Uint8Array>;
}

/** A person with the list that names them. */
export interface PersonOfList {
  readonly person: ListedPerson;
  readonly list: ListVersion;
}

/** All current lists of a company, opened for searching. */
export interface OpenedLists {
  readonly versions: readonly ListVersion[];
  readonly index: NameIndex;
  /** Searches the index, in a worker thread if there is one. */
  search(query: PersonQuery, options: SearchOptions): Promise<readonly PersonMatch[]>;
  /** The person of a match. */
  person(number: number): PersonOfList;
}

/** A cached open list with its bytes. */
interface OpenedContent extends SharedList {
  readonly content: ListContent;
}

interface KeptList {
  readonly opening: Promise<OpenedContent>;
  readonly usedAtMs: number;
}

type OpeningPorts = Pick<ListPorts, 'blobs' | 'searchThreads' | 'now'>;

/** Maximum number of cached lists. Companies with the same list share it. */
const OPEN_MAX = 24;
/** A list unused for this long, such as yesterday's version, is evicted when another is opened. */
const IDLE_MS = 3_600_000;
const open = new WeakMap<BlobStore, Map<string, KeptList>>();

/**
 * Opens the current lists of a company, or the embedded list of fictional persons if it has none.
 *
 * @throws screening.list.required in production without a list
 * @throws blob.missing, blob.corrupt
 */
export async function openLists(ports: ListPorts, companyKey: CompanyKey): Promise<OpenedLists> {
  return openCurrent(
    ports,
    await ports.store.read(({ watchlists }) => watchlists.current(companyKey)),
  );
}

/** Like {@link openLists}, for versions already found to be current. */
export async function openCurrent(
  ports: ListPorts,
  stored: readonly StoredWatchlist[],
): Promise<OpenedLists> {
  if (stored.length === 0) {
    if (ports.mayUseFictionalList) return fictional();
    throw new InnsigliError('screening.list.required', 'expected an imported list, found none', {
      hint: 'innsigli screen lists import FILE',
    });
  }
  return openStored(ports, stored);
}

/**
 * Opens the versions of lists that a screening searched.
 *
 * @throws screening.list.not_found if one is no longer stored, blob.missing, blob.corrupt
 */
export async function openSearched(
  ports: ListPorts,
  companyKey: CompanyKey,
  searched: readonly SearchedList[],
): Promise<OpenedLists> {
  if (searched.every(({ contentSha256 }) => contentSha256 === '')) return fictional();
  const stored = await ports.store.read(async ({ watchlists }) => {
    const found: StoredWatchlist[] = [];
    for (const { list, contentSha256 } of searched) {
      const all = await watchlists.versions(companyKey, list);
      const one = all.find((each) => each.contentSha256 === contentSha256);
      if (one === undefined) throw versionNotStored(list);
      found.push(one);
    }
    return found;
  });
  return openStored(ports, stored);
}

async function openStored(
  ports: OpeningPorts,
  stored: readonly StoredWatchlist[],
): Promise<OpenedLists> {
  const opened = await Promise.all(stored.map((each) => openKept(ports, each)));
  const versions = stored.map(({ version, contentSha256 }) => ({ ...version, contentSha256 }));
  return joinedLists(versions, opened, ports.searchThreads);
}

function versionNotStored(list: string): InnsigliError {
  return new InnsigliError(
    'screening.list.not_found',
    `the version of "${list}" that was searched is no longer stored`,
  );
}

/** Category codes of a listed person in canonical order, joined with slashes. */
export function categoryOf({ categories }: ListedPerson): string {
  return watchCategories.filter((each) => categories.includes(each)).join('/');
}

/** Opens the content of a version. @throws blob.missing, blob.corrupt */
export async function openContent(
  ports: OpeningPorts,
  stored: StoredWatchlist,
): Promise<ListContent> {
  return (await openKept(ports, stored)).content;
}

async function openKept(
  { blobs, searchThreads, now }: OpeningPorts,
  { contentSha256 }: StoredWatchlist,
): Promise<OpenedContent> {
  const known = open.get(blobs) ?? new Map<string, KeptList>();
  open.set(blobs, known);
  const usedAtMs = now();
  const found = known.get(contentSha256);
  if (found !== undefined) {
    // Moves the entry to the end: the least recently used entry is evicted first.
    known.delete(contentSha256);
    known.set(contentSha256, { ...found, usedAtMs });
    return found.opening;
  }
  searchThreads?.begin();
  const opening = blobs.get(contentSha256).then((read) => {
    const bytes = searchThreads?.share(read) ?? read;
    return { sha256: contentSha256, bytes, content: parseList(bytes) };
  });
  known.set(contentSha256, { opening, usedAtMs });
  for (const [sha256, kept] of known) {
    if (known.size <= OPEN_MAX && usedAtMs - kept.usedAtMs < IDLE_MS) break;
    known.delete(sha256);
  }
  opening.catch(() => known.delete(contentSha256));
  return opening;
}

function joinedLists(
  versions: readonly ListVersion[],
  opened: readonly OpenedContent[],
  searchThreads: SearchThreads | undefined,
): OpenedLists {
  const contents = opened.map(({ content }) => content);
  const index = joinNameIndexes(contents.map((content) => content.index));
  return {
    versions,
    index,
    search: async (query, options) =>
      (await searchThreads?.search(opened, query, options)) ?? index.search(query, options),
    person(number) {
      let at = 0;
      let own = number;
      while (own >= (contents[at]?.count ?? Number.POSITIVE_INFINITY)) {
        own -= (contents[at] as ListContent).count;
        at += 1;
      }
      const [content, list] = [contents[at], versions[at]];
      if (content === undefined || list === undefined) throw new RangeError('no such person');
      return { person: content.person(own), list };
    },
  };
}

let embedded: OpenedLists | undefined;

function fictional(): OpenedLists {
  if (embedded !== undefined) return embedded;
  const persons = fictionalList.map(listedEntry);
  const list: ListVersion = {
    ...{ list: 'fictional', format: 'embedded', importedAtMs: 0, sha256: '' },
    ...{ persons: persons.length, others: 0, isFictional: true },
    names: persons.reduce((sum, { names }) => sum + names.length, 0),
  };
  const index = buildNameIndex(persons);
  embedded = {
    versions: [list],
    index,
    search: async (query, options) => index.search(query, options),
    person: (number) => ({ person: persons[number] as ListedPerson, list }),
  };
  return embedded;
}
