import { InnsigliError } from '../../base/errors.ts';
import type { ApiKeyRecord, CompanyUser } from '../../domain/company/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { ServicePorts } from '../service/index.ts';

/** Who may speak for a company: its users, and the API keys that are not revoked. */
export interface CompanyAccess {
  readonly users: readonly CompanyUser[];
  /** Whose pages may read answers about it. */
  readonly origins: readonly string[];
  /** Without the keys themselves: nobody has them but their owners. */
  readonly apiKeys: readonly Omit<ApiKeyRecord, 'sha256'>[];
}

/** The users, origins and API keys of a company. */
export async function companyAccess(
  { store }: Pick<ServicePorts, 'store'>,
  companyKey: CompanyKey,
): Promise<CompanyAccess> {
  return store.read(async ({ companies, origins }) => {
    const records = await companies.apiKeys(companyKey);
    const apiKeys = records.map(({ sha256: _digest, ...rest }) => rest);
    const users = await companies.users(companyKey);
    return { users, origins: await origins.list(companyKey), apiKeys };
  });
}

/**
 * Ends an API key: from now on nobody can speak for the company with it.
 *
 * @throws company.key.not_found for a key that the company does not have, or has revoked
 */
export async function revokeApiKey(
  { store, now }: Pick<ServicePorts, 'store' | 'now'>,
  companyKey: CompanyKey,
  id: string,
): Promise<void> {
  const nowMs = now();
  await store.write(async ({ companies }) => {
    const records = await companies.apiKeys(companyKey);
    const isOurs = records.some((record) => record.id === id);
    if (isOurs && (await companies.revokeApiKey(id, nowMs))) return;
    throw new InnsigliError(
      'company.key.not_found',
      `the company has no API key ${id.slice(0, 40)}`,
      {
        hint: 'list them with innsigli company show',
      },
    );
  });
}
