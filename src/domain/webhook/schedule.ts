import type { Webhook } from './webhook.ts';

/** The waits before each attempt, in milliseconds, including the first. */
type Waits = readonly number[];

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const schedules: Readonly<Record<Webhook['schedule'], Waits>> = {
  published: [0, 10 * second, 60 * second],
  // The example schedule of Standard Webhooks: ten attempts within 75 hours and 35 minutes.
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

/** Maximum random fraction by which extended waits vary, so that attempts do not coincide. */
const jitter = 0.2;
/** Limit for a delay requested by a receiver, as a multiple of the planned one. */
const patience = 2;

/** Maximum wait of any delivery, for every schedule and whatever the receiver requests. */
export const longestWaitMs = Math.ceil(
  Math.max(...schedules.published, ...schedules.extended) * (1 + jitter) * patience,
);

/**
 * Milliseconds until the next attempt after `attempts` failed ones; undefined after the last one.
 *
 * @param fraction random, in [0, 1): varies the wait by up to ±20 % in the extended schedule
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

/** Limits a wait requested by a receiver: at least the planned wait, and at most twice that. */
export function clampedWaitMs(plannedMs: number, askedMs: number): number {
  return Math.min(Math.max(askedMs, plannedMs), patience * plannedMs);
}

/**
 * Parses a `Retry-After` header, in seconds or as an HTTP date, into milliseconds. Undefined if it
 * is neither, or in the past.
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
