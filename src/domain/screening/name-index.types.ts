/** A person to search for. Requires `originalName` or at least one of the name parts. */
export interface PersonQuery {
  readonly firstName?: string;
  readonly middleName?: string;
  readonly lastName?: string;
  /** The full name, if its parts are unknown. */
  readonly originalName?: string;
  /** `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
  readonly dateOfBirth?: string;
  readonly gender?: 'Male' | 'Female';
  /** Two letters. Used as evidence, never as a filter. */
  readonly countryCode?: string;
}

/** Kinds of evidence reported in `matchedFields`, a documented vocabulary. */
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

/** How a word of the query matches a word of the listed name. */
export interface NamePart {
  /** Absent: a word of the listed name that the query lacks. */
  readonly query?: string;
  /** Absent: a word of the query that the listed name lacks. */
  readonly listed?: string;
  readonly how: 'same' | 'spelling' | 'sound' | 'nickname' | 'initial' | 'joined' | 'unmatched';
  /** 0 to 1. */
  readonly likeness: number;
}

/** A listed person who is similar enough to the query. */
export interface PersonMatch {
  /** Position of the person among those that the index was built from. */
  readonly number: number;
  /** 1 to 100. 100 only if nothing is left unmatched and nothing contradicts. */
  readonly rate: number;
  /** Rate of the name alone, excluding birth, gender and country. */
  readonly nameRate: number;
  /** Position of the matching name among the names of the person. */
  readonly nameNumber: number;
  readonly parts: readonly NamePart[];
  readonly matchedFields: readonly MatchedField[];
}

/** Options of a search. */
export interface SearchOptions {
  /** Minimum rate of a match, 1 to 100. */
  readonly leastRate: number;
  /** Maximum number of matches; the best are returned. */
  readonly limit: number;
}

/**
 * Names of many persons in a form that is searched in less than a millisecond, and that can be
 * written to a file and reopened without rebuilding (`serializeNameIndex`, `parseNameIndex`).
 */
export interface NameIndex {
  readonly personCount: number;
  readonly nameCount: number;
  /** Changes whenever a query may get different rates. Recorded in every audit row. */
  readonly engineVersion: string;
  /** Searches persons, best match first; ties by evidence, similarity of name, then number. */
  search(query: PersonQuery, options: SearchOptions): readonly PersonMatch[];
}
