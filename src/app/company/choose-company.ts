import { InnsigliError } from '../../base/errors.ts';
import type { Company } from '../../domain/company/index.ts';
import { asKey } from '../../domain/keys.ts';
import type { ServicePorts } from '../service/index.ts';

/**
 * The company that is named, or the only one there is.
 *
 * @throws company.not_found when there is none, or several and none is named
 */
export async function chooseCompany(
  { store }: Pick<ServicePorts, 'store'>,
  named: string | undefined,
): Promise<Company> {
  const found = await store.read(async ({ companies }) =>
    named === undefined
      ? companies.list()
      : [await companies.find(asKey('company', named))].flatMap((each) => each ?? []),
  );
  const [only, other] = found;
  if (only !== undefined && other === undefined) return only;
  if (only === undefined) {
    const which =
      named === undefined ? 'there is no company' : `there is no company ${named.slice(0, 40)}`;
    throw new InnsigliError('company.not_found', which, {
      hint:
        named === undefined
          ? 'create one with innsigli init'
          : 'list them with innsigli company list',
    });
  }
  throw new InnsigliError(
    'company.not_found',
    `expected the company, found ${found.length} of them`,
    {
      hint: 'use --company KEY or INNSIGLI_COMPANY; list them with innsigli company list',
    },
  );
}
