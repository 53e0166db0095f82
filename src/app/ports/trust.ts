/** A named set of trust anchors, as it is stored; each change makes the next version of it. */
export interface TrustProfile {
  readonly v: 1;
  readonly name: string;
  /** 1, 2, … */
  readonly version: number;
  /** Epoch milliseconds of the last change. */
  readonly changedMs: number;
  /** Source of its trusted lists; absent for certificates alone. */
  readonly source?: TrustSource;
  /** Anchors beside those of lists, DER in base64. */
  readonly certificates: readonly string[];
  /** The list of lists or single list of the source; the first entry, when there is a source. */
  readonly lists: readonly StoredList[];
  /** Lists of lists that lead from the given signers to those of the present one, oldest first. */
  readonly pivots: readonly StoredList[];
}

/** Address of trusted lists, and the signers of the first one. */
export interface TrustSource {
  /** http or https address, or absolute path. */
  readonly location: string;
  /** Certificates of its signers that the user gave, DER in base64. */
  readonly signers: readonly string[];
  /** Only the lists of these territories; all of them when left out. */
  readonly territories?: readonly string[];
  /** Treatment of a list whose next update is overdue. */
  readonly expired: 'refuse' | 'warn';
}

/** A list whose signature was verified when it was stored. */
export interface StoredList {
  readonly location: string;
  /** SHA-256 of its bytes, hexadecimal: the name of the stored file. */
  readonly sha256: string;
  readonly lengthBytes: number;
  /** TSLVersionIdentifier. */
  readonly formVersion: number;
  readonly type: string;
  readonly isListOfLists: boolean;
  readonly territory: string;
  readonly operator: string;
  readonly sequenceNumber: number;
  readonly issuedMs: number;
  readonly nextUpdateMs?: number;
  readonly providers: number;
  readonly services: number;
  readonly pointers: number;
  /** The certificate that verified its signature, DER in base64. */
  readonly signer: string;
  readonly verifiedMs: number;
}

/** Profiles and the lists that they name, on this machine. */
export interface TrustStore {
  /** Names of the profiles, sorted. */
  names(): Promise<readonly string[]>;
  /** The text of a profile; undefined when there is none. @throws trust.profile.invalid */
  find(name: string): Promise<string | undefined>;
  /** The bytes of a stored list. @throws trust.profile.invalid when they are gone */
  readList(name: string, sha256: string): Promise<Uint8Array>;
  /**
   * Stores a profile in the place of the one before, whole or not at all; the lists come first.
   * Earlier versions are kept beside it, and the lists that no kept version names are removed.
   *
   * @throws config.datadir.unusable
   */
  put(profile: StoredProfile): Promise<void>;
}

/** A profile on its way into the store. */
export interface StoredProfile {
  readonly name: string;
  readonly version: number;
  readonly text: string;
  /** Lists that are new, by their SHA-256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of every list that it names. */
  readonly named: readonly string[];
}
