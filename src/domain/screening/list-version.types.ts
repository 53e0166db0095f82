/** A version of a list that was imported whole. */
export interface ListVersion {
  /** Name of the list: `un`, `eu`, or any that the company gave it. */
  readonly list: string;
  /** Format that the file had. */
  readonly format: string;
  /** Date that the list itself states, `YYYY-MM-DD`; absent: it states none. */
  readonly publishedDate?: string;
  readonly importedAtMs: number;
  /** Of the imported file, hexadecimal; of several the first. */
  readonly sha256: string;
  /** Of the content that is searched; absent for the embedded list. */
  readonly contentSha256?: string;
  readonly persons: number;
  readonly names: number;
  /** Organisations, vessels and others: counted, and not screened. */
  readonly others: number;
  /** The embedded list of made-up persons. */
  readonly isFictional?: true;
}
