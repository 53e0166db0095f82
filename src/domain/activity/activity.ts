import type { CompanyKey, FlowKey, ProcessKey, SequenceKey } from '../keys.ts';
import type { ActivityDraft } from '../process/index.ts';

/** A row of the activity log of a process. */
export interface Activity
  extends Pick<
    ActivityDraft,
    'signeeKey' | 'status' | 'createdBy' | 'description' | 'fileName' | 'terms'
  > {
  readonly processKey: ProcessKey;
  /** Position in the chain of the process, from 1. */
  readonly seq: number;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly sequenceKey?: SequenceKey;
  readonly createdAtMs: number;
  /**
   * Name → SHA-256 of a stored blob, hexadecimal: `document` after this step, `before` it,
   * `attachment:KEY` for attached files, `removed:N` for blobs that a purge deleted. Rows of
   * earlier versions have none.
   */
  readonly digests?: Readonly<Record<string, string>>;
  /** Name → SHA-256 over salt and value. Remains after the value is erased. */
  readonly commitments: Readonly<Record<string, string>>;
  /** SHA-256 over the hash of the previous row and this row, hexadecimal. */
  readonly hash: string;
}

/** Erasable personal data of a row, as stored. */
export interface PersonalValue {
  readonly name: string;
  /** Hexadecimal. */
  readonly salt: string;
  /** Absent if the process stores the value: the row then only commits to it. */
  readonly value?: string;
}

/** A personal value with everything its commitment covers. */
export type OpenedValue = Required<PersonalValue>;

/** Root over the rows of one day, with its time-stamp. */
export interface DailyRoot {
  readonly companyKey: CompanyKey;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Format of the time-stamped record: see {@link anchorDigest}. */
  readonly version: RootVersion;
  /** Number of rows under the root. */
  readonly count: number;
  /** Merkle root over the row hashes, hexadecimal. */
  readonly root: string;
  /** RFC 3161 token over the root, DER. Absent until an authority has responded. */
  readonly token?: Uint8Array;
  readonly createdAtMs: number;
}

/**
 * 1: roots of earlier versions, which skipped days without rows. 2: from the first such root, the
 * company has one at least every {@link quietDaysMax} days.
 */
type RootVersion = 1 | 2;
