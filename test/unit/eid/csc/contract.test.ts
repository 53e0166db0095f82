import {
  type CscBenchOptions,
  cscOrder,
  cscPeople,
  cscPerson,
  cscRequest,
  openCscContract,
} from '../../../support/eid/csc/csc-bench.ts';
import type { CscFault } from '../../../support/eid/csc/provider-state.ts';
import {
  type DriverBench,
  type DriverContract,
  describeDriver,
} from '../../../support/eid/driver-contract.ts';

/** Set-ups that differ in version, authorization, operation mode and delivery. */
const setups: readonly (CscBenchOptions & { readonly name: string })[] = [
  { name: 'csc: 2.0, scope, synchronous, RSA' },
  {
    name: 'csc: 2.2, pushed details, asynchronous, P-256',
    key: 'P-256',
    server: { hasDetails: true, isPushedOnly: true, isAsynchronous: true },
    driver: { version: '2.2', operationMode: 'A' },
  },
  {
    name: 'csc: 2.0, explicit PIN, asynchronous, PSS',
    server: { mode: 'explicit', objects: { PIN: '739105' }, isAsynchronous: true },
    driver: { operationMode: 'A', rsaPadding: 'pss', authorizationValues: { PIN: '739105' } },
  },
  {
    name: 'csc: 2.0, details, CMS by signDoc',
    server: { hasDetails: true },
    driver: { delivery: 'cms' },
  },
];

/** Responses to a signature request that the driver rejects. */
const signatureFaults: readonly (readonly [string, CscFault])[] = [
  ['a signature over a changed hash', 'changed-hash'],
  ['a signature with another algorithm', 'wrong-algorithm'],
  ['a signature by another key', 'other-key'],
  ['a response without the list of signatures', 'missing-member'],
  ['an empty list of signatures', 'missing-signature'],
  ['two signatures for one hash', 'extra-signature'],
  ['a foreign signature before the correct one', 'reordered'],
  ['a signature that is not base64', 'no-base64'],
  ['a redirect', 'redirect'],
];

const tokenFaults: readonly (readonly [string, CscFault])[] = [
  ['a token of another type', 'token-type'],
  ['the authorization of another credential', 'other-authorization'],
];

const cmsFaults: readonly (readonly [string, CscFault])[] = [
  ['a CMS by another signer', 'other-person'],
  ['a CMS with its content', 'cms-attached'],
  ['a CMS that names another certificate', 'cms-other-certificate'],
];

type CscContract = ReturnType<typeof openCscContract>;

const inject =
  (fault: CscFault) =>
  (bench: DriverBench): void => {
    (bench as CscContract).server.inject(fault);
  };

for (const { name, ...setup } of setups) {
  const { key = 'RSA-2048', server = {}, driver = {} } = setup;
  const isCms = driver.delivery === 'cms';
  const isExplicit = server.mode === 'explicit';
  // With one kind of key, the wrong scheme is rejected because of the kind, which is another fault.
  const faults = signatureFaults.filter(
    ([, fault]) => key !== 'P-256' || fault !== 'wrong-algorithm',
  );
  const contract: DriverContract = {
    name,
    open: () => openCscContract(setup),
    request: cscRequest(cscOrder(cscPeople(key).member, { isCms })),
    person: cscPerson,
    failures: [
      { code: 'accountUnusable', at: 'start' },
      { code: 'certificateErr', at: 'start' },
      { code: 'identityMismatch', at: 'start' },
      { code: 'internalError', at: 'start' },
      { code: 'providerUnavailable', at: 'start' },
      ...(isExplicit ? [] : [{ code: 'userCancel', at: 'poll' } as const]),
      { code: 'expiredTransaction', at: 'poll' },
    ],
    // The return takes one request and the signature another.
    completionRequests: isExplicit ? 1 : 2,
    ...(isExplicit ? {} : { asksAfterReturn: true as const }),
    hostile: [
      ...[...faults, ...(isExplicit ? [] : tokenFaults), ...(isCms ? cmsFaults : [])].map(
        ([title, fault]) => ({ name: title, arrange: inject(fault) }),
      ),
      {
        name: 'an error that nobody knows',
        arrange: inject('unknown-refusal'),
        code: 'internalError',
      },
      { name: 'an answer that belongs to no mode', arrange: inject('response-id') },
    ],
  };
  describeDriver(contract);
}
