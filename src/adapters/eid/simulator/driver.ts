import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import {
  type EidChallenge,
  type EidChannel,
  type EidDriver,
  type EidEnvironment,
  EidError,
  type EidEvidence,
  type EidPoll,
  type EidRequest,
  type EidSignature,
  type EidStarted,
  type EidState,
  type SimulatorVerdict,
} from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import {
  linkChallenge,
  type SimulatedLinks,
  simulatedChallenge,
  simulatedLinks,
} from './challenge.ts';
import { type FoundPerson, findAnywhere, findPerson, type SimulatedPersons } from './person-of.ts';
import { findScenario, type Scenarios } from './scenarios.ts';
import { stranger } from './test-persons.table.ts';
import type { SimulatorVerdicts } from './verdict-files.ts';

/** A key of a test person, certified by a test CA. */
export interface SimulatedKey {
  /** DER. */
  readonly certificate: Uint8Array;
  /** Certificates of the issuers, DER. */
  readonly chain: readonly Uint8Array[];
  /** P-256. */
  readonly privateKey: KeyObject;
}

/** Dependencies of the simulator. */
export interface SimulatorOptions {
  /** Creates a key and certificate for a person, from a test CA. */
  readonly issue: (person: {
    readonly name: string;
    readonly serialNumber: string;
  }) => Promise<SimulatedKey>;
  /** Simulates this provider instead of the one with SIM and app. Every test person can use it. */
  readonly scheme?: 'eid-se' | 'eid-dk' | 'device-link';
  /** Persons that numbers belong to. Default: `reserved`, only the test persons. */
  readonly persons?: SimulatedPersons;
  /** Outcomes of sessions by number, each of which then belongs to a person. Default: none. */
  readonly scenarios?: Scenarios;
  /** If given, sessions wait for an external decision; persons do not respond by themselves. */
  readonly verdicts?: SimulatorVerdicts;
}

type Session = EidState & {
  readonly id: string;
  readonly startedAtMs: number;
  readonly purpose: 'auth' | 'sign';
  readonly channel: EidChannel;
  readonly hint: string;
  readonly language: string;
  /** The signature, base64: created at the start, returned once the person has agreed. */
  readonly value?: string;
  readonly digest?: string;
  readonly certificates?: readonly string[];
  /** For channel `DeviceLink`. */
  readonly links?: SimulatedLinks;
};

/** Duration after which a session expires. */
const DEADLINE_MS = 180_000;
/** Time for which a finished session can still be polled. */
const KEPT_MS = 24 * 3_600_000;
const ANSWER_AFTER_MS = 1_500;
const POLLING_MS = 2_000;

const channelsOf = {
  'eid-se': ['DeviceLink'],
  'eid-dk': ['Redirect'],
  'device-link': ['DeviceLink'],
} as const;

/**
 * Driver of a simulated provider, for testing without a network: test persons respond, or fail to,
 * according to their numbers. Its certificates come from a test CA and prove nothing.
 */
export function simulatorDriver(options: SimulatorOptions): EidDriver {
  const { scheme } = options;
  return {
    name: scheme === undefined ? 'simulator' : `simulator ${scheme}`,
    channels: scheme === undefined ? ['Sim', 'App'] : channelsOf[scheme],
    tellsPhone: scheme === undefined,
    answersOnce: false,
    signing: { delivery: 'raw', level: 'test', digest: 'sha256', certificate: 'lookup' },

    start: (request, environment) => startSession(options, request, environment),
    poll: (state, environment) => pollSession(options, state as Session, environment.now()),
    cancel: async (state) => options.verdicts?.cancel((state as Session).id),

    refresh(state, nowMs) {
      return challengeOf(state as Session, nowMs, false);
    },

    async findCertificates(request) {
      const { person } = requirePerson(options, request);
      const key = await options.issue({ name: person.name, serialNumber: `PNOIS-${person.ssn}` });
      const pkcs8 = key.privateKey.export({ format: 'der', type: 'pkcs8' });
      const linked = { key: pkcs8.toString('base64') };
      return { certificates: [key.certificate, ...key.chain], linked };
    },

    async verifyEvidence() {
      return [{ name: 'simulator', isOk: false, message: 'a test person answered' }];
    },

    async check() {
      const message = 'test persons answer: nothing they sign or confirm proves anything';
      return [{ name: 'simulator', isOk: true, message }];
    },
  };
}

async function startSession(
  options: SimulatorOptions,
  request: EidRequest,
  { now, random }: EidEnvironment,
): Promise<EidStarted> {
  const found = requirePerson(options, request);
  const { channel, loginHint, language, purpose, order } = request;
  const startedAtMs = now();
  const id = Buffer.from(random(16)).toString('hex');
  const asked = { id, purpose: purpose === 'auth' ? 'auth' : 'sign', language } as const;
  const isAnimated = options.scheme === 'eid-se';
  const session: Session = {
    ...asked,
    startedAtMs,
    channel,
    hint: loginHint,
    ...(channel === 'DeviceLink' && { links: simulatedLinks({ ...asked, isAnimated }) }),
    ...defined({ digest: order && Buffer.from(order.digest).toString('base64') }),
    ...signatureOf(request),
  };
  await options.verdicts?.open(session.id, `${channel} ${found.person.name}`);
  return {
    state: session,
    challenge: challengeOf(session, startedAtMs, request.includeVerificationCode),
    pollingMs: POLLING_MS,
    expiresAtMs: startedAtMs + DEADLINE_MS,
  };
}

function signatureOf({ order }: EidRequest): Pick<Session, 'value' | 'certificates'> {
  const { signedBytes, certificates = [], linked } = order ?? {};
  const key = linked?.['key'];
  if (signedBytes === undefined || typeof key !== 'string') return {};
  const der = Buffer.from(key, 'base64');
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const value = sign('sha256', signedBytes, { key: privateKey, dsaEncoding: 'der' });
  return {
    value: value.toString('base64'),
    certificates: certificates.map((each) => Buffer.from(each).toString('base64')),
  };
}

async function pollSession(
  options: SimulatorOptions,
  session: Session,
  nowMs: number,
): Promise<EidPoll> {
  const found = findHint(options, session.channel, session.hint);
  const verdict = found && (await verdictOn(options, session, found, nowMs));
  if (found === undefined) return { status: 'failed', code: 'internalError' };
  if (verdict === undefined) return { status: 'pending', hint: stepOf(session, nowMs) };
  if (verdict !== 'approve') return { status: 'failed', code: verdict };
  const { ssn, name, phone } = found.answers;
  const tellsPhone = session.channel === 'Sim' && phone !== '';
  const { value } = session;
  return {
    status: 'complete',
    identity: {
      ssn,
      name,
      ...(tellsPhone ? { phoneNumber: phone } : {}),
      country: 'IS',
      subject: `simulator-${ssn}`,
      assurance: 'unknown',
    },
    evidence: evidenceOf(session, ssn),
    ...(value === undefined ? {} : { signature: deliveryOf(session, value) }),
  };
}

function deliveryOf({ certificates = [] }: Session, value: string): EidSignature {
  return {
    delivery: 'raw',
    value: Buffer.from(value, 'base64'),
    algorithm: { name: 'ecdsa', digest: 'sha256' },
    certificates: certificates.map((each) => Buffer.from(each, 'base64')),
  };
}

/** The evidence states that it is simulated. */
function evidenceOf(session: Session, ssn: string): EidEvidence {
  const { id, startedAtMs, purpose, channel, value } = session;
  const said = { simulated: true, session: id, purpose, channel, startedAtMs, ssn };
  const data = Buffer.from(value ?? JSON.stringify(said), value === undefined ? 'utf8' : 'base64');
  return { scheme: 'simulator', format: 'raw-signature', data: data.toString('base64') };
}

async function verdictOn(
  { verdicts }: SimulatorOptions,
  { id, startedAtMs }: Session,
  { scenario }: FoundPerson,
  nowMs: number,
): Promise<SimulatorVerdict | undefined> {
  const elapsedMs = nowMs - startedAtMs;
  if (elapsedMs >= KEPT_MS) return 'expiredTransaction';
  const decided = await verdicts?.find(id);
  if (decided !== undefined) return decided;
  const isSilent = scenario === 'silence' || verdicts !== undefined;
  if (isSilent) return elapsedMs < DEADLINE_MS ? undefined : 'expiredTransaction';
  if (elapsedMs < ANSWER_AFTER_MS) return undefined;
  return scenario === 'success' || scenario === 'mismatch' ? 'approve' : scenario.code;
}

/** Steps seen by a person: the prompt arrives, the app opens, the person decides. */
function stepOf({ startedAtMs }: Session, nowMs: number): string {
  const third = (3 * (nowMs - startedAtMs)) / ANSWER_AFTER_MS;
  if (third < 1) return 'outstandingTransaction';
  return third < 2 ? 'started' : 'userSign';
}

function challengeOf(session: Session, nowMs: number, showsCode: boolean): EidChallenge {
  const { id, channel, purpose, language, startedAtMs, digest } = session;
  const elapsedSeconds = Math.max(0, Math.floor((nowMs - startedAtMs) / 1000));
  if (session.links !== undefined) return linkChallenge(session.links, elapsedSeconds);
  return simulatedChallenge({
    ...{ id, channel, purpose, language, elapsedSeconds, showsCode },
    digest: digest === undefined ? undefined : Buffer.from(digest, 'base64'),
  });
}

function findHint(
  options: SimulatorOptions,
  channel: EidChannel,
  hint: string,
): FoundPerson | undefined {
  const scenario = findScenario(options.scenarios, hint);
  if (scenario === undefined) return findByNumber(options, channel, hint);
  const found = findByNumber({ ...options, persons: 'any' }, channel, hint);
  if (found === undefined) return undefined;
  const { person } = found;
  return { person, scenario, answers: scenario === 'mismatch' ? stranger : person };
}

function findByNumber(
  { scheme, persons = 'reserved' }: SimulatorOptions,
  channel: EidChannel,
  hint: string,
): FoundPerson | undefined {
  if (scheme !== undefined) return findAnywhere(persons, hint);
  return findPerson(persons, channel === 'Sim' ? 'Sim' : 'App', hint);
}

function requirePerson(options: SimulatorOptions, { channel, loginHint }: EidRequest): FoundPerson {
  const found = findHint(options, channel, loginHint);
  if (found === undefined) throw new EidError('notAUser', `no person has this number; ${whoThere}`);
  const { hasSim, hasApp } = found.person;
  const isReachable = options.scheme !== undefined || (channel === 'Sim' ? hasSim : hasApp);
  if (!isReachable) {
    const advice = 'test persons have an identity on Sim, in the App, or on both';
    throw new EidError('notAUser', `no identity on ${channel}; ${advice}`);
  }
  const { scenario } = found;
  if (typeof scenario === 'object' && scenario.at === 'start') {
    throw new EidError(scenario.code, 'this test person cannot be reached');
  }
  return found;
}

const whoThere =
  'test persons are Sim 6666666, App 6000101994 and those in innsigli sign --help; ' +
  'with the setting simulatedPersons "any" every well-formed number is one';
