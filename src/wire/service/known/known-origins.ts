import type { ServicePorts } from '../../../app/service/index.ts';
import { findOrigin } from '../../../domain/company.ts';
import { putBounded } from './known-companies.ts';

/** Time for which an origin that another program has removed may still be taken for registered. */
const ORIGIN_LIFE_MS = 2000;
const ORIGINS_MAX = 1000;
const CHARACTERS_MAX = 300;

/** Says whether a company, or any, has registered an origin. */
export type FindOrigin = (origin: string, companyKey?: string) => Promise<boolean>;

/**
 * Asks the store, whose answers hold for two seconds; false for what no browser would send as the
 * origin of a page that can be registered. While the database is away its last answer holds:
 * nobody can change it meanwhile. It throws nothing.
 */
export function knownOrigins({ store, now }: Pick<ServicePorts, 'store' | 'now'>): FindOrigin {
  const find: FindOrigin = (origin, key) => store.read(({ origins }) => origins.has(origin, key));
  const known = new Map<string, { readonly atMs: number; readonly answer: Promise<boolean> }>();
  return async (origin, companyKey = '') => {
    if (origin.length > CHARACTERS_MAX) return false;
    const key = `${companyKey} ${origin}`;
    const found = known.get(key);
    const nowMs = now();
    const ageMs = nowMs - (found?.atMs ?? 0);
    if (found !== undefined && ageMs >= 0 && ageMs < ORIGIN_LIFE_MS) return found.answer;
    if (findOrigin(origin) !== origin) return false;
    const asked = find(origin, companyKey === '' ? undefined : companyKey);
    const answer = asked.catch(() => found?.answer ?? false);
    putBounded(known, key, { atMs: nowMs, answer }, ORIGINS_MAX);
    return answer;
  };
}
