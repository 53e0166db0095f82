import type { CompanyKey } from '../../domain/keys.ts';
import type { ListVersion } from '../../domain/screening/index.ts';

/** A version of a list, and the location of its content. */
export interface StoredWatchlist {
  readonly version: ListVersion;
  readonly contentSha256: string;
}

/** Lists that companies imported for screening. */
export interface Watchlists {
  /** Companies that have lists, the most recent import first. */
  companies(take: number): Promise<readonly CompanyKey[]>;
  /** The newest version of each list, by name. */
  current(companyKey: CompanyKey): Promise<readonly StoredWatchlist[]>;
  /** The retained versions of a list, newest first. */
  versions(companyKey: CompanyKey, list: string): Promise<readonly StoredWatchlist[]>;
  /** Adds a list as the newest version. Only some older versions are retained. */
  add(companyKey: CompanyKey, stored: StoredWatchlist): Promise<void>;
  /** Removes all versions. @returns their number */
  remove(companyKey: CompanyKey, list: string): Promise<number>;
}
