/** A person to look for; at least one of `originalName` and the parts is given. */
export interface PersonQuery {
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName?: string;
  /** The whole name, where nobody can tell its parts apart. */
  readonly originalName?: string;
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  readonly dateOfBirth?: string;
  readonly gender?: 'Male' | 'Female';
  /** Two letters: evidence, and never a filter. */
  readonly countryCode?: string;
}

/** Kinds of evidence in the answer (`matchedFields`), a documented vocabulary. */
export type MatchedField =
  | 'name'
  | 'alias'
  | 'weakAlias'
  | 'originalScript'
  | 'phonetic'
  | 'nickname'
  | 'initial'
  | 'dateOfBirth'
  | 'yearOfBirth'
  | 'gender'
  | 'country';

/** How one word of the query meets a word of the listed name. */
export interface NamePart {
  /** Absent: a word of the listed name that the query leaves out. */
  readonly query?: string;
  /** Absent: a word of the query that the listed name lacks. */
  readonly listed?: string;
  readonly how: 'same' | 'spelling' | 'sound' | 'nickname' | 'initial' | 'joined' | 'unmatched';
  /** 0 to 1. */
  readonly likeness: number;
}

/** A listed person close enough to the query. */
export interface PersonMatch {
  /** Position of the person among those that the index was built from. */
  readonly number: number;
  /** 1 to 100; 100 only when nothing is left unmatched and nothing contradicts. */
  readonly rate: number;
  /** The name alone, before birth, gender and country. */
  readonly nameRate: number;
  /** Position of the name that matched among the names of the person. */
  readonly nameNumber: number;
  readonly parts: readonly NamePart[];
  readonly matchedFields: readonly MatchedField[];
}

/** Options of a search. */
export interface SearchOptions {
  /** Matches below it are left out, 1 to 100. */
  readonly leastRate: number;
  /** Matches at most; the best ones stay. */
  readonly limit: number;
}

/**
 * Names of many persons in a form that is searched in less than a millisecond, and that can be
 * written to a file and opened again without work (`serializeNameIndex`, `parseNameIndex`).
 */
export interface NameIndex {
  readonly personCount: number;
  readonly nameCount: number;
  /** Changes whenever the same query can get other rates; it stands in every audit row. */
  readonly engineVersion: string;
  /** Best first; ties in a fixed order (evidence, then rarity, then number). */
  search(query: PersonQuery, options: SearchOptions): readonly PersonMatch[];
}
