import { audkenniRestDriver, type RestOptions } from '../../../src/adapters/eid/audkenni/index.ts';
import type { EidRequest } from '../../../src/app/ports/index.ts';
import { makeWorld } from './audkenni/persons.ts';
import { benchOf } from './audkenni-bench.ts';
import { agreed, audkenniProvider } from './audkenni-server.ts';

/** One world for the tests of a file: generating its keys is slow. */
export const world = makeWorld();

/** Options of a registered client. */
export const restOptions: RestOptions = { ...agreed, anchors: [world.pki.member('ca').der] };

/** A driver with a fresh provider. */
export function openRest(changes: Partial<RestOptions> = {}) {
  const provider = audkenniProvider(world, { simSigns: changes.simSigns ?? 'hash' });
  return benchOf(audkenniRestDriver({ ...restOptions, ...changes }), provider);
}

/** A login of the person of the world. */
export function loginRequest(
  channel: 'Sim' | 'App',
  changes: Partial<EidRequest> = {},
): EidRequest {
  const { phone, ssn } = world.person;
  return {
    purpose: 'auth',
    channel,
    loginHint: channel === 'Sim' ? phone : ssn,
    text: 'Login to the archive',
    language: 'is',
    includeVerificationCode: false,
    ...changes,
  };
}
