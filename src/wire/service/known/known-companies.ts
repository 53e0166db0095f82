import { hash } from 'node:crypto';
import type { Authenticated } from '../../../app/company/index.ts';
import type { CompanyService } from '../../../app/company-service.ts';
import type { Store } from '../../../app/ports/index.ts';
import type { ServicePorts } from '../../../app/service/index.ts';
import { type Company, findOrigin } from '../../../domain/company.ts';
import type { ProcessKey, SequenceKey } from '../../../domain/keys.ts';

/** Number of cached toolkits and of cached valid keys. */
const COMPANIES_MAX = 1000;
const KEYS_MAX = 1000;
/** Time for which a key revoked by another program may still be accepted. */
const KEY_LIFE_MS = 1000;

interface KnownKey extends Pick<Authenticated, 'scopes' | 'expiresAtMs'> {
  readonly toolkit: CompanyService;
}

/** Toolkits of companies, each created once, and authenticated keys. */
interface KnownCompanies {
  /** The toolkit of a company. A new one is created if its record has changed. */
  toolkit(company: Company): CompanyService;
  /** Like `find`, with positive results cached for a second. */
  authenticated(
    companyKey: string,
    apiKey: string,
    find: () => Promise<Authenticated | undefined>,
  ): Promise<KnownKey | undefined>;
  /** Called when a key is revoked: every key is looked up again. */
  forgetKeys(): void;
}

/** An empty cache of companies and keys. Memory is bounded; only digests of keys are stored. */
export function knownCompanies(
  open: (company: Company) => CompanyService,
  now: () => number,
): KnownCompanies {
  const toolkits = new Map<string, CompanyService>();
  let keys = new Map<string, KnownKey & { readonly sinceMs: number }>();
  const toolkit = (company: Company) => {
    const known = toolkits.get(company.key);
    if (known !== undefined && isSame(known.company, company)) return known;
    const made = open(company);
    putBounded(toolkits, company.key, made, COMPANIES_MAX);
    return made;
  };
  return {
    toolkit,
    async authenticated(companyKey, apiKey, find) {
      const digest = hash('sha256', `${companyKey}\n${apiKey}`, 'base64');
      const before = keys;
      const nowMs = now();
      const found = keys.get(digest);
      const ageMs = nowMs - (found?.sinceMs ?? 0);
      const hasEnded = nowMs >= (found?.expiresAtMs ?? Number.POSITIVE_INFINITY);
      if (found !== undefined && ageMs >= 0 && ageMs < KEY_LIFE_MS && !hasEnded) return found;
      const right = await find();
      if (right === undefined) return undefined;
      const { company, ...rest } = right;
      const entry = { ...rest, sinceMs: nowMs, toolkit: toolkit(company) };
      // A look-up started before a revocation writes to the old map, which is no longer read.
      putBounded(before, digest, entry, KEYS_MAX);
      return entry;
    },
    forgetKeys() {
      keys = new Map();
    },
  };
}

function isSame(a: Company, b: Company): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Adds an entry. Evicts the oldest one if the map is full. */
export function putBounded<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  if (map.size >= most) map.delete(map.keys().next().value as string);
  map.set(key, value);
}

/** Time for which an origin removed by another program may still count as registered. */
const ORIGIN_LIFE_MS = 2000;
const ORIGINS_MAX = 1000;
const CHARACTERS_MAX = 300;

/** Whether a company, or any company, has registered an origin. */
type FindOrigin = (origin: string, companyKey?: string) => Promise<boolean>;

/**
 * Looks origins up in the store and caches the results for two seconds. Returns false for strings
 * that no browser would send as the origin of a page that can be registered. While the database is
 * unavailable, the last result is used, since no one can change it meanwhile. Never throws.
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

const PLACES_MAX = 10_000;

/**
 * The number of signee places that a request with this key reads. For a sequence these are the
 * places of all its documents: persons times documents. A result is cached, since it rarely
 * changes; a missing key is looked up again.
 */
export function knownPlaces(store: Pick<Store, 'read'>): (key: string) => Promise<number> {
  const known = new Map<string, number>();
  return async (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = await store.read(async ({ sequences, processes }) => {
      const process = await processes.find(key as ProcessKey);
      const sequenceKey = process === undefined ? (key as SequenceKey) : process.sequenceKey;
      // A document outside a sequence has at most as many signees as one request's cost includes.
      if (sequenceKey === undefined) return 0;
      const sequence = await sequences.find(sequenceKey);
      return sequence && sequence.processKeys.length * sequence.persons.length;
    });
    if (found !== undefined) putBounded(known, key, found, PLACES_MAX);
    return found ?? 0;
  };
}
