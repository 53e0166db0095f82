import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { asKey, type RandomBytes } from '../../domain/keys.ts';
import { isOutcomeUnknown } from '../patient-store.ts';
import type { IdempotencyKeyClaim, StoredResponse, StoreUnit } from '../ports/index.ts';
import { takeFormQuota, takeQuotas } from '../quotas.ts';
import {
  KEPT_MS,
  type NamedRequest,
  type NamedRequestPorts,
  namedRequest,
} from './named-request.ts';

/** Executes a request once, even if it is sent repeatedly with the same idempotency key. */
export interface IdempotentRequests {
  /**
   * Begins a request. Returns the stored response if it was already completed.
   *
   * @throws idempotency.key.reused, idempotency.in_flight, quota.requests.exceeded
   */
  begin(companyKey: string, key: string, request: RequestHash): Promise<NamedRequest | string>;
  /** Waits briefly for responses that are not stored yet. */
  close(): Promise<void>;
}

/** Hashes by which a repeated request is recognised. */
interface RequestHash {
  /** SHA-256 of method, URL and body. */
  readonly sha256: string;
  /** The hash stored instead by versions before schema 10. */
  earlier?(): string;
  /** Set for a request from a customer form; forms have a share of the quota. */
  readonly isOfForm?: true;
}

interface RepeatPorts extends NamedRequestPorts {
  readonly random: RandomBytes;
}

/** Milliseconds without renewal after which a program counts as dead: a repeat may do the work. */
const HELD_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
const CLOSE_MS = 2000;

/** Creates {@link IdempotentRequests} backed by the store, so they hold across programs. */
export function idempotentRequests(ports: RepeatPorts): IdempotentRequests {
  const { store, now, random } = ports;
  const running = new Set<NamedRequest>();
  const renewAll = async () => {
    const all = [...running];
    await store.write(async (unit) => {
      for (const each of all) await each.renew(unit, HELD_MS);
    });
  };
  let timer: NodeJS.Timeout | undefined;
  const follow = (request: NamedRequest) => {
    running.add(request);
    // If the database is unavailable, the next interval tries again.
    timer ??= setInterval(() => void renewAll().catch(() => undefined), RENEW_EVERY_MS).unref();
    void request.over.then(() => {
      running.delete(request);
      if (running.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
    return request;
  };
  return {
    begin: async (company, key, request) => {
      const nowMs = now();
      const mark: IdempotencyKeyClaim = {
        companyKey: asKey('company', company),
        key,
        requestHash: request.sha256,
        createdAtMs: nowMs,
        owner: Buffer.from(random(12)).toString('hex'),
      };
      try {
        const answer = await store.write((unit) => take(unit, mark, request));
        return answer ?? follow(namedRequest(ports, mark));
      } catch (error) {
        // The key may have been claimed, but no work runs under it: release it.
        if (isOutcomeUnknown(error)) void follow(namedRequest(ports, mark)).drop();
        throw error;
      }
    },
    close: async () => {
      let late: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => {
        late = setTimeout(resolve, CLOSE_MS);
      });
      await Promise.race([Promise.all([...running].map(({ over }) => over)), patience]);
      clearTimeout(late);
      clearInterval(timer);
    },
  };
}

/** Claims the key of a request, or returns the response stored under it. */
async function take(
  unit: StoreUnit,
  mark: IdempotencyKeyClaim,
  { earlier, isOfForm }: RequestHash,
): Promise<string | undefined> {
  const { idempotencyKeys } = unit;
  const { companyKey, key, createdAtMs: nowMs } = mark;
  await idempotencyKeys.removeOld(nowMs - KEPT_MS);
  if (await idempotencyKeys.claim(mark, HELD_MS)) {
    await takeQuotas(unit, companyKey, { namedRequests: 1 }, nowMs, mark.owner);
    if (isOfForm) await takeFormQuota(unit, companyKey, 'namedRequests', nowMs, mark.owner);
    return undefined;
  }
  const known = await idempotencyKeys.lock(companyKey, key);
  // It was released between the two statements.
  if (known === undefined) throw stillRunning();
  if (known.requestHash !== mark.requestHash && known.requestHash !== earlier?.()) {
    throw new InnsigliError(
      'idempotency.key.reused',
      'expected the same request as before with this key',
    );
  }
  if (known.answer !== undefined) return known.answer;
  // A longer hold means that the clock of the store was set back.
  if (known.leftMs > 0 && known.leftMs <= 2 * HELD_MS) throw stillRunning();
  if (known.steps > 0) throw withoutAnswer(known, nowMs);
  await idempotencyKeys.takeOver(mark, HELD_MS);
  return undefined;
}

function stillRunning(): InnsigliError {
  return new InnsigliError('idempotency.in_flight', 'the request is still running', {
    details: { retryAfterSeconds: 2 },
  });
}

const answerLost = new Error('the program exited between processing and responding');

/** True for a request that was processed but whose response is lost. */
export function isAnswerLost(error: unknown): boolean {
  return isInnsigliError(error) && error.cause === answerLost;
}

/** Its program ended between the work and the response: the work is not repeated. */
function withoutAnswer({ createdAtMs }: StoredResponse, nowMs: number): InnsigliError {
  const message = 'the request was processed, but its response was lost: check its result';
  return new InnsigliError('idempotency.in_flight', message, {
    details: { retryAfterSeconds: Math.max(1, Math.ceil((createdAtMs + KEPT_MS - nowMs) / 1000)) },
    cause: answerLost,
  });
}
