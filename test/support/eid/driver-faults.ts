import { expect, test } from 'vitest';
import {
  type EidEnvironment,
  EidError,
  type EidHttpAnswer,
  type EidPoll,
  type EidState,
  eidFailCodes,
} from '../../../src/app/ports/index.ts';
import type { DriverBench, DriverContract } from './driver-contract.ts';
import { finish } from './run-session.ts';

type Http = EidEnvironment['http'];

const codes: ReadonlySet<unknown> = new Set(eidFailCodes);

type Outcome = Partial<Exclude<EidPoll, { status: 'pending' }>> & { readonly code?: unknown };

/** The outcome of a start or poll: its result, or the error. */
async function outcomeOf(work: Promise<object>): Promise<Outcome> {
  return (await work.catch((error: unknown) => error)) as Outcome;
}

/** It has a documented code, or the session is still pending. */
function isQuiet(outcome: object): boolean {
  const { status, code } = outcome as { status?: unknown; code?: unknown };
  return status === 'pending' || codes.has(code);
}

const over = (bench: DriverBench, http: Http): EidEnvironment => ({ ...bench.environment, http });

/** An approved session as stored before the poll that completes it. */
async function approved(contract: DriverContract): Promise<[DriverBench, EidState]> {
  const bench = await contract.open();
  const { state } = await bench.driver.start(contract.request, bench.environment);
  await bench.approve();
  bench.advance(5_000);
  return [bench, JSON.parse(JSON.stringify(state)) as EidState];
}

/** Polls until response number `deathAt`, which gets lost; returns false if there are fewer. */
function diesBehind(deathAt: number, bench: DriverBench, state: EidState): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let count = 0;
    const dying: Http = async (request) => {
      const answer = await bench.environment.http(request);
      if (++count < deathAt) return answer;
      resolve(true);
      return new Promise<EidHttpAnswer>(() => undefined);
    };
    bench.driver.poll(state, over(bench, dying)).then(() => resolve(false), reject);
  });
}

const statuses = [
  ...[100, 201, 204, 206, 300, 301, 302, 303, 304, 307, 308],
  ...[400, 401, 403, 404, 405, 406, 408, 409, 410, 413, 415, 418, 422, 429, 451],
  ...[500, 501, 502, 503, 504, 507, 599],
] as const;

const bodies: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['an empty object', '{}'],
  ['an unknown error', '{"error":"\\u0000<b>","errorCode":[],"message":{"a":1}}'],
  ['a success', '{"status":"complete","state":"COMPLETE","tokenId":"x","access_token":"x"}'],
  ['text in an invalid encoding', '\ud800\udfff\ufffe{"status":"'],
];

/** Tests statuses, redirects and lost responses. */
export function describeFaults(contract: DriverContract): void {
  test.each(statuses)('an unexpected status %i never completes a session', async (status) => {
    const [bench, state] = await approved(contract);
    for (const [, body] of bodies) {
      const asked: string[] = [];
      const http: Http = async ({ url }) => {
        asked.push(url);
        const headers = { 'content-type': 'application/json', location: url };
        return { status, headers, body: Buffer.from(body, 'utf8') };
      };
      const started = await outcomeOf(bench.driver.start(contract.request, over(bench, http)));
      expect(codes).toContain(started.code);
      const polled = await outcomeOf(bench.driver.poll(state, over(bench, http)));
      expect(polled).toSatisfy(isQuiet);
      // No redirect loop is followed.
      expect(asked.length).toBeLessThanOrEqual(2 + (contract.completionRequests ?? 1));
      await bench.driver.cancel(state, over(bench, http)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(EidError);
      });
    }
  });

  test('a program that dies after any response leaves a session that ends', async () => {
    for (let deathAt = 1; ; deathAt++) {
      const [bench, state] = await approved(contract);
      if (!(await diesBehind(deathAt, bench, state))) {
        expect(deathAt).toBeGreaterThan(1);
        return;
      }
      const after = await finish(bench, state);
      if (after.status === 'complete') expect(after.identity).toMatchObject(contract.person);
      else expect(after).toSatisfy(isQuiet);
      if (!bench.driver.answersOnce) expect([deathAt, after.status]).toEqual([deathAt, 'complete']);
    }
  });

  test('a repeated poll of a completed session returns the same person, or fails', async () => {
    const [bench, state] = await approved(contract);
    const first = await finish(bench, state);
    expect(first.status).toBe('complete');
    for (const laterMs of [0, 1_000, 600_000, 86_400_000]) {
      bench.advance(laterMs);
      const again = await outcomeOf(bench.driver.poll(state, bench.environment));
      if (again.status === 'complete') expect(again.identity).toMatchObject(contract.person);
      else expect(again).toSatisfy(isQuiet);
    }
  });
}
