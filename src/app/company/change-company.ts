import { InnsigliError } from '../../base/errors.ts';
import { type Company, withSettings } from '../../domain/company/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { ServicePorts } from '../service/index.ts';

/**
 * Changes settings of a company: for processes that are made from now on.
 *
 * @param change parsed JSON; null gives a setting its default again
 * @throws company.not_found, validation.error
 */
export async function changeCompany(
  { store }: Pick<ServicePorts, 'store'>,
  key: CompanyKey,
  change: unknown,
): Promise<Company> {
  return store.write(async ({ companies }) => {
    await companies.lock(key);
    const company = await companies.find(key);
    if (company === undefined) {
      throw new InnsigliError('company.not_found', `there is no company ${key}`);
    }
    const next = withSettings(company, change);
    await companies.save(next);
    return next;
  });
}
