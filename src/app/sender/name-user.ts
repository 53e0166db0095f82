import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import type { CompanyUser } from '../../domain/company.ts';
import { isMailAddress } from '../../domain/message/index.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import { useCase } from '../operation.ts';
import type { StorePorts, StoreUnit } from '../ports/index.ts';

const NAME_MAX = 100;
/** Maximum number of users of one company. */
const USERS_MAX = 1_000;

/**
 * Sets the name of a user who sends documents, as shown in mails and evidence.
 *
 * @throws validation.error, limit.exceeded
 */
export const nameUser = useCase(
  ['limit.exceeded'],
  async (
    { store, now }: StorePorts,
    companyKey,
    user: { readonly email: string; readonly name: string },
  ): Promise<CompanyUser> => {
    const email = String(user.email).trim().toLowerCase();
    const name = String(user.name).trim();
    if (!isMailAddress(email)) invalid('email', 'expected an e-mail address');
    const isLine = name !== '' && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}@<>]/u.test(name);
    if (!isLine || name.length > NAME_MAX) {
      invalid('name', `expected a name of 1 to ${NAME_MAX} characters, without @, < and >`);
    }
    const named = { companyKey, email, name, createdAtMs: now() };
    await store.write(async ({ companies }) => {
      await companies.lock(companyKey);
      const users = await companies.users(companyKey);
      if (users.length >= USERS_MAX && users.every((each) => each.email !== email)) {
        throw new InnsigliError(
          'limit.exceeded',
          `expected at most ${USERS_MAX} users of a company`,
        );
      }
      await companies.addUser(named);
    });
    return named;
  },
);

/** The name of the user who sent a document. Undefined if none was set. */
export async function nameOfUser(
  { companies }: Pick<StoreUnit, 'companies'>,
  { companyKey, user }: Pick<SigningProcess, 'companyKey' | 'user'>,
): Promise<string | undefined> {
  if (user === undefined) return undefined;
  const email = user.toLowerCase();
  const found = (await companies.users(companyKey)).find((each) => each.email === email);
  // The first user of a company is named after the address until a name is set.
  return found === undefined || found.name === email.split('@')[0] ? undefined : found.name;
}
