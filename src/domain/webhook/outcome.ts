import type { ErrorCode } from '../../base/errors.ts';
import { clampedWaitMs, nextWaitMs, parseRetryAfter } from './schedule.ts';
import type { Webhook } from './webhook.ts';

/** What one attempt met: an answer, or the code of a failure on the way. */
export type AttemptResult =
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly errorCode: ErrorCode };

/** What follows from an attempt. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly atMs: number }
  /** No further try; `disables`: the webhook is switched off with it. */
  | { readonly kind: 'dead'; readonly disables: boolean };

const neverAgain = 406;
const gone = 410;
const slowDown: readonly number[] = [429, 503];

/**
 * True when a receiver took the event: exactly status 200 under the published schedule; any 2xx
 * under the extended one, which is that of Standard Webhooks. A redirection is never a success.
 */
export function isAccepted(schedule: Webhook['schedule'], result: AttemptResult): boolean {
  if (!('status' in result)) return false;
  if (schedule === 'published') return result.status === 200;
  return result.status >= 200 && result.status < 300;
}

/**
 * True for a failure that says something of the receiver as a whole. Status 406 does not: there is
 * somebody, who does not want this event.
 */
export function isReceiverFailing(schedule: Webhook['schedule'], result: AttemptResult): boolean {
  if ('status' in result && result.status === neverAgain) return false;
  return !isAccepted(schedule, result);
}

/**
 * What follows from attempt number `attempts` (from 1 on, this one included).
 *
 * @param fraction in [0, 1), at random
 */
export function checkAttempt(input: {
  readonly schedule: Webhook['schedule'];
  readonly attempts: number;
  readonly result: AttemptResult;
  readonly nowMs: number;
  readonly fraction: number;
}): Outcome {
  const { schedule, result, nowMs } = input;
  if (isAccepted(schedule, result)) return { kind: 'done' };
  const status = 'status' in result ? result.status : undefined;
  if (status === neverAgain || status === gone) {
    return { kind: 'dead', disables: status === gone };
  }
  const waitMs = nextWaitMs(schedule, input.attempts, input.fraction);
  if (waitMs === undefined) return { kind: 'dead', disables: false };
  const asked =
    'retryAfter' in result && slowDown.includes(result.status)
      ? parseRetryAfter(result.retryAfter, nowMs)
      : undefined;
  // Not sooner than planned, and not so late that the receiver decides over our queue.
  return { kind: 'retry', atMs: nowMs + clampedWaitMs(waitMs, asked ?? 0) };
}
