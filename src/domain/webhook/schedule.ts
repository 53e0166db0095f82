import type { Webhook } from './webhook.ts';

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
/** Limit for a delay requested by a receiver, as a multiple of the planned one. */
const patience = 2;

/** No delivery waits for longer, whatever its schedule and its receiver say. */
export const longestWaitMs = Math.ceil(
  Math.max(...schedules.published, ...schedules.extended) * (1 + jitter) * patience,
);

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
export function clampedWaitMs(plannedMs: number, askedMs: number): number {
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
