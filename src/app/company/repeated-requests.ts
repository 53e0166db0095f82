import { CoreError } from '../../base/errors.ts';
import { asKey } from '../../domain/keys.ts';
import type { ServicePorts } from '../service/index.ts';

/** Requests that come twice under one name, and are done once. */
export interface RepeatedRequests {
  /**
   * Begins a request; gives the answer when it was done already.
   *
   * @throws idempotency.key.reused, idempotency.in_flight
   */
  begin(companyKey: string, key: string, requestHash: string): Promise<string | undefined>;
  /** Keeps its answer for a day. */
  keep(companyKey: string, key: string, answer: string): Promise<void>;
  /** Forgets it: it has failed and may be sent again. */
  drop(companyKey: string, key: string): Promise<void>;
}

const KEPT_MS = 24 * 60 * 60_000;
/** A request that runs longer has died with its program, before or after its work was written. */
const RUNNING_MS = 10 * 60_000;

/** {@link RepeatedRequests} over the store, so that they hold for several programs. */
export function repeatedRequests({
  store,
  now,
}: Pick<ServicePorts, 'store' | 'now'>): RepeatedRequests {
  return {
    begin: (company, key, requestHash) => {
      const companyKey = asKey('company', company);
      const nowMs = now();
      return store.write(async ({ keptAnswers }) => {
        await keptAnswers.removeOld(nowMs - KEPT_MS);
        const mark = { companyKey, key, requestHash, createdAtMs: nowMs };
        if (await keptAnswers.claim(mark)) return undefined;
        const known = await keptAnswers.find(companyKey, key);
        if (known?.requestHash !== requestHash) {
          throw new CoreError('idempotency.key.reused', 'expected the request sent with this key');
        }
        if (known.answer !== undefined) return known.answer;
        throw inFlight(nowMs - known.createdAtMs);
      });
    },
    keep: (company, key, answer) =>
      store.write(({ keptAnswers }) => keptAnswers.keep(asKey('company', company), key, answer)),
    drop: (company, key) =>
      store.write(({ keptAnswers }) => keptAnswers.remove(asKey('company', company), key)),
  };
}

/** Nobody knows whether the work of a request without an answer was done: it is not done again. */
function inFlight(ageMs: number): CoreError {
  if (ageMs < RUNNING_MS) {
    return new CoreError('idempotency.in_flight', 'the request is still running', {
      details: { retryAfterSeconds: 2 },
    });
  }
  const advice = 'look whether its work was done; if not, send it with another key';
  return new CoreError('idempotency.in_flight', `the request has no answer: ${advice}`, {
    details: { retryAfterSeconds: Math.max(1, Math.ceil((KEPT_MS - ageMs) / 1000)) },
  });
}
