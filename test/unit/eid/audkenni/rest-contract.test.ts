import type { EidFailCode } from '../../../../src/app/ports/index.ts';
import { codeFaults, personFaults } from '../../../support/eid/audkenni/oauth.ts';
import { tokenFaults } from '../../../support/eid/audkenni/tokens.ts';
import { loginRequest, openRest, world } from '../../../support/eid/audkenni-rest.ts';
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

/** Anyone holding the phone can respond: the use case compares the person with the signee. */
const notOfSim = ['person: another one'];
const cmsFaults = ['cms: no certificate', 'cms: other content'];
const codes: { readonly [fault: string]: EidFailCode } = {
  'person: another one': 'identityMismatch',
};

for (const channel of ['Sim', 'App'] as const) {
  const own = channel === 'Sim' ? cmsFaults : [];
  const faults = [...tokenFaults, ...personFaults, ...codeFaults, ...own];
  describeDriver({
    name: `audkenni-rest, ${channel}`,
    open: () => openRest(),
    request: loginRequest(channel),
    person: { ssn: person.ssn, name: person.name },
    completionRequests: 5,
    failures: failures.flatMap((code) => [
      { code, at: 'start' as const },
      { code, at: 'poll' as const },
    ]),
    hostile: faults
      .filter((fault) => channel === 'App' || !notOfSim.includes(fault))
      .map((name) => ({
        name,
        arrange: (bench: DriverBench) =>
          (bench as ReturnType<typeof openRest>).provider.inject(name),
        code: codes[name] ?? 'invalidResponse',
      })),
  });
}
