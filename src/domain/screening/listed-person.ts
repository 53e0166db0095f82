import type { WatchCategory } from './category.ts';

/** A name of a listed person as its list gives it. */
export interface ListedName {
  /** The whole name, given names first, in any script. */
  readonly text: string;
  /** Its parts, where the list tells them apart. */
  readonly given?: string;
  readonly family?: string;
  readonly kind: 'primary' | 'alias' | 'former' | 'original-script';
  /** The list itself calls the name weak: only the same name is a match. */
  readonly isWeak?: true;
}

/** A day, month or year of birth, or a range of them, as exact as the list knows. */
export interface ListedDate {
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  readonly from: string;
  /** The end of a range, in the same forms; absent: it is one date. */
  readonly to?: string;
  /** The list says «circa» or «approximately». */
  readonly isApproximate?: true;
}

/** What matching needs of a listed person. */
export interface ListedIdentity {
  /** The primary one first; never empty. */
  readonly names: readonly ListedName[];
  readonly births: readonly ListedDate[];
  readonly gender?: 'Male' | 'Female';
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries: readonly string[];
}

/** A person on a list, in one form for all formats of lists. */
export interface ListedPerson extends ListedIdentity {
  /** Stable over the versions of its list. */
  readonly key: string;
  /** Only persons are found by a screening of persons; the others are counted and kept. */
  readonly subject: 'person' | 'organisation' | 'vessel' | 'aircraft' | 'other';
  readonly categories: readonly WatchCategory[];
  readonly firstName: string;
  readonly middleName?: string;
  readonly lastName: string;
  readonly isDeceased?: true;
  readonly placeOfBirth?: string;
  readonly nationality?: string;
  readonly primaryLocation?: string;
  /** Numbers of passports, national numbers and the like, as the list writes them. */
  readonly identifiers?: readonly string[];
  /** URLs. */
  readonly images?: readonly string[];
  readonly furtherInformation?: readonly string[];
  readonly roles?: readonly {
    readonly title: string;
    readonly status: string;
    readonly country: string;
  }[];
  readonly officialLists?: readonly {
    readonly keyword: string;
    readonly description: string;
    readonly isCurrent: boolean;
  }[];
}
