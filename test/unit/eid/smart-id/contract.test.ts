import type { EidFailCode } from '../../../../src/app/ports/index.ts';
import { type DriverBench, describeDriver } from '../../../support/eid/driver-contract.ts';
import { answerFaults } from '../../../support/eid/smart-id/phone.ts';
import { openSmartId, qrRequest, world } from '../../../support/eid/smart-id-bench.ts';

type Bench = ReturnType<typeof openSmartId>;

const atPoll: readonly EidFailCode[] = [
  'userCancel',
  'expiredTransaction',
  'wrongVerificationCode',
  'certificateErr',
  'accountUnusable',
  'appNotSupported',
  'invalidResponse',
  'providerUnavailable',
  'internalError',
];
const atStart: readonly EidFailCode[] = [
  'internalError',
  'providerUnavailable',
  'notAUser',
  'accountUnusable',
];

const faults: readonly string[] = [
  ...answerFaults,
  ...Object.keys(world.variants),
  'http: huge',
  'http: redirection',
  'level: ADVANCED',
];
const codes: { readonly [fault: string]: EidFailCode } = { 'level: ADVANCED': 'assuranceTooLow' };

describeDriver({
  name: 'smart-id-v3',
  open: () => openSmartId(),
  request: qrRequest(),
  person: { ssn: '40404040009', name: 'OK TESTNUMBER' },
  refreshesQr: true,
  failures: [
    ...atPoll.map((code) => ({ code, at: 'poll' as const })),
    ...atStart.map((code) => ({ code, at: 'start' as const })),
  ],
  hostile: faults.map((name) => ({
    name,
    arrange: (bench: DriverBench) => (bench as Bench).provider.faults.add(name),
    code: codes[name] ?? 'invalidResponse',
  })),
});
