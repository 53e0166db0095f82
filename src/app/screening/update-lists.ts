import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { ListFile, ListVersion } from '../../domain/screening/index.ts';
import type { ListSource, UpdatePorts } from './lists/index.ts';
import { importList } from './manage-lists.ts';

/** Options of {@link updateLists}. */
export interface ListUpdate {
  /** Names of lists. Default: every list that has a source. */
  readonly lists?: readonly string[];
  /** Whether to accept shrunken or largely replaced versions: {@link ListImport.acceptShrink}. */
  readonly acceptShrink?: boolean;
}

/** Result of {@link updateLists}. */
export interface UpdatedLists {
  readonly updated: readonly (ListVersion & {
    /** Whether the files are identical to those of the previous version. */
    readonly isUnchanged: boolean;
  })[];
  /** Lists that keep their previous version, with the reason. */
  readonly failed: readonly {
    readonly list: string;
    readonly code: string;
    readonly message: string;
  }[];
}

/**
 * Fetches lists from their sources and imports them. A list that fails is reported and keeps its
 * current version; the rest are updated.
 *
 * @throws screening.source.required if there is no source, or none for a requested list
 */
export async function updateLists(
  ports: UpdatePorts,
  companyKey: CompanyKey,
  { lists, acceptShrink = false }: ListUpdate = {},
): Promise<UpdatedLists> {
  const updated: UpdatedLists['updated'][number][] = [];
  const failed: UpdatedLists['failed'][number][] = [];
  for (const list of chosen(ports.listSources, lists)) {
    try {
      const files = await fetchFiles(ports, list);
      const before = await ports.store.read((unit) => unit.watchlists.versions(companyKey, list));
      const version = await importList(ports, companyKey, { list, files, acceptShrink });
      const isUnchanged = before[0]?.version.sha256 === version.sha256;
      updated.push({ ...version, isUnchanged });
    } catch (error) {
      if (!isInnsigliError(error)) throw error;
      failed.push({ list, code: error.code, message: error.message });
    }
  }
  return { updated, failed };
}

/** Names of the lists to update, without duplicates. */
function chosen(
  sources: readonly ListSource[],
  named: readonly string[] | undefined,
): readonly string[] {
  const known = new Set(sources.map(({ list }) => list));
  const missing = named?.find((list) => !known.has(list));
  if (known.size > 0 && missing === undefined) return [...new Set(named ?? known)];
  const message =
    missing === undefined
      ? 'expected sources of lists, found none'
      : `no source of the list "${missing.slice(0, 100)}"`;
  throw new InnsigliError('screening.source.required', message, {
    hint: 'set screening.sources, such as un=https://…',
  });
}

async function fetchFiles(ports: UpdatePorts, name: string): Promise<readonly ListFile[]> {
  const files: ListFile[] = [];
  for (const { list, url } of ports.listSources) {
    if (list !== name) continue;
    const content = await ports.fetchList(url);
    files.push({ name: new URL(url).pathname.split('/').at(-1) ?? '', content });
  }
  return files;
}
