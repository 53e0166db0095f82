import { InnsigliError } from '../../base/errors.ts';
import type { Company } from '../../domain/company/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { ServicePorts } from '../service/index.ts';

/** The latest time that a date can tell. */
const LATEST_MS = 8.64e15;

/**
 * Sets when the trial of a company ends: after it no new processes are taken and no signee logs in.
 *
 * @param endsAtMs epoch milliseconds; undefined: there is no trial
 * @throws company.not_found, validation.error
 */
export async function setTrial(
  { store }: Pick<ServicePorts, 'store'>,
  companyKey: CompanyKey,
  endsAtMs: number | undefined,
): Promise<Company> {
  if (endsAtMs !== undefined && !(Number.isSafeInteger(endsAtMs) && endsAtMs <= LATEST_MS)) {
    throw new InnsigliError('validation.error', 'endsAtMs: expected epoch milliseconds', {
      details: { field: 'endsAtMs' },
    });
  }
  return store.write(async ({ companies }) => {
    await companies.lock(companyKey);
    const company = await companies.find(companyKey);
    if (company === undefined) {
      throw new InnsigliError('company.not_found', `there is no company ${companyKey}`);
    }
    const { trialEndsAtMs: _before, ...rest } = company;
    const next = endsAtMs === undefined ? rest : { ...rest, trialEndsAtMs: endsAtMs };
    await companies.save(next);
    return next;
  });
}
