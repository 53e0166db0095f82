import type { Webhook } from './webhook.ts';

/** Failures in a row after which a receiver is left alone, except for one probe at a time. */
export const breakerThreshold = 10;

const coolDownMs = 60_000;
const coolDownMaxMs = 3_600_000;
/** Time of failures after which a webhook is switched off, in milliseconds. */
const patienceMs = 5 * 24 * 3_600_000;

/** `disabledReason` of a webhook that failed for five days. */
const failingReason = 'failing for 5 days';

/** Decision whether a delivery may be sent now. */
export type Admission =
  | { readonly kind: 'go' }
  /** It is the one that looks whether the receiver is back; store {@link next} before sending. */
  | { readonly kind: 'probe'; readonly next: Webhook }
  | { readonly kind: 'hold'; readonly untilMs: number };

/**
 * Asks the circuit breaker. Of many deliveries that ask at once, one probes: it takes the place by
 * storing the result, which the others see.
 *
 * @param probeMs how long a probe may take
 */
export function admit(webhook: Webhook, nowMs: number, probeMs: number): Admission {
  if (webhook.failureCount < breakerThreshold || webhook.openUntilMs === undefined) {
    return { kind: 'go' };
  }
  // Further away than any wait: the clock has gone back since, and nobody knows for how long.
  const isSound = webhook.openUntilMs - nowMs <= coolDownMaxMs;
  if (isSound && nowMs < webhook.openUntilMs) return { kind: 'hold', untilMs: webhook.openUntilMs };
  return { kind: 'probe', next: { ...webhook, openUntilMs: nowMs + probeMs } };
}

/** The webhook after a delivery that was taken; the same object when nothing changes. */
export function afterSuccess(webhook: Webhook): Webhook {
  if (webhook.failureCount === 0 && webhook.openUntilMs === undefined) return webhook;
  return closed(webhook);
}

/** The webhook with its breaker closed, as after a success or a change by its owner. */
export function closed(webhook: Webhook): Webhook {
  const { failingSinceMs: _since, openUntilMs: _until, ...rest } = webhook;
  return { ...rest, failureCount: 0 };
}

/**
 * The webhook after a failed delivery. From {@link breakerThreshold} on the breaker is open: one
 * minute, then twice as long after each failed probe, up to an hour. Deliveries that were on their
 * way when it opened tell nothing new.
 */
export function afterFailure(webhook: Webhook, nowMs: number, isProbe: boolean): Webhook {
  const { openUntilMs = nowMs } = webhook;
  const isOpen = nowMs < openUntilMs && openUntilMs - nowMs <= coolDownMaxMs;
  if (isOpen && !isProbe) return webhook;
  const failureCount = webhook.failureCount + 1;
  const failingSinceMs = Math.min(webhook.failingSinceMs ?? nowMs, nowMs);
  const next = { ...webhook, failureCount, failingSinceMs };
  if (failureCount < breakerThreshold) return next;
  if (nowMs - failingSinceMs >= patienceMs) return switchedOff(next, failingReason, nowMs);
  const longer = coolDownMs * 2 ** Math.min(failureCount - breakerThreshold, 16);
  return { ...next, openUntilMs: nowMs + Math.min(longer, coolDownMaxMs) };
}

/** The webhook switched off by us, with the reason that its owner is shown. */
export function switchedOff(webhook: Webhook, reason: string, nowMs: number): Webhook {
  return { ...webhook, isActive: false, disabledReason: reason, updatedAtMs: nowMs };
}
