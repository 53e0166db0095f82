import { hash } from 'node:crypto';
import type { Authenticated } from '../../../app/company/index.ts';
import type { CompanyService } from '../../../app/company-service.ts';
import type { Company } from '../../../domain/company.ts';

/** Companies whose toolkits are kept, and keys that are known to be right. */
const COMPANIES_MAX = 1000;
const KEYS_MAX = 1000;
/** Time for which a key that another program has revoked may still be taken for right. */
const KEY_LIFE_MS = 1000;

/** Owner of a key that is right. */
export interface KnownKey extends Pick<Authenticated, 'scopes' | 'expiresAtMs'> {
  readonly toolkit: CompanyService;
}

/** Toolkits of companies, each made once, and who was found to own one. */
export interface KnownCompanies {
  /** The toolkit of a company; another one when its record has changed. */
  toolkit(company: Company): CompanyService;
  /** As `find`, whose positive answers hold for a second. */
  authenticated(
    companyKey: string,
    apiKey: string,
    find: () => Promise<Authenticated | undefined>,
  ): Promise<KnownKey | undefined>;
  /** A key was revoked: every key is looked up again. */
  forgetKeys(): void;
}

/**
 * A cache of companies and their keys, empty at first. Its memory is bounded, and it holds digests
 * of keys only.
 */
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
      // A look-up from before a revocation goes into the map that is no longer read.
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

/** Adds an entry; the oldest makes room. */
export function putBounded<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  if (map.size >= most) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
