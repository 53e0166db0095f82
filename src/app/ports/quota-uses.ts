import type { QuotaName } from '../../domain/company/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';

/** A count of what a company has used. */
export interface QuotaCount {
  readonly companyKey: CompanyKey;
  readonly what: QuotaName;
  /** `YYYY-MM-DD`; empty for what has no day, such as stored bytes. */
  readonly day: string;
}

/** What companies have used of their quotas. */
export interface QuotaUses {
  /**
   * Adds to a count. It is kept in parts, so that those who add at one time do not wait for each
   * other; a part is known by a digest.
   */
  add(count: QuotaCount, part: string, amount: number): Promise<void>;
  /** What was used, of all parts or of one. */
  used(count: QuotaCount, part?: string): Promise<number>;
  /** Forgets the days of a company before `day`. */
  removeBefore(companyKey: CompanyKey, day: string): Promise<void>;
}
