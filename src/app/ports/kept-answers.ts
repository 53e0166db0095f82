import type { CompanyKey } from '../../domain/keys.ts';

/** Answers that are given again to a request that comes twice. */
export interface KeptAnswers {
  /** Takes the name for a request that begins; false when it is taken. */
  claim(mark: AnswerMark): Promise<boolean>;
  find(
    companyKey: CompanyKey,
    key: string,
  ): Promise<(AnswerMark & { readonly answer?: string }) | undefined>;
  /** Keeps the answer, as text, for the request that has the name. */
  keep(companyKey: CompanyKey, key: string, answer: string): Promise<void>;
  remove(companyKey: CompanyKey, key: string): Promise<void>;
  removeOld(createdBeforeMs: number): Promise<number>;
}

/** A request that its sender has given a name. */
export interface AnswerMark {
  readonly companyKey: CompanyKey;
  readonly key: string;
  /** SHA-256 of method, address and body. */
  readonly requestHash: string;
  readonly createdAtMs: number;
}
