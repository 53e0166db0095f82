import { createHash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { type Customer, familyMeta, type LookupType } from '../../domain/auth/index.ts';
import type { Flow } from '../../domain/flow/index.ts';
import type { Identity } from '../../domain/person/index.ts';
import { recordLogin } from '../webhook/index.ts';
import type { AuthPorts } from './ports.ts';
import type { SettledLogin } from './settle-login.ts';
import { unknownLogin } from './settle-login.ts';

type DoneLogin = Extract<SettledLogin, { readonly state: 'done' }>;

/**
 * What is told of the one who has answered: looked up once for each amount, and then the same
 * again and again. The first time it is told to the webhooks of the flow too.
 *
 * @throws authentication.error.forbidden when the flow may not ask for that much
 */
export async function lookUpCustomer(
  ports: AuthPorts,
  login: DoneLogin,
  lookup: LookupType,
  flow: Flow | undefined,
): Promise<Customer> {
  const known = login.customers[lookup];
  if (known !== undefined) return known;
  if (lookup === 'NameAddressFamily' && flow?.settings.familyLookup !== true) {
    throw new InnsigliError(
      'authentication.error.forbidden',
      'the flow does not allow family lookup',
      {
        hint: 'the setting familyLookup of the flow permits it',
      },
    );
  }
  const customer = await makeCustomer(ports, login, lookup, flow?.key);
  const nowMs = ports.now();
  return ports.store.write(async (unit) => {
    const now = await unit.logins.lock(login.key);
    if (now === undefined) throw unknownLogin();
    const faster = now.customers[lookup];
    if (faster !== undefined) return faster;
    await unit.logins.save({ ...now, customers: { ...now.customers, [lookup]: customer } });
    const isFirst = Object.keys(now.customers).length === 0;
    if (isFirst && flow !== undefined) await recordLogin(unit, ports, flow, customer, nowMs);
    return customer;
  });
}

/**
 * A person who has logged in at documents: as the provider says, without a look-up, and the same
 * for each answer about this login.
 */
export function plainCustomer(identity: Identity, token: string, flowKey?: string): Customer {
  return {
    ...identity,
    token: createHash('sha256').update(`customer ${token}`).digest('hex').slice(0, 20),
    ...defined({ flowKey }),
  };
}

async function makeCustomer(
  { register, random }: AuthPorts,
  { identity }: DoneLogin,
  lookup: LookupType,
  flowKey: string | undefined,
): Promise<Customer> {
  const { ssn, name, phoneNumber } = identity;
  const home = lookup === 'Name' ? undefined : await register.address(ssn);
  const family = lookup === 'NameAddressFamily' ? await register.family(ssn) : undefined;
  return {
    name,
    ssn,
    ...defined({ phoneNumber }),
    ...home,
    token: Buffer.from(random(10)).toString('hex'),
    ...defined({ flowKey }),
    ...(family === undefined ? {} : { meta: familyMeta(family) }),
  };
}
