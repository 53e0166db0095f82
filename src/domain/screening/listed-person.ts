import type { WatchCategory } from './category.ts';

/** A name of a listed person, as in the list. */
export interface ListedName {
  /** The full name in any script, given names first. */
  readonly text: string;
  /** Its parts, if the list separates them. */
  readonly given?: string;
  readonly family?: string;
  readonly kind: 'primary' | 'alias' | 'former' | 'original-script';
  /** The list marks the name as weak: only an equal name is a match. */
  readonly isWeak?: true;
}

/** A day, month or year of birth, or a range of them, as precise as in the list. */
export interface ListedDate {
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  readonly from: string;
  /** The end of a range, in the same formats. Absent: a single date. */
  readonly to?: string;
  /** The list qualifies the date as "circa" or "approximately". */
  readonly isApproximate?: true;
}

/** The data of a listed person that matching needs. */
export interface ListedIdentity {
  /** Primary name first; never empty. */
  readonly names: readonly ListedName[];
  readonly births: readonly ListedDate[];
  readonly gender?: 'Male' | 'Female';
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries: readonly string[];
}

/** A person or other entry on a list, in one form for all list formats. */
export interface ListedPerson extends ListedIdentity {
  /** Stable across versions of its list. */
  readonly key: string;
  /** Only persons are matched when persons are screened; other entries are counted and stored. */
  readonly subject: 'person' | 'organisation' | 'vessel' | 'aircraft' | 'other';
  readonly categories: readonly WatchCategory[];
  readonly firstName: string;
  readonly middleName?: string;
  readonly lastName: string;
  readonly isDeceased?: true;
  readonly placeOfBirth?: string;
  readonly nationality?: string;
  readonly primaryLocation?: string;
  /** Passport numbers, national numbers and similar, as written in the list. */
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
