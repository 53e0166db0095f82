import { InnsigliError } from '../../base/errors.ts';
import { type QuotaName, quotaNames } from '../../domain/company/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { Store } from '../ports/index.ts';

/** New quotas; null brings the usual one back. */
export type QuotaChange = { readonly [Name in QuotaName]?: number | null };

/**
 * Sets quotas of a company; those that are left out stay as they are.
 *
 * @throws company.not_found
 * @throws validation.error for a name that is none, or what is no whole number from 0 on
 */
export async function setQuotas(
  { store }: { readonly store: Store },
  companyKey: CompanyKey,
  change: QuotaChange,
): Promise<void> {
  for (const [name, most] of Object.entries(change)) {
    const isQuota = quotaNames.some((each) => each === name);
    if (!isQuota) throw invalid(name, `expected one of ${quotaNames.join(', ')}`);
    if (most === null || (Number.isSafeInteger(most) && most >= 0)) continue;
    throw invalid(name, 'expected a whole number of at least 0');
  }
  await store.write(async ({ companies }) => {
    await companies.lock(companyKey);
    const { quotas, ...company } = (await companies.find(companyKey)) ?? notFound(companyKey);
    const next = Object.entries({ ...quotas, ...change }).filter(([, most]) => most !== null);
    const own = next.length === 0 ? {} : { quotas: Object.fromEntries(next) };
    await companies.save({ ...company, ...own });
  });
}

function invalid(field: string, why: string): InnsigliError {
  return new InnsigliError('validation.error', `${field}: ${why}`, { details: { field } });
}

function notFound(key: CompanyKey): never {
  throw new InnsigliError('company.not_found', `there is no company ${key}`);
}
