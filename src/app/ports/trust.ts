/** A named set of trust anchors, as stored. Each change creates the next version. */
export interface TrustProfile {
  readonly v: 1;
  readonly name: string;
  /** Version number, starting at 1. */
  readonly version: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly changedMs: number;
  /** Source of its trusted lists. Undefined if it has only certificates. */
  readonly source?: TrustSource;
  /** Anchors in addition to those of lists, DER in base64. */
  readonly certificates: readonly string[];
  /** Stored lists. If there is a source, the first is its list of lists or its single list. */
  readonly lists: readonly StoredList[];
  /** Pivot lists from the given signers to those of the current list of lists, oldest first. */
  readonly pivots: readonly StoredList[];
}

/** Location of trusted lists, and the signers of the first one. */
export interface TrustSource {
  /** http or https URL, or absolute path. */
  readonly location: string;
  /** Certificates of its signers, provided by the user, DER in base64. */
  readonly signers: readonly string[];
  /** Only the lists of these territories. Default: all. */
  readonly territories?: readonly string[];
  /** How a list whose next update is overdue is handled. */
  readonly expired: 'refuse' | 'warn';
}

/** A list whose signature was verified when it was stored. */
export interface StoredList {
  readonly location: string;
  /** SHA-256 of its bytes, hexadecimal; also the name of the stored file. */
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

/** Profiles and their lists on this machine. */
export interface TrustStore {
  /** Names of the profiles, sorted. */
  names(): Promise<readonly string[]>;
  /** The text of a profile. Undefined if there is none. @throws trust.profile.invalid */
  find(name: string): Promise<string | undefined>;
  /** The bytes of a stored list. @throws trust.profile.invalid if they are missing */
  readList(name: string, sha256: string): Promise<Uint8Array>;
  /**
   * Stores a profile atomically, replacing the previous version; its lists are written first.
   * Earlier versions are retained next to it. Lists that no retained version names are removed.
   *
   * @throws config.datadir.unusable
   */
  put(profile: StoredProfile): Promise<void>;
}

/** A profile to be stored. */
export interface StoredProfile {
  readonly name: string;
  readonly version: number;
  readonly text: string;
  /** New lists, by their SHA-256. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of every list that the profile names. */
  readonly named: readonly string[];
}
