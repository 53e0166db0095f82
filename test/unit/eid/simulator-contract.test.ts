import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type ChallengeFacts,
  simulatedChallenge,
} from '../../../src/adapters/eid/simulator/challenge.ts';
import {
  type SimulatorOptions,
  type SimulatorVerdicts,
  simulatorDriver,
  type TestPerson,
  testPersons,
} from '../../../src/adapters/eid/simulator/index.ts';
import { eidTrust } from '../../../src/app/eid/index.ts';
import {
  type EidChannel,
  EidError,
  type EidFailCode,
  type EidRequest,
  type SimulatorVerdict,
} from '../../../src/app/ports/index.ts';
import { eidFailCodes } from '../../../src/domain/auth/eid-failure.ts';
import { type DriverBench, describeDriver } from '../../support/eid/driver-contract.ts';
import { finish } from '../../support/eid/run-session.ts';
import { makeTestPki } from '../../support/pki.ts';
import { countingRandom } from '../../support/sealing.ts';
import { golden } from './smart-id/golden-vectors.table.ts';

type Scheme = NonNullable<SimulatorOptions['scheme']>;

/** Every provider that the simulator plays, with each of its channels. */
const plays: readonly { readonly channel: EidChannel; readonly scheme?: Scheme }[] = [
  { channel: 'Sim' },
  { channel: 'App' },
  { channel: 'DeviceLink', scheme: 'eid-se' },
  { channel: 'Redirect', scheme: 'eid-dk' },
  { channel: 'DeviceLink', scheme: 'device-link' },
];

const agreeing = testPersons.find(({ phone }) => phone === '6666666') as TestPerson;
const pki = makeTestPki();

const codeAt = ({ scenario }: TestPerson, at: 'start' | 'poll'): EidFailCode | undefined =>
  typeof scenario === 'object' && scenario.at === at ? scenario.code : undefined;

const loginOf = (channel: EidChannel, { ssn, phone }: TestPerson): EidRequest => ({
  purpose: 'auth',
  channel,
  loginHint: channel === 'Sim' ? phone : ssn,
  text: 'Log in at Example',
  language: 'is',
  includeVerificationCode: true,
});

/** Decisions in memory, with the sessions in listing order. */
function decisions() {
  const made = new Map<string, SimulatorVerdict | undefined>();
  const verdicts: SimulatorVerdicts = {
    open: async (session) => void made.set(session, undefined),
    find: async (session) => made.get(session),
    cancel: async (session) => void made.set(session, made.get(session) ?? 'cancelled'),
  };
  const decide = (verdict: SimulatorVerdict) => made.set([...made.keys()].at(-1) ?? '', verdict);
  return { verdicts, decide, sessions: () => [...made.keys()] };
}

/** A simulator at its start. With `isManual`, decisions are made by hand. */
function open(scheme: Scheme | undefined, isManual: boolean): DriverBench {
  const clock = { nowMs: pki.nowMs };
  const { verdicts, decide, sessions } = decisions();
  const { der: certificate, chain, privateKey } = pki.member('signer');
  const driver = simulatorDriver({
    issue: async () => ({ certificate, chain, privateKey }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(isManual ? { verdicts } : {}),
  });
  let refusing: TestPerson | undefined;
  return {
    driver: {
      ...driver,
      start: (request, environment) =>
        driver.start(refusing ? loginOf(request.channel, refusing) : request, environment),
    },
    environment: {
      now: () => clock.nowMs,
      random: countingRandom(),
      http: async () => {
        throw new EidError('providerUnavailable', 'the simulator has no network');
      },
      trust: eidTrust(),
    },
    advance: (ms) => {
      clock.nowMs += ms;
    },
    approve: () => void decide('approve'),
    fail(code) {
      refusing = testPersons.find((person) => codeAt(person, 'start') === code);
      if (sessions().length > 0) decide(code);
      else if (refusing === undefined) throw new Error(`no test person causes ${code}`);
    },
    requestCount: () => 0,
    secrets: () => [agreeing.ssn, agreeing.phone, ...sessions()],
  };
}

const startCodes = testPersons.flatMap((person) => codeAt(person, 'start') ?? []);

for (const { channel, scheme } of plays) {
  describeDriver({
    name: `simulator ${scheme ?? channel}`,
    open: () => open(scheme, true),
    request: loginOf(channel, agreeing),
    person: { ssn: agreeing.ssn, name: agreeing.name },
    asksNobody: true,
    ...(channel === 'DeviceLink' ? { refreshesQr: true } : {}),
    failures: [
      ...startCodes.map((code) => ({ code, at: 'start' }) as const),
      ...eidFailCodes.map((code) => ({ code, at: 'poll' }) as const),
    ],
    // No hostile response is possible.
    hostile: [],
  });
}

const failing = testPersons.filter(({ scenario }) => typeof scenario === 'object');

describe.each(plays)('test persons of the simulator by $channel $scheme', ({ channel, scheme }) => {
  test.each(failing)('$name fails as documented in the table', async (person) => {
    const bench = open(scheme, false);
    const started = bench.driver.start(loginOf(channel, person), bench.environment);
    const atStart = codeAt(person, 'start');
    if (atStart !== undefined) {
      await expect(started).rejects.toMatchObject({ name: 'EidError', code: atStart });
      return;
    }
    const { state } = await started;
    expect(await bench.driver.poll(state, bench.environment)).toMatchObject({ status: 'pending' });
    const answer = await finish(bench, state);
    expect(answer).toEqual({ status: 'failed', code: codeAt(person, 'poll') });
  });

  test('a person who never responds leads to expiredTransaction after the time limit', async () => {
    const bench = open(scheme, false);
    const silent = testPersons.find(({ scenario }) => scenario === 'silence') as TestPerson;
    const { state } = await bench.driver.start(loginOf(channel, silent), bench.environment);
    bench.advance(179_999);
    expect(await bench.driver.poll(state, bench.environment)).toMatchObject({ status: 'pending' });
    bench.advance(1);
    const over = { status: 'failed', code: 'expiredTransaction' };
    expect(await bench.driver.poll(state, bench.environment)).toEqual(over);
  });

  test('a mismatch yields the identity of another person', async () => {
    const bench = open(scheme, false);
    const other = testPersons.find(({ scenario }) => scenario === 'mismatch') as TestPerson;
    const { state } = await bench.driver.start(loginOf(channel, other), bench.environment);
    const answer = await finish(bench, state);
    expect(answer).toMatchObject({ status: 'complete', identity: { ssn: '0103901099' } });
    expect(other.ssn).not.toBe('0103901099');
  });
});

test('every canonical failure has a test person, except identityMismatch', () => {
  const caused = new Set(
    failing.map((person) => codeAt(person, 'start') ?? codeAt(person, 'poll')),
  );
  expect(eidFailCodes.filter((code) => !caused.has(code))).toEqual(['identityMismatch']);
});

const base64 = (text: string) => Buffer.from(text, 'base64');

/** Digests with their codes: public examples of two schemes, and one computed with OpenSSL. */
const codes = [
  [
    'the documentation of an app',
    base64(
      'n/kRNhXaZ2jFKv8KlQX7ydgedXUmVy8b2O4xNq2ZxHteG7wOvCa0Kg3rY1JLOrOBXYQm+z2FRVwIv47w8gUb5g==',
    ),
    '4141',
  ],
  ['the documentation of Smart-ID', base64(golden.rpChallenge), '7180'],
  ['OpenSSL', createHash('sha256').update('Agreement.pdf').digest(), '6033'],
] as const;

/** Computed with OpenSSL for the session below at its seventh second. */
const animated =
  'eid-simulator.1094c494c4515ffa8fec65c3e8fa6a0b.7.' +
  'caba65814aae30c60e14d332b4fd6f1f1d190f485e026eddcbf76c1858b6bab9';

describe('the challenge of the simulator', () => {
  const facts: ChallengeFacts = {
    ...{ id: '00112233445566778899aabbccddeeff', channel: 'App', purpose: 'sign' },
    ...{ language: 'is', elapsedSeconds: 7, showsCode: true },
  };
  const sha256 = (text: string) => createHash('sha256').update(text).digest();

  test.each(codes)('has the code of the digest: %s', (_, digest, code) => {
    expect(simulatedChallenge({ ...facts, digest })).toEqual({ verificationCode: code });
  });

  test('has an animated QR code with the seconds and their HMAC-SHA256', () => {
    const token = sha256(`shown token ${facts.id}`).toString('hex').slice(0, 32);
    const proof = createHmac('sha256', sha256(`secret ${facts.id}`))
      .update('7')
      .digest('hex');
    expect(animated).toBe(`eid-simulator.${token}.7.${proof}`);
    const shown = simulatedChallenge({ ...facts, channel: 'DeviceLink', isAnimated: true });
    expect(shown.qrData).toBe(animated);
  });

  test('has a device link with its parameters and their HMAC-SHA256', () => {
    const shown = simulatedChallenge({ ...facts, channel: 'DeviceLink' });
    const [link = '', mark] = (shown.qrData ?? '').split('&authCode=');
    const proof = createHmac('sha256', sha256(`secret ${facts.id}`)).update(`simulator|${link}`);
    expect(mark).toBe(proof.digest('base64url'));
    const parameters = Object.fromEntries(new URL(link).searchParams);
    expect(parameters).toMatchObject({
      ...{ deviceLinkType: 'QR', elapsedSeconds: '7', sessionType: 'sign', lang: 'is' },
    });
    expect(shown.sameDeviceLink).toContain('deviceLinkType=Web2App');
    expect(shown.sameDeviceLink).not.toContain('elapsedSeconds');
    expect(JSON.stringify(shown)).not.toContain(facts.id);
  });
});
