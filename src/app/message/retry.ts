import type { MessageTemplate } from '../../domain/process/index.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const retryDelaysMs = [
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
];

/**
 * Terms of claiming messages. One at a time: a one-time code must be sent while it is valid, even
 * if a worker crashed. The lease is renewed during an attempt: a message taken over by another
 * worker meanwhile would be sent twice.
 */
export const messageTerms = {
  limit: 1,
  leaseMs: minuteMs,
  horizonMs: 24 * hourMs,
};

// A one-time code that arrives later is useless.
const codeDelaysMs = [5 * secondMs, 10 * secondMs, 20 * secondMs, 40 * secondMs];

// An operator repairs the server or setting; the messages are sent soon afterwards.
const heldMs = [30 * secondMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs];

/**
 * The delay in milliseconds after attempt number `attempts`, if it failed for a reason that affects
 * every message. There is no last attempt: neither the recipient nor the message is the cause.
 */
export function heldDelayMs(template: MessageTemplate, attempts: number): number {
  const delays = template === 'OneTimeCode' ? codeDelaysMs : heldMs;
  return delays[Math.min(attempts, delays.length) - 1] ?? 0;
}

/**
 * The delay in milliseconds after failed attempt number `attempts`. Undefined after the last one.
 * Nine attempts over almost two days, and five within two minutes for one-time codes.
 */
export function retryDelayMs(template: MessageTemplate, attempts: number): number | undefined {
  return (template === 'OneTimeCode' ? codeDelaysMs : retryDelaysMs)[attempts - 1];
}
