import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { asKey, type RandomBytes } from '../../domain/keys.ts';
import { isOutcomeUnknown } from '../patient-store.ts';
import type { AnswerMark, KeptAnswer, StoreUnit } from '../ports/index.ts';
import { takeFormQuota, takeQuotas } from '../quotas.ts';
import {
  KEPT_MS,
  type NamedRequest,
  type NamedRequestPorts,
  namedRequest,
} from './named-request.ts';

/** Requests that come twice under one name, and are done once. */
export interface IdempotentRequests {
  /**
   * Begins a request; gives the answer as text when it was done already.
   *
   * @throws idempotency.key.reused, idempotency.in_flight, quota.requests.exceeded
   */
  begin(companyKey: string, key: string, request: RequestHash): Promise<NamedRequest | string>;
  /** Waits for answers that are still to be kept, but not for long. */
  close(): Promise<void>;
}

/** Hashes by which a repeated request is recognised. */
interface RequestHash {
  /** SHA-256 of method, address and bytes of the body. */
  readonly sha256: string;
  /** The hash that versions before schema 10 stored instead. */
  earlier?(): string;
  /** It comes from a form of customers, which have a share of the quota. */
  readonly isOfForm?: true;
}

/** Dependencies of {@link idempotentRequests}. */
interface RepeatPorts extends NamedRequestPorts {
  readonly random: RandomBytes;
}

/** Silence after which a program is considered dead, in milliseconds: a repeat may do the work. */
const HELD_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
const CLOSE_MS = 2000;

/** {@link IdempotentRequests} over the store, so that they hold for several programs. */
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
    // A database that is away is tried again at the next turn.
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
      const mark: AnswerMark = {
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
        // Nobody works under this name, if it was taken.
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

/** Takes the name of a request, or gives the answer that is kept under it. */
async function take(
  unit: StoreUnit,
  mark: AnswerMark,
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
  // It was freed between the two statements.
  if (known === undefined) throw stillRunning();
  if (known.requestHash !== mark.requestHash && known.requestHash !== earlier?.()) {
    throw new InnsigliError(
      'idempotency.key.reused',
      'expected the same request as before with this key',
    );
  }
  if (known.answer !== undefined) return known.answer;
  // A longer hold began before the time of the store went back.
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

/** True for a request that was processed and whose answer nobody will have. */
export function isAnswerLost(error: unknown): boolean {
  return isInnsigliError(error) && error.cause === answerLost;
}

/** Its program ended between its work and its answer: the work is not done again. */
function withoutAnswer({ createdAtMs }: KeptAnswer, nowMs: number): InnsigliError {
  const message = 'the request was processed, but its response was lost: check its result';
  return new InnsigliError('idempotency.in_flight', message, {
    details: { retryAfterSeconds: Math.max(1, Math.ceil((createdAtMs + KEPT_MS - nowMs) / 1000)) },
    cause: answerLost,
  });
}
