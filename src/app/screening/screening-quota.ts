import { InnsigliError } from '../../base/errors.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { Store } from '../ports/index.ts';

/** Dependencies of {@link takeScreening}. */
export interface QuotaPorts {
  readonly store: Store;
  /** Maximum number of screenings per company and minute, counted by each program separately. */
  readonly screeningsPerMinute: number;
}

const WINDOW_MS = 60_000;
const windows = new WeakMap<Store, Map<CompanyKey, { readonly sinceMs: number; count: number }>>();

/**
 * Counts a screening of a company in this program.
 *
 * @throws screening.quota.exceeded with the number of seconds to wait
 */
export function takeScreening(
  { store, screeningsPerMinute }: QuotaPorts,
  companyKey: CompanyKey,
  nowMs: number,
): void {
  const known = windows.get(store) ?? new Map();
  windows.set(store, known);
  const found = known.get(companyKey);
  if (found === undefined || nowMs - found.sinceMs >= WINDOW_MS) {
    known.set(companyKey, { sinceMs: nowMs, count: 1 });
    return;
  }
  if (found.count >= screeningsPerMinute) {
    const retryAfterSeconds = Math.max(1, Math.ceil((found.sinceMs + WINDOW_MS - nowMs) / 1000));
    throw new InnsigliError(
      'screening.quota.exceeded',
      `expected at most ${screeningsPerMinute} screenings per minute`,
      { details: { retryAfterSeconds }, hint: 'wait, then try again' },
    );
  }
  found.count += 1;
}
