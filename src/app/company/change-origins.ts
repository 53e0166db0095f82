import { InnsigliError } from '../../base/errors.ts';
import { originsMax, parseOrigin } from '../../domain/company/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { ServicePorts } from '../service/index.ts';

/**
 * Lets pages of further origins read answers about a company, and gives all that may.
 *
 * @throws validation.error for what is no origin, limit.exceeded
 */
export async function addOrigins(
  { store, now }: Pick<ServicePorts, 'store' | 'now'>,
  companyKey: CompanyKey,
  texts: readonly string[],
): Promise<readonly string[]> {
  const added = texts.map(parseOrigin);
  const nowMs = now();
  return store.write(async ({ companies, origins }) => {
    await companies.lock(companyKey);
    const all = new Set([...(await origins.list(companyKey)), ...added]);
    if (all.size > originsMax) {
      throw new InnsigliError(
        'limit.exceeded',
        `expected at most ${originsMax} origins of a company`,
        {
          hint: 'remove one with innsigli company origin remove',
        },
      );
    }
    for (const origin of added) await origins.put(companyKey, origin, nowMs);
    return origins.list(companyKey);
  });
}

/**
 * Ends what {@link addOrigins} began, and gives those that are left.
 *
 * @throws company.origin.not_found, and then none is removed
 */
export async function removeOrigins(
  { store }: Pick<ServicePorts, 'store'>,
  companyKey: CompanyKey,
  texts: readonly string[],
): Promise<readonly string[]> {
  const removed = texts.map(parseOrigin);
  return store.write(async ({ companies, origins }) => {
    await companies.lock(companyKey);
    for (const origin of new Set(removed)) {
      if (await origins.remove(companyKey, origin)) continue;
      throw new InnsigliError('company.origin.not_found', `the company has no origin ${origin}`, {
        hint: 'list them with innsigli company origin list',
      });
    }
    return origins.list(companyKey);
  });
}
