import { isTestNumber } from '../../../src/adapters/eid/index.ts';
import { drivenIdentity, eidTrust } from '../../../src/app/eid/index.ts';
import {
  type EidDriver,
  EidError,
  type IdentityProvider,
  type Vault,
} from '../../../src/app/ports/index.ts';

/** A simulator as used by the service, with clock and randomness of the test. */
export function simulatedIdentity({
  driver,
  vault,
  now,
  random,
  startError = 'authentication.error.idp.start',
}: {
  readonly driver: EidDriver;
  readonly vault: Pick<Vault, 'encrypt' | 'decrypt'>;
  now(): number;
  random(count: number): Uint8Array;
  readonly startError?: 'authentication.error.idp.start' | 'eid.provider.error';
}): IdentityProvider {
  const http = async (): Promise<never> => {
    throw new EidError('providerUnavailable', 'the simulator has no network');
  };
  const environment = { now, random, http, trust: eidTrust() };
  return drivenIdentity(driver, {
    ...{ environment, vault, startError, isSimulated: true, isTestNumber },
  });
}
