/** A complete imported version of a list. */
export interface ListVersion {
  /** Name of the list: `un`, `eu`, or any name chosen by the company. */
  readonly list: string;
  /** Format of the imported file. */
  readonly format: string;
  /** Date stated in the list itself, `YYYY-MM-DD`. Absent: none stated. */
  readonly publishedDate?: string;
  readonly importedAtMs: number;
  /** SHA-256 of the imported file, hexadecimal; of the first if there are several. */
  readonly sha256: string;
  /** SHA-256 of the searched content. Absent for the embedded list. */
  readonly contentSha256?: string;
  readonly persons: number;
  readonly names: number;
  /** Organisations, vessels and other entries: counted but not screened against. */
  readonly others: number;
  /** The embedded list of fictional persons. */
  readonly isFictional?: true;
}
