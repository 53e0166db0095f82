import {
  bankidLogin,
  bankidPerson,
  bankidSignature,
  openBankidBench,
} from '../../../support/eid/bankid-bench.ts';
import { type DriverContract, describeDriver } from '../../../support/eid/driver-contract.ts';
import { bankidHostile } from './hostile.ts';

const atPoll = [
  'userCancel',
  'expiredTransaction',
  'startFailed',
  'cancelled',
  'certificateErr',
  'userDeclinedCall',
  'appNotSupported',
  'riskBlocked',
  'internalError',
] as const;
const atStart = ['alreadyInProgress', 'providerUnavailable', 'internalError'] as const;

const contract: Omit<DriverContract, 'name' | 'request'> = {
  open: () => openBankidBench(),
  person: { ssn: bankidPerson.number, name: bankidPerson.name },
  failures: [
    ...atPoll.map((code) => ({ code, at: 'poll' as const })),
    ...atStart.map((code) => ({ code, at: 'start' as const })),
  ],
  refreshesQr: true,
  hostile: bankidHostile,
};

describeDriver({ ...contract, name: 'bankid-se, login', request: bankidLogin });
describeDriver({ ...contract, name: 'bankid-se, signature', request: bankidSignature });
