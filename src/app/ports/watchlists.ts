import type { CompanyKey } from '../../domain/keys.ts';
import type { ListVersion } from '../../domain/screening/index.ts';

/** A version of a list, and where its content is. */
export interface StoredWatchlist {
  readonly version: ListVersion;
  readonly contentSha256: string;
}

/** Lists that companies imported for screening. */
export interface Watchlists {
  /** Companies that have lists, the one with the last import first. */
  companies(take: number): Promise<readonly CompanyKey[]>;
  /** The newest version of each list, by name. */
  current(companyKey: CompanyKey): Promise<readonly StoredWatchlist[]>;
  /** The versions of a list that are kept, the newest first. */
  versions(companyKey: CompanyKey, list: string): Promise<readonly StoredWatchlist[]>;
  /** Makes it the newest version; of the older ones some are kept. */
  add(companyKey: CompanyKey, stored: StoredWatchlist): Promise<void>;
  /** Removes all versions. @returns how many there were */
  remove(companyKey: CompanyKey, list: string): Promise<number>;
}
