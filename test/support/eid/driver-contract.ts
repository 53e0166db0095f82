import { describe, expect, test } from 'vitest';
import {
  type EidDriver,
  type EidEnvironment,
  EidError,
  type EidEvidence,
  type EidFailCode,
  type EidPoll,
  type EidRequest,
  type EidState,
} from '../../../src/app/ports/index.ts';
import { describeFaults } from './driver-faults.ts';

/** A driver with its provider, both in their initial state. */
export interface DriverBench {
  readonly driver: EidDriver;
  /** Its `http` reaches the protocol server of the bench. */
  readonly environment: EidEnvironment;
  /** Advances the clock of driver and server. */
  advance(ms: number): void;
  /** The person approves the newest session: the next polls complete it. */
  approve(): Promise<void> | void;
  /** Makes the newest session, or with `at: start` the next start, fail with this code. */
  fail(code: EidFailCode): void;
  /** Requests received by the server. */
  requestCount(): number;
  /** Texts that must not appear in any message, hint, code, finding or challenge. */
  secrets(): readonly string[];
}

/** Facts about a driver for the suite. */
export interface DriverContract {
  readonly name: string;
  open(): Promise<DriverBench> | DriverBench;
  /** A login that the bench approves. */
  readonly request: EidRequest;
  readonly person: { readonly ssn: string; readonly name: string };
  /** Failures that the provider can cause, and where the driver learns of them. */
  readonly failures: readonly { readonly code: EidFailCode; readonly at: 'start' | 'poll' }[];
  /** Requests of a poll that completes the session. Default: 1. */
  readonly completionRequests?: number;
  /** Whether the driver sends no request until the person has returned from a page. */
  readonly asksAfterReturn?: true;
  /** Whether there is no provider in a network: a driver for trials. */
  readonly asksNobody?: true;
  /** Whether no signed data name the person: evidence does not prove who it was. */
  readonly namesNobodySigned?: true;
  /** Whether the QR code changes each second. */
  readonly refreshesQr?: boolean;
  /** Responses of the provider that must be rejected, by name. */
  readonly hostile: readonly {
    readonly name: string;
    arrange(bench: DriverBench): void;
    /** Default: `invalidResponse`. */
    readonly code?: EidFailCode;
  }[];
}

/** A poll by a process that knows only the stored state. */
async function poll({ driver, environment }: DriverBench, state: EidState): Promise<EidPoll> {
  return driver.poll(JSON.parse(JSON.stringify(state)) as EidState, environment);
}

/** Polls at the interval of the session until it has ended, at most `rounds` times. */
async function pollToEnd(bench: DriverBench, begun: EidState, rounds = 12) {
  let state = begun;
  for (let round = 0; round < rounds; round++) {
    bench.advance(5_000);
    const answer = await poll(bench, state);
    if (answer.status !== 'pending') return { answer, state };
    state = answer.state ?? state;
  }
  throw new Error(`the session did not end in ${rounds} polls`);
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return undefined;
}

function holdsNoSecret(bench: DriverBench, value: unknown): void {
  const text = value instanceof Error ? `${value.message} ${JSON.stringify(value)}` : value;
  const shown = typeof text === 'string' ? text : JSON.stringify(text);
  for (const secret of bench.secrets()) expect(shown).not.toContain(secret);
}

/** Evidence with a changed signature, and with a different nonce or message. */
function changedEvidence(evidence: EidEvidence): readonly EidEvidence[] {
  const { data, message, asked } = evidence;
  const at = Math.floor(data.length / 2);
  const other = data[at] === 'A' ? 'B' : 'A';
  const changed = [{ ...evidence, data: data.slice(0, at) + other + data.slice(at + 1) }];
  const bytes = Buffer.from('something else').toString('base64');
  if (message !== undefined) changed.push({ ...evidence, message: bytes });
  if (asked?.nonce !== undefined) changed.push({ ...evidence, asked: { ...asked, nonce: bytes } });
  return changed;
}

/** The evidence with each of its texts truncated, emptied and replaced by an invalid one. */
function brokenEvidence(evidence: EidEvidence): readonly EidEvidence[] {
  const texts = ['data', 'ocsp', 'message', 'keys'] as const;
  const broken = (text = '') => [text.slice(0, text.length / 2), '', 'MAMCAQE=', '[null]', '{'];
  return [
    ...texts.flatMap((name) =>
      broken(evidence[name]).map((text) => ({ ...evidence, [name]: text })),
    ),
    ...broken(evidence.certificates?.[0]).map((text) => ({ ...evidence, certificates: [text] })),
    ...['{"keys":[null,1,{"kty":"oct","k":""},{"kty":"RSA","n":"","e":""}]}', 'null'].map(
      (keys) => ({
        ...evidence,
        keys,
      }),
    ),
    { ...evidence, asked: {} },
  ];
}

/** The common suite of all drivers, run against the protocol server of each scheme. */
export function describeDriver(contract: DriverContract): void {
  const { request, person } = contract;
  describe(`the e-ID driver ${contract.name}`, () => {
    test('starts a session whose state can be serialized and whose challenge reveals no secret', async () => {
      const bench = await contract.open();
      const started = await bench.driver.start(request, bench.environment);
      expect(started.pollingMs).toBeGreaterThanOrEqual(1_000);
      expect(started.expiresAtMs).toBeGreaterThan(bench.environment.now());
      expect(JSON.parse(JSON.stringify(started.state))).toEqual(started.state);
      holdsNoSecret(bench, started.challenge);
    });

    test('returns no identity before the person has responded', async () => {
      const bench = await contract.open();
      const { state } = await bench.driver.start(request, bench.environment);
      bench.advance(5_000);
      const answer = await poll(bench, state);
      expect(answer.status).toBe('pending');
      expect(JSON.stringify(answer)).not.toContain(person.name);
      holdsNoSecret(bench, { ...answer, state: undefined });
    });

    test('returns the verified identity with evidence when the person approves', async () => {
      const bench = await contract.open();
      const { state } = await bench.driver.start(request, bench.environment);
      await bench.approve();
      const { answer } = await pollToEnd(bench, state);
      expect(answer).toMatchObject({ status: 'complete', identity: person });
      if (answer.status !== 'complete') return;
      expect(answer.identity.subject).not.toBe('');
      expect(answer.evidence.data.length).toBeGreaterThan(20);
    });

    test('returns evidence that proves this login only: person, time and content', async () => {
      const bench = await contract.open();
      const { driver, environment } = bench;
      const startedAtMs = environment.now();
      const { state } = await driver.start(request, environment);
      await bench.approve();
      const { answer } = await pollToEnd(bench, state);
      if (answer.status !== 'complete') throw new Error(`the session is ${answer.status}`);
      // Evidence of signatures is in the document.
      if (request.purpose === 'sign') return;
      expect(driver.verifyEvidence).toBeDefined();
      const { identity, evidence } = answer;
      const login = { ...identity, startedAtMs, endedAtMs: environment.now() };
      const { trust } = environment;
      const verify = (kept: EidEvidence, who = login) =>
        driver.verifyEvidence?.(kept, who, trust) ?? Promise.resolve([]);
      const findings = await verify(JSON.parse(JSON.stringify(evidence)) as EidEvidence);
      const unshown = findings.filter(({ isOk }) => !isOk).map(({ name }) => name);
      holdsNoSecret(bench, findings);
      if (contract.asksNobody === true) return expect(unshown).toEqual(['simulator']);
      expect(unshown).toEqual(contract.namesNobodySigned === true ? ['person'] : []);
      const later = { ...login, startedAtMs: login.endedAtMs + 86_400_000 * 9_000 };
      const stranger = { ...login, ssn: '0101302989', subject: 'somebody else' };
      const hourAgo = startedAtMs - 3_600_000;
      const endless = { ...login, endedAtMs: 1e300 };
      const earlier = { ...login, startedAtMs: hourAgo, endedAtMs: hourAgo + 60_000 };
      const others = [
        ...(unshown.length === 0 ? [verify(evidence, stranger)] : []),
        verify(evidence, { ...later, endedAtMs: later.startedAtMs }),
        // A token names its time; other signatures only cover what was sent in the session.
        ...(evidence.format === 'jwt' ? [earlier, endless].map((at) => verify(evidence, at)) : []),
        ...changedEvidence(evidence).map((kept) => verify(kept)),
      ];
      for (const each of await Promise.all(others.map(errorOf))) {
        expect(each).toBeInstanceOf(EidError);
      }
      for (const kept of brokenEvidence(evidence)) {
        const error = await errorOf(verify(kept));
        if (error !== undefined) expect(error).toBeInstanceOf(EidError);
      }
    });

    test('sends at most one request to the provider per poll', async () => {
      const bench = await contract.open();
      const { state } = await bench.driver.start(request, bench.environment);
      const before = bench.requestCount();
      bench.advance(5_000);
      const answer = await poll(bench, state);
      expect(bench.requestCount() - before).toBeLessThanOrEqual(1);
      await bench.approve();
      const beforeEnd = bench.requestCount();
      const next = answer.status === 'pending' ? (answer.state ?? state) : state;
      bench.advance(5_000);
      await poll(bench, next);
      const most = contract.completionRequests ?? 1;
      expect(bench.requestCount() - beforeEnd).toBeLessThanOrEqual(most);
    });

    test('cancels a session, even repeatedly', async () => {
      const bench = await contract.open();
      const { state } = await bench.driver.start(request, bench.environment);
      await bench.driver.cancel(state, bench.environment);
      await bench.driver.cancel(state, bench.environment);
      bench.advance(5_000);
      expect((await poll(bench, state)).status).not.toBe('complete');
    });

    if (contract.refreshesQr === true) {
      test('refreshes the QR code every second without a request', async () => {
        const bench = await contract.open();
        const { state, challenge } = await bench.driver.start(request, bench.environment);
        const before = bench.requestCount();
        const shown = new Set([challenge.qrData]);
        for (let second = 1; second <= 5; second++) {
          bench.advance(1_000);
          shown.add(bench.driver.refresh?.(state, bench.environment.now()).qrData);
        }
        expect(shown.size).toBe(6);
        expect(shown).not.toContain(undefined);
        expect(bench.requestCount()).toBe(before);
      });
    }

    describe.each(contract.failures)('when the provider reports $code at $at', ({ code, at }) => {
      test('fails with that code', async () => {
        const bench = await contract.open();
        if (at === 'start') {
          bench.fail(code);
          const error = await errorOf(bench.driver.start(request, bench.environment));
          expect(error).toBeInstanceOf(EidError);
          expect((error as EidError).code).toBe(code);
          holdsNoSecret(bench, error);
          return;
        }
        const { state } = await bench.driver.start(request, bench.environment);
        bench.fail(code);
        const { answer } = await pollToEnd(bench, state);
        expect(answer).toMatchObject({ status: 'failed', code });
        holdsNoSecret(bench, answer);
      });
    });

    describe.each(contract.hostile)('rejects $name', ({ arrange, code = 'invalidResponse' }) => {
      test('with the documented code and without an identity', async () => {
        const bench = await contract.open();
        const { state } = await bench.driver.start(request, bench.environment);
        await bench.approve();
        arrange(bench);
        const { answer } = await pollToEnd(bench, state);
        expect(answer).toMatchObject({ status: 'failed', code });
        expect(answer).not.toHaveProperty('identity');
        holdsNoSecret(bench, answer);
      });
    });

    if (contract.asksNobody === true) describeAlone(contract);
    else describeNetwork(contract);

    test('reports findings to the operator without secrets', async () => {
      const bench = await contract.open();
      const findings = await bench.driver.check(bench.environment);
      expect(findings.length).toBeGreaterThan(0);
      expect(findings.filter(({ isOk }) => !isOk)).toEqual([]);
      holdsNoSecret(bench, findings);
    });
  });
}

/** A driver without a provider behaves the same without a network. */
function describeAlone({ open, request }: DriverContract): void {
  test('completes a session without a network', async () => {
    const bench = await open();
    const http = async (): Promise<never> => {
      throw new EidError('providerUnavailable', 'no answer came');
    };
    const alone = { ...bench, environment: { ...bench.environment, http } };
    const { state } = await alone.driver.start(request, alone.environment);
    await bench.approve();
    expect((await pollToEnd(alone, state)).answer.status).toBe('complete');
    expect(bench.requestCount()).toBe(0);
  });
}

/** Tests of a provider that is unavailable or sends nonsense. */
function describeNetwork(contract: DriverContract): void {
  const { request } = contract;
  describeFaults(contract);
  test('keeps the session open while the provider is unreachable', async () => {
    const bench = await contract.open();
    const { state } = await bench.driver.start(request, bench.environment);
    if (contract.asksAfterReturn === true) await bench.approve();
    bench.advance(5_000);
    const environment: EidEnvironment = {
      ...bench.environment,
      http: async () => {
        throw new EidError('providerUnavailable', 'no answer came');
      },
    };
    const error = await errorOf(bench.driver.poll(state, environment));
    expect(error).toBeInstanceOf(EidError);
    expect((error as EidError).code).toBe('providerUnavailable');
    if (contract.asksAfterReturn !== true) await bench.approve();
    expect((await pollToEnd(bench, state)).answer.status).toBe('complete');
  });

  test.each([
    ['an empty body', ''],
    ['HTML', '<html><body>busy</body></html>'],
    ['an array', '[]'],
    ['null', 'null'],
    ['deep nesting', '['.repeat(50_000)],
    ['a prototype', '{"__proto__":{"status":"complete"},"constructor":1}'],
  ])('fails with a driver error when the provider returns %s', async (_, body) => {
    const bench = await contract.open();
    const { state } = await bench.driver.start(request, bench.environment);
    if (contract.asksAfterReturn === true) await bench.approve();
    bench.advance(5_000);
    const environment: EidEnvironment = {
      ...bench.environment,
      http: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(body),
      }),
    };
    for (const work of [
      bench.driver.start(request, environment),
      poll({ ...bench, environment }, state),
    ]) {
      const outcome = await work.then(
        (answer) => ('status' in answer ? answer : undefined),
        (error: unknown) => error,
      );
      const code = (outcome as { code?: string } | undefined)?.code;
      expect(['invalidResponse', 'providerUnavailable', 'internalError']).toContain(code);
    }
  });
}
