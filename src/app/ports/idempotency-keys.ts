import type { CompanyKey } from '../../domain/keys.ts';

/** Answers that are given again to a request that comes twice. */
export interface IdempotencyKeys {
  /** Takes the name for a request that begins; false when it is taken. */
  claim(mark: AnswerMark): Promise<boolean>;
  /** What is known of the name; others who look wait until this transaction ends. */
  lock(companyKey: CompanyKey, key: string): Promise<KeptAnswer | undefined>;
  /** Gives the name to the request of `mark`, in the place of the one that holds it. */
  takeOver(mark: AnswerMark): Promise<void>;
  /**
   * Notes, in the transaction of its work, how many transactions of the request are done. False
   * when the name is no longer held by this request: then its work must not be done either.
   */
  advance(mark: AnswerHold, steps: number): Promise<boolean>;
  /** Holds the name until `untilMs`. */
  renew(mark: AnswerHold, untilMs: number): Promise<void>;
  /** Keeps the answer, as text, for the request that holds the name. */
  keep(mark: AnswerHold, answer: string): Promise<void>;
  /** Frees the name, when this request holds it. */
  remove(mark: AnswerHold): Promise<void>;
  removeOld(createdBeforeMs: number): Promise<number>;
}

/** Who holds a name. */
export interface AnswerHold {
  readonly companyKey: CompanyKey;
  readonly key: string;
  /** Unpredictable, and of one request only. */
  readonly owner: string;
}

/** A request that its sender has given a name. */
export interface AnswerMark extends AnswerHold {
  /** SHA-256 of method, address and body. */
  readonly requestHash: string;
  readonly createdAtMs: number;
  /** Epoch milliseconds: a program that lives renews it until the request has its answer. */
  readonly untilMs: number;
}

/** What is known of a name. */
export interface KeptAnswer extends AnswerMark {
  /** Transactions of the request that are written. */
  readonly steps: number;
  readonly answer?: string;
}
