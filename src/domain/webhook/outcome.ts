import type { ErrorCode } from '../../base/errors.ts';
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
function isAccepted(schedule: Webhook['schedule'], result: AttemptResult): boolean {
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

/** The waits before each try, in milliseconds; the first is before the first try. */
type Waits = readonly number[];

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const schedules: Readonly<Record<Webhook['schedule'], Waits>> = {
  published: [0, 10 * second, 60 * second],
  // The example of Standard Webhooks: ten tries within 75 hours and 35 minutes.
  extended: [
    0,
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ],
};

/** Part of the wait by which the extended schedule strays, so that tries do not come in step. */
const jitter = 0.2;
/** How much longer than planned a receiver may ask us to wait. */
const patience = 2;

/** No delivery waits for longer, whatever its schedule and its receiver say. */
export const longestWaitMs = Math.ceil(
  Math.max(...schedules.published, ...schedules.extended) * (1 + jitter) * patience,
);

/** How many tries a schedule has. */
export function triesOf(schedule: Webhook['schedule']): number {
  return schedules[schedule].length;
}

/**
 * Milliseconds until the next try when `attempts` failed, or undefined after the last one.
 *
 * @param fraction in [0, 1), at random: moves the wait by up to ±20 % in the extended schedule
 */
export function nextWaitMs(
  schedule: Webhook['schedule'],
  attempts: number,
  fraction: number,
): number | undefined {
  const base = schedules[schedule][attempts];
  if (base === undefined) return undefined;
  return schedule === 'published' ? base : Math.round(base * (1 + jitter * (2 * fraction - 1)));
}

/** `waitMs` as a receiver asks for it: not sooner than planned, and at most twice as late. */
function clampedWaitMs(plannedMs: number, askedMs: number): number {
  return Math.min(Math.max(askedMs, plannedMs), patience * plannedMs);
}

/**
 * Milliseconds that a `Retry-After` header asks for: seconds, or a date of HTTP. Undefined when it
 * is neither, or is in the past.
 *
 * @spec RFC 9110 §10.2.3
 */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d{1,9}$/.test(trimmed)) return Number(trimmed) * second;
  const atMs = /^[A-Z][a-z]{2},/.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(atMs) || atMs < nowMs ? undefined : atMs - nowMs;
}
