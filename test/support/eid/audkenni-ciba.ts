import { audkenniCibaDriver, type CibaOptions } from '../../../src/adapters/eid/audkenni/index.ts';
import type { EidRequest } from '../../../src/app/ports/index.ts';
import { clientKeys } from './audkenni/backchannel.ts';
import { makeWorld } from './audkenni/persons.ts';
import { benchOf } from './audkenni-bench.ts';
import { agreed, audkenniProvider } from './audkenni-server.ts';

/** One world for the tests of a file: generating its keys is slow. */
export const world = makeWorld();

/** Options of a registered client. */
export const cibaOptions: Omit<CibaOptions, 'channel'> = {
  ...agreed,
  anchors: [world.pki.member('ca').der],
  privateKey: clientKeys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
};

/** A driver for one method with a fresh provider. */
export function openCiba(channel: 'Sim' | 'App', changes: Partial<CibaOptions> = {}) {
  const provider = audkenniProvider(world, { simSigns: changes.simSigns ?? 'hash' });
  return benchOf(audkenniCibaDriver({ ...cibaOptions, channel, ...changes }), provider);
}

/** A request to the person of the world. */
export function cibaRequest(channel: 'Sim' | 'App', changes: Partial<EidRequest> = {}): EidRequest {
  const { phone, ssn } = world.person;
  return {
    purpose: 'auth',
    channel,
    loginHint: channel === 'Sim' ? phone : ssn,
    text: 'Contract.pdf',
    language: 'is',
    includeVerificationCode: false,
    ...changes,
  };
}
