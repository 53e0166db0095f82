import type { CompanyKey } from '../../domain/keys.ts';

/** Origins whose pages may read answers about a company. */
export interface Origins {
  /** Those of a company, the oldest first. */
  list(companyKey: CompanyKey): Promise<readonly string[]>;
  /** Whether `companyKey` has registered it; left out: whether anybody has. */
  has(origin: string, companyKey?: string): Promise<boolean>;
  /** Adds one; nothing happens when it is there. */
  put(companyKey: CompanyKey, origin: string, nowMs: number): Promise<void>;
  /** False when it was not there. */
  remove(companyKey: CompanyKey, origin: string): Promise<boolean>;
}
