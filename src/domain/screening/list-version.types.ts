import type { ListedPerson } from './listed-person.ts';
import type { NameIndex } from './name-index.types.ts';

/** A version of a list that was imported whole. */
export interface ListVersion {
  /** Name of the list: `un`, `eu`, `ofac-sdn`, or one of the company. */
  readonly list: string;
  /** Format that the file had. */
  readonly format: string;
  /** Date that the list itself says, `YYYY-MM-DD`; absent: it says none. */
  readonly publishedDate?: string;
  readonly importedAtMs: number;
  /** Of the imported file, hexadecimal. */
  readonly sha256: string;
  readonly persons: number;
  readonly names: number;
  /** Organisations, vessels and others: kept, and not screened. */
  readonly others: number;
  /** The embedded list of made-up persons. */
  readonly isFictional?: true;
}

/** All current lists of a company, opened for searching. */
export interface OpenedLists {
  readonly versions: readonly ListVersion[];
  readonly index: NameIndex;
  /** The person of a match, with the list that it stands on. */
  person(number: number): { readonly person: ListedPerson; readonly list: ListVersion };
}

/** What another version of a list changes. */
export interface ListDelta {
  readonly list: string;
  readonly from?: ListVersion;
  readonly to: ListVersion;
  readonly added: readonly ListedPerson[];
  /** Persons whose content changed; those whose identity changed are screened again. */
  readonly changed: readonly {
    readonly person: ListedPerson;
    readonly isIdentityChanged: boolean;
  }[];
  /** Keys. */
  readonly removed: readonly string[];
}
