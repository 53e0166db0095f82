import type { EidFailCode } from '../../../../src/app/ports/index.ts';
import { personFaults } from '../../../support/eid/audkenni/oauth.ts';
import { tokenFaults } from '../../../support/eid/audkenni/tokens.ts';
import { cibaRequest, openCiba, world } from '../../../support/eid/audkenni-ciba.ts';
import { type DriverBench, describeDriver } from '../../../support/eid/driver-contract.ts';

const { person } = world;

const failures = [
  'userCancel',
  'expiredTransaction',
  'unreachable',
  'accountUnusable',
  'certificateErr',
  'notAUser',
  'internalError',
  'providerUnavailable',
] as const;

/** Anyone holding the phone can respond; this interface has no nonce. */
const notOfSim = ['person: another one'];
const notOfCiba = ['token: other nonce'];
const cmsFaults = ['cms: no certificate', 'cms: other content'];
const codes: { readonly [fault: string]: EidFailCode } = {
  'person: another one': 'identityMismatch',
};

for (const channel of ['Sim', 'App'] as const) {
  const own = channel === 'Sim' ? cmsFaults : [];
  const faults = [...tokenFaults, ...personFaults, ...own];
  describeDriver({
    name: `audkenni-ciba, ${channel}`,
    open: () => openCiba(channel),
    request: cibaRequest(channel),
    person: { ssn: person.ssn, name: person.name },
    completionRequests: 3,
    failures: failures.flatMap((code) => [
      { code, at: 'start' as const },
      { code, at: 'poll' as const },
    ]),
    hostile: faults
      .filter((fault) => !notOfCiba.includes(fault))
      .filter((fault) => channel === 'App' || !notOfSim.includes(fault))
      .map((name) => ({
        name,
        arrange: (bench: DriverBench) =>
          (bench as ReturnType<typeof openCiba>).provider.inject(name),
        code: codes[name] ?? 'invalidResponse',
      })),
  });
}
