import { type BankidOptions, bankidDriver } from '../../../src/adapters/eid/bankid-se/index.ts';
import { eidTrust } from '../../../src/app/eid/eid-trust.ts';
import {
  type EidEnvironment,
  EidError,
  type EidFailCode,
  type EidRequest,
} from '../../../src/app/ports/index.ts';
import { makeTestPki } from '../pki.ts';
import { countingRandom } from '../sealing.ts';
import { type BankidPki, bankidPki } from './bankid-answer.ts';
import { type BankidServer, bankidServer } from './bankid-server.ts';
import type { DriverBench } from './driver-contract.ts';

/** The test person, with an unassigned number. */
export const bankidPerson = { number: '199003102390', name: 'Testa Exempelsson' } as const;

let shared: BankidPki | undefined;

/** The BankID of a test file; generating its keys is slow. */
export function sharedBankidPki(): BankidPki {
  shared ??= bankidPki(makeTestPki());
  return shared;
}

/** A driver with its provider, and the phone of the person. */
export interface BankidBench extends DriverBench {
  readonly server: BankidServer;
  readonly certificates: BankidPki;
  nowMs(): number;
}

const hints: Readonly<Partial<Record<EidFailCode, string>>> = {
  appNotSupported: 'notSupportedByUserApp',
  riskBlocked: 'transactionRiskBlocked',
  internalError: 'somethingNew',
};
const refusals: Readonly<Partial<Record<EidFailCode, readonly [number, string]>>> = {
  alreadyInProgress: [400, 'alreadyInProgress'],
  providerUnavailable: [503, 'Maintenance'],
  internalError: [401, 'unauthorized'],
};

/** Maximum bytes of a response that the transport accepts. */
const ANSWER_MAX = 1024 * 1024;

/** A fresh bench. */
export function openBankidBench(options: Partial<BankidOptions> = {}): BankidBench {
  const certificates = sharedBankidPki();
  const clock = { nowMs: certificates.pki.nowMs };
  const now = () => clock.nowMs;
  const { number: personalNumber, name } = bankidPerson;
  const server = bankidServer({
    certificates,
    person: certificates.person(bankidPerson),
    user: { personalNumber, name },
    now,
  });
  const http: EidEnvironment['http'] = async ({ method, url, headers = {}, body = '' }) => {
    const path = new URL(url).pathname;
    const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
    const answer = server.handle({ method, path, headers, body: text, client: 'relying party' });
    const bytes = Buffer.from(answer.body);
    if (bytes.length > ANSWER_MAX) throw new EidError('invalidResponse', 'the answer is too long');
    return { status: answer.status, headers: answer.headers, body: bytes };
  };
  const random = countingRandom();
  return {
    driver: bankidDriver({ anchors: [certificates.root.der], ...options }),
    environment: { now, random, http, trust: eidTrust() },
    server,
    certificates,
    nowMs: now,
    advance: (ms) => {
      clock.nowMs += ms;
    },
    approve: () => server.control.approve(),
    fail: (code) => {
      const refusal = refusals[code];
      if (refusal === undefined || server.log.length > 0) {
        server.control.fail(hints[code] ?? code);
        return;
      }
      const [status, errorCode] = refusal;
      const body = JSON.stringify({ errorCode, details: '' });
      for (const method of ['auth', 'sign']) server.control.answer(method, { status, body });
    },
    requestCount: () => server.log.length,
    secrets: () => server.control.secrets(),
  };
}

/** A login of the person of the tests. */
export const bankidLogin: EidRequest = {
  purpose: 'auth',
  channel: 'DeviceLink',
  loginHint: bankidPerson.number,
  text: 'Log in at Example',
  language: 'sv',
  includeVerificationCode: false,
  endUserIp: '192.0.2.10',
};

/** A signature of the same person. */
export const bankidSignature: EidRequest = {
  ...bankidLogin,
  purpose: 'sign',
  text: 'Sign Agreement.pdf',
  order: { digest: new Uint8Array(32).fill(0xd1), label: 'Agreement.pdf' },
};
