import type { CompanyKey, FlowKey, ProcessKey, SequenceKey } from '../keys.ts';
import type { ActivityDraft } from '../process/index.ts';

/** A row of the activity log of a process. */
export interface Activity
  extends Pick<
    ActivityDraft,
    'signeeKey' | 'status' | 'createdBy' | 'description' | 'fileName' | 'terms'
  > {
  readonly processKey: ProcessKey;
  /** Place in the chain of the process, from 1 on. */
  readonly seq: number;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly sequenceKey?: SequenceKey;
  readonly createdAtMs: number;
  /**
   * Name → SHA-256 of a stored content, hexadecimal: `document` after this step, `before` it,
   * `attachment:KEY` for files beside it, `removed:N` for what a purge took. Rows of earlier
   * versions have none.
   */
  readonly digests?: Readonly<Record<string, string>>;
  /** Name → SHA-256 over salt and value: stays when the value is erased. */
  readonly commitments: Readonly<Record<string, string>>;
  /** SHA-256 of this row and the hash of the one before, hexadecimal. */
  readonly hash: string;
}

/** Erasable personal data of a row, as it is stored. */
export interface PersonalValue {
  readonly name: string;
  /** Hexadecimal. */
  readonly salt: string;
  /** Absent where the process holds the value: the row then only commits to it. */
  readonly value?: string;
}

/** A personal value with what its commitment is over. */
export type OpenedValue = Required<PersonalValue>;

/** The rows of one day under one root with a time-stamp. */
export interface DailyRoot {
  readonly companyKey: CompanyKey;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Form of the record that is time-stamped: see {@link anchorDigest}. */
  readonly version: RootVersion;
  /** Rows under the root. */
  readonly count: number;
  /** Merkle root over the row hashes, hexadecimal. */
  readonly root: string;
  /** RFC 3161 token over the root, DER; absent while no authority answered. */
  readonly token?: Uint8Array;
  readonly createdAtMs: number;
}

/**
 * 1: roots of earlier versions, which left out days without rows. 2: from such a root on, the
 * company has one at least every {@link quietDaysMax} days.
 */
type RootVersion = 1 | 2;
