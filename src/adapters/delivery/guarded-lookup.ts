import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { InnsigliError } from '../../base/errors.ts';
import { type AddressPolicy, mayConnect } from '../../base/network/address-policy.ts';

/** Every address of a name, as node:dns gives them. */
export type ResolveName = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * A look-up for sockets that gives only addresses which the policy allows. One bad address among
 * several refuses all; no answer is no connection. The socket connects to what was checked here:
 * there is no second look-up that could answer otherwise.
 */
export function guardedLookup(
  policy: AddressPolicy,
  protocol: 'http:' | 'https:',
  resolve: ResolveName,
): LookupFunction {
  return (name, { all, family }, done) => {
    const check = (found: readonly LookupAddress[]) => {
      const isFitting = (each: LookupAddress) =>
        family !== 4 && family !== 6 ? true : each.family === family;
      const isSound = found.every(({ address }) => mayConnect(protocol, policy.kindOf(address)));
      const fitting = found.filter(isFitting);
      const [first] = fitting;
      if (!isSound || first === undefined) throw blocked(name, protocol);
      if (all === true) done(null, fitting);
      else done(null, first.address, first.family);
    };
    resolve(name)
      .then(check)
      .catch((error: unknown) => done(error as NodeJS.ErrnoException, ''));
  };
}

/** Every address of a name by the resolver of the operating system. */
export async function resolveByHost(name: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(name, { all: true });
}

function blocked(name: string, protocol: string): InnsigliError {
  const why = protocol === 'http:' ? 'http is for allowed networks' : 'an address is not public';
  return new InnsigliError('network.blocked', `${name} may not be contacted: ${why}`);
}
