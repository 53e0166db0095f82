import type { AccessToken, LoginSession } from '../../domain/auth/index.ts';

/** Logins of persons; who answered is kept encrypted. */
export interface LoginSessions {
  add(session: LoginSession): Promise<void>;
  find(key: string): Promise<LoginSession | undefined>;
  /** As {@link find}; other writers of this login wait until this transaction ends. */
  lock(key: string): Promise<LoginSession | undefined>;
  save(session: LoginSession): Promise<void>;
  /** Removes those that were started before. */
  removeOld(startedBeforeMs: number): Promise<number>;
}

/** Tokens that open places of signees. */
export interface AccessTokens {
  /** Adds it; one that is there already stays as it is. */
  put(token: AccessToken): Promise<void>;
  find(sha256: string): Promise<AccessToken | undefined>;
  removeExpired(nowMs: number): Promise<number>;
}

/** When something was polled last. */
export interface PollTimes {
  /**
   * Notes a poll of `key`, unless the last one is less than `gapMs` ago: then the milliseconds
   * until the next one are the answer, and nothing changes. Of polls at one time one gets 0.
   */
  take(key: string, nowMs: number, gapMs: number): Promise<number>;
  /** When it was polled last. */
  find(key: string): Promise<number | undefined>;
  removeOld(beforeMs: number): Promise<number>;
}
