import { timingSafeEqual } from 'node:crypto';
import { sha256Of } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { ApiKeyScope, Company } from '../../domain/company.ts';
import { asKey } from '../../domain/keys.ts';
import { useCase } from '../operation.ts';
import type { StorePorts } from '../ports/index.ts';

/** The owner of an API key. */
export interface Authenticated {
  readonly company: Company;
  /** Scopes of the key. Absent: all. */
  readonly scopes?: readonly ApiKeyScope[];
  /** End of validity in epoch milliseconds. Absent: unlimited. */
  readonly expiresAtMs?: number;
}

/**
 * Returns the company of the API key if it is the named one and the key is neither revoked nor
 * expired; undefined otherwise. The key is looked up by its digest, so the response time does not
 * reveal a partly correct guess.
 */
export async function authenticateCompany(
  { store, now }: StorePorts,
  companyKey: string,
  apiKey: string,
): Promise<Authenticated | undefined> {
  const sha256 = sha256Of(apiKey);
  return store.read(async ({ companies }) => {
    const record = await companies.findApiKey(sha256);
    const isKey = isEqual(record?.sha256 ?? '', sha256);
    const isOwn = isEqual(record?.companyKey ?? '', companyKey);
    if (record === undefined || !isKey || !isOwn || record.revokedAtMs !== undefined) {
      return undefined;
    }
    const { scopes, expiresAtMs } = record;
    if (expiresAtMs !== undefined && now() >= expiresAtMs) return undefined;
    const company = await companies.find(record.companyKey);
    if (company === undefined) return undefined;
    return { company, ...defined({ scopes, expiresAtMs }) };
  });
}

/**
 * Rejects a request that the scopes of a key do not permit.
 *
 * @param scope undefined: every key is permitted
 * @throws authentication.key.scope
 */
export function requireScope(
  scopes: readonly ApiKeyScope[] | undefined,
  scope: ApiKeyScope | undefined,
): void {
  if (scope === undefined || scopes === undefined || scopes.includes(scope)) return;
  throw new InnsigliError(
    'authentication.key.scope',
    `expected an API key with the scope ${scope}, found ${scopes.join(', ')}`,
  );
}

/** Whether `key` is the key of the published webhook signature of the company. */
export const isWebhookSignatureKey = useCase(
  [],
  async ({ store }: Pick<StorePorts, 'store'>, companyKey, key: string): Promise<boolean> => {
    const known = await store.read(({ companies }) => companies.webhookSignatureKey(companyKey));
    return known !== undefined && isEqual(known, key);
  },
);

/** The company of a process, sequence or flow; undefined if the key is unknown. */
export async function companyOf(
  { store }: Pick<StorePorts, 'store'>,
  what: 'process' | 'sequence' | 'flow',
  key: string,
): Promise<Company | undefined> {
  return store.read(async ({ companies, processes, sequences, flows }) => {
    const finders = {
      process: () => processes.find(asKey('process', key)),
      sequence: () => sequences.find(asKey('sequence', key)),
      flow: () => flows.find(asKey('flow', key)),
    };
    const found = await finders[what]();
    return found === undefined ? undefined : companies.find(found.companyKey);
  });
}

// Digests have equal length, whatever the length of the texts.
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => Buffer.from(sha256Of(text), 'hex');
  return timingSafeEqual(digest(a), digest(b));
}
