import { defined } from '../../base/defined.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { ActivityDraft } from '../process/index.ts';
import { clampedWaitMs, nextWaitMs, parseRetryAfter } from './schedule.ts';
import type { DeliveryAttempt, Webhook, WebhookDelivery } from './webhook.ts';

/** The response to one attempt, or the code of the failure that prevented it. */
export type AttemptResult =
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly errorCode: ErrorCode };

/** One attempt: its result, its duration and the start of the response. */
export type Attempt = Pick<DeliveryAttempt, 'atMs' | 'durationMs' | 'cause' | 'answerHead'> & {
  readonly result: AttemptResult;
};

/** State of a receiver after an attempt. */
interface ReceiverState {
  readonly isFailing: boolean;
  readonly isProbe: boolean;
  /** The receiver does not want further events. */
  readonly disables: boolean;
}

/** The result of one delivery job: the changes to store, and the report of the worker. */
export interface DeliveryResult {
  /** The changed delivery, due again if its state is waiting. Absent if the job is obsolete. */
  readonly delivery?: WebhookDelivery;
  readonly attempt?: DeliveryAttempt;
  /** The entry for the activity log of the process. */
  readonly note?: ActivityDraft;
  /** Absent if the attempt does not change the state of the receiver. */
  readonly receiver?: ReceiverState;
  readonly failure?: { readonly code: ErrorCode; readonly why: string; readonly isFinal: boolean };
}

/** Consequence of an attempt. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly atMs: number }
  /** No further attempt. `disables`: the webhook is disabled as well. */
  | { readonly kind: 'dead'; readonly disables: boolean };

const neverAgain = 406;
const gone = 410;
const slowDown: readonly number[] = [429, 503];

/**
 * Whether a receiver accepted the event: exactly status 200 under the published schedule; any 2xx
 * under the extended one, as in Standard Webhooks. A redirect is never a success.
 */
function isAccepted(schedule: Webhook['schedule'], result: AttemptResult): boolean {
  if (!('status' in result)) return false;
  if (schedule === 'published') return result.status === 200;
  return result.status >= 200 && result.status < 300;
}

/** Whether the receiver as a whole fails. Status 406 does not count: it rejects only this event. */
export function isReceiverFailing(schedule: Webhook['schedule'], result: AttemptResult): boolean {
  if ('status' in result && result.status === neverAgain) return false;
  return !isAccepted(schedule, result);
}

/**
 * Determines the consequence of attempt number `attempts`, counted from 1 and including this one.
 *
 * @param input.fraction returns a random number in [0, 1); called only before another attempt
 */
export function checkAttempt(input: {
  readonly schedule: Webhook['schedule'];
  readonly attempts: number;
  readonly result: AttemptResult;
  readonly nowMs: number;
  fraction(): number;
}): Outcome {
  const { schedule, result, nowMs } = input;
  if (isAccepted(schedule, result)) return { kind: 'done' };
  const status = 'status' in result ? result.status : undefined;
  if (status === neverAgain || status === gone) {
    return { kind: 'dead', disables: status === gone };
  }
  const waitMs = nextWaitMs(schedule, input.attempts, input.fraction());
  if (waitMs === undefined) return { kind: 'dead', disables: false };
  const asked =
    'retryAfter' in result && slowDown.includes(result.status)
      ? parseRetryAfter(result.retryAfter, nowMs)
      : undefined;
  // Not earlier than planned, and not so late that the receiver controls our queue.
  return { kind: 'retry', atMs: nowMs + clampedWaitMs(waitMs, asked ?? 0) };
}

/** The result for a delivery that is postponed to `untilMs`. */
export function postponed(delivery: WebhookDelivery, untilMs: number): DeliveryResult {
  return { delivery: { ...delivery, nextAtMs: untilMs } };
}

/** The result for a delivery that ends without a further attempt. */
export function ended(
  { nextAtMs: _next, ...delivery }: WebhookDelivery,
  state: 'dead' | 'canceled',
  errorCode: ErrorCode,
  nowMs: number,
): DeliveryResult {
  const next = { ...delivery, state, updatedAtMs: nowMs, lastErrorCode: errorCode };
  if (state === 'canceled') return { delivery: next };
  const why = `webhook ${delivery.webhookId}`;
  return {
    delivery: next,
    note: buildNote('WebhookFailed', `${why}: ${errorCode}`),
    failure: { code: errorCode, why, isFinal: true },
  };
}

/**
 * The result of an attempt.
 *
 * @param fraction returns a random number in [0, 1); called only before another attempt
 */
export function attempted(
  { webhook, delivery, isProbe }: { webhook: Webhook; delivery: WebhookDelivery; isProbe: boolean },
  { result, ...attempt }: Attempt,
  nowMs: number,
  fraction: () => number,
): DeliveryResult {
  const { schedule, type } = webhook;
  const number = delivery.attempts + 1;
  const attempts = number - (delivery.attemptsBefore ?? 0);
  const outcome = checkAttempt({ schedule, attempts, result, nowMs, fraction });
  const isDone = outcome.kind === 'done';
  const againAtMs = outcome.kind === 'retry' ? outcome.atMs : undefined;
  const isFailing = isReceiverFailing(schedule, result);
  const [status, errorCode] =
    'status' in result ? [result.status, undefined] : [undefined, result.errorCode];
  const found = status === undefined ? errorCode : `status ${status}`;
  const reason = status === undefined ? attempt.cause : found;
  const why = `webhook ${webhook.id}${reason === undefined ? '' : `: ${reason}`}`;
  const logged = `webhook ${webhook.id}: ${type}, ${found}, attempt ${number}`;
  // A success does not change a receiver without failures.
  const isUnchanged = !isFailing && webhook.failureCount === 0 && webhook.openUntilMs === undefined;
  const disables = outcome.kind === 'dead' && outcome.disables;
  return defined({
    delivery: defined({
      ...delivery,
      attempts: number,
      state: outcome.kind === 'retry' ? ('waiting' as const) : outcome.kind,
      updatedAtMs: nowMs,
      nextAtMs: againAtMs,
      lastStatus: status,
      lastErrorCode: errorCode,
    }),
    attempt: defined({ deliveryId: delivery.id, number, ...attempt, status, errorCode }),
    note:
      againAtMs === undefined
        ? buildNote(isDone ? 'WebhookSent' : 'WebhookFailed', logged)
        : undefined,
    receiver: isUnchanged ? undefined : { isFailing, isProbe, disables },
    failure: isDone
      ? undefined
      : { code: errorCode ?? 'network.failed', why, isFinal: outcome.kind === 'dead' },
  });
}

function buildNote(status: 'WebhookSent' | 'WebhookFailed', description: string): ActivityDraft {
  return { status, createdBy: 'System', description };
}
