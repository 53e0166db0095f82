import type { CompanyKey, FlowKey, ProcessKey, SequenceKey, SigneeKey } from '../keys.ts';

/** A row of the activity log of a process. */
export interface Activity {
  readonly processKey: ProcessKey;
  /** Place in the chain of the process, from 1 on. */
  readonly seq: number;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly sequenceKey?: SequenceKey;
  readonly signeeKey?: SigneeKey;
  readonly status: string;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly description?: string;
  readonly fileName?: string;
  /** Name → SHA-256 over salt and value: stays when the value is erased. */
  readonly commitments: Readonly<Record<string, string>>;
  /** SHA-256 of this row and the hash of the one before, hexadecimal. */
  readonly hash: string;
}

/** Erasable personal data of a row. */
export interface PersonalValue {
  readonly name: string;
  /** Hexadecimal. */
  readonly salt: string;
  readonly value: string;
}

/** The rows of one day under one root with a time-stamp. */
export interface DailyRoot {
  readonly companyKey: CompanyKey;
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  /** Rows under the root. */
  readonly count: number;
  /** Merkle root over the row hashes, hexadecimal. */
  readonly root: string;
  /** RFC 3161 token over the root, DER; absent while no authority answered. */
  readonly token?: Uint8Array;
  readonly createdAtMs: number;
}
