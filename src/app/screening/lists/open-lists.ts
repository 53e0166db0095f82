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
  parseList,
  type SearchedList,
  watchCategories,
} from '../../../domain/screening/index.ts';
import type { BlobStore, StoredWatchlist } from '../../ports/index.ts';
import type { ServicePorts } from '../../service/index.ts';

/** Dependencies of lists. */
export interface ListPorts extends Pick<ServicePorts, 'store' | 'blobs' | 'now'> {
  /** Made-up persons may stand in where no list was imported: not in production. */
  readonly mayUseFictionalList: boolean;
}

/** Where the file of a list is got from. */
export interface ListSource {
  /** Name of the list. A list of several files has as many sources. */
  readonly list: string;
  readonly url: string;
}

/** Dependencies of updates. */
export interface UpdatePorts extends ListPorts {
  /** The sources of the configuration, in its order. */
  readonly listSources: readonly ListSource[];
  /** The content at an address. @throws network.* */
  fetchList(url: string): Promise<Uint8Array>;
}

/** A person, with the list that they stand on. */
export interface PersonOfList {
  readonly person: ListedPerson;
  readonly list: ListVersion;
}

/** All current lists of a company, opened for searching. */
export interface OpenedLists {
  readonly versions: readonly ListVersion[];
  readonly index: NameIndex;
  /** The person of a match. */
  person(number: number): PersonOfList;
}

/** Lists that are kept open: companies with the same list share it. */
const OPEN_MAX = 24;
const open = new WeakMap<BlobStore, Map<string, Promise<ListContent>>>();

/**
 * The current lists of a company; the embedded one of made-up persons where there is none.
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

/** As {@link openLists}, of the versions that were found to be current. */
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
 * The versions of lists that a screening has searched.
 *
 * @throws screening.list.not_found when one is kept no longer, blob.missing, blob.corrupt
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
      if (one === undefined) throw keptNoLonger(list);
      found.push(one);
    }
    return found;
  });
  return openStored(ports, stored);
}

async function openStored(
  { blobs }: Pick<ListPorts, 'blobs'>,
  stored: readonly StoredWatchlist[],
): Promise<OpenedLists> {
  const contents = await Promise.all(stored.map((each) => openContent(blobs, each)));
  const versions = stored.map(({ version, contentSha256 }) => ({ ...version, contentSha256 }));
  return joinedLists(versions, contents);
}

function keptNoLonger(list: string): InnsigliError {
  return new InnsigliError(
    'screening.list.not_found',
    `the version of "${list}" that was searched is kept no longer`,
  );
}

/** Codes of a listed person in their order, joined by a slash. */
export function categoryOf({ categories }: ListedPerson): string {
  return watchCategories.filter((each) => categories.includes(each)).join('/');
}

/** The content of a version. @throws blob.missing, blob.corrupt */
export async function openContent(
  blobs: BlobStore,
  { contentSha256 }: StoredWatchlist,
): Promise<ListContent> {
  const known = open.get(blobs) ?? new Map<string, Promise<ListContent>>();
  open.set(blobs, known);
  const found = known.get(contentSha256);
  if (found !== undefined) {
    // The one that was used last goes last.
    known.delete(contentSha256);
    known.set(contentSha256, found);
    return found;
  }
  const opening = blobs.get(contentSha256).then(parseList);
  known.set(contentSha256, opening);
  if (known.size > OPEN_MAX) known.delete(known.keys().next().value as string);
  opening.catch(() => known.delete(contentSha256));
  return opening;
}

function joinedLists(
  versions: readonly ListVersion[],
  contents: readonly ListContent[],
): OpenedLists {
  return {
    versions,
    index: joinNameIndexes(contents.map(({ index }) => index)),
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
  embedded = {
    versions: [list],
    index: buildNameIndex(persons),
    person: (number) => ({ person: persons[number] as ListedPerson, list }),
  };
  return embedded;
}
