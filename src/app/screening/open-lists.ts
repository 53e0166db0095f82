import { InnsigliError } from '../../base/errors.ts';
import type { CompanyKey } from '../../domain/keys.ts';
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
} from '../../domain/screening/index.ts';
import type { BlobStore, StoredWatchlist } from '../ports/index.ts';
import type { ServicePorts } from '../service/index.ts';

/** Dependencies of lists. */
export interface ListPorts extends Pick<ServicePorts, 'store' | 'blobs' | 'now'> {
  /** Made-up persons may stand in where no list was imported: not in production. */
  readonly mayUseFictionalList: boolean;
}

/** All current lists of a company, opened for searching. */
export interface OpenedLists {
  readonly versions: readonly ListVersion[];
  readonly index: NameIndex;
  /** The person of a match, with the list that they stand on. */
  person(number: number): { readonly person: ListedPerson; readonly list: ListVersion };
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
  const stored = await ports.store.read(({ watchlists }) => watchlists.current(companyKey));
  if (stored.length === 0) {
    if (ports.mayUseFictionalList) return fictional();
    throw new InnsigliError('screening.list.required', 'expected an imported list, found none', {
      hint: 'innsigli screen lists import FILE',
    });
  }
  const contents = await Promise.all(stored.map((each) => openContent(ports.blobs, each)));
  return joinedLists(
    stored.map(({ version }) => version),
    contents,
  );
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
