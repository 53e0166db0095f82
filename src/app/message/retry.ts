import type { MessageTemplate } from '../../domain/process/index.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const patientMs = [
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
 * Terms of taking messages: one at a time, because a one-time code must be sent while it is of use,
 * even if a worker died. The lease is renewed during an attempt: a message taken over meanwhile by
 * another worker would be sent twice.
 */
export const messageTerms = {
  limit: 1,
  leaseMs: minuteMs,
  horizonMs: 24 * hourMs,
};

// A one-time code is of no use when it comes later than that.
const hastyMs = [5 * secondMs, 10 * secondMs, 20 * secondMs, 40 * secondMs];

// A server or setting is put right by somebody: the messages shall leave soon after that.
const heldMs = [30 * secondMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs];

/**
 * The delay after attempt number `attempts`, which failed because no message could leave, in
 * milliseconds. It never ends: the cause is neither the recipient nor the message.
 */
export function heldDelayMs(template: MessageTemplate, attempts: number): number {
  const delays = template === 'OneTimeCode' ? hastyMs : heldMs;
  return delays[Math.min(attempts, delays.length) - 1] ?? 0;
}

/**
 * The delay after failed attempt number `attempts`, in milliseconds; undefined after the last one.
 * Nine attempts over almost two days, and five within two minutes for one-time codes.
 */
export function retryDelayMs(template: MessageTemplate, attempts: number): number | undefined {
  return (template === 'OneTimeCode' ? hastyMs : patientMs)[attempts - 1];
}
