import type { Webhook } from './webhook.ts';

/** Consecutive failures after which only one probe at a time is sent to a receiver. */
export const breakerThreshold = 10;

const coolDownMs = 60_000;
const coolDownMaxMs = 3_600_000;
/** Duration of continuous failure after which a webhook is disabled, in milliseconds. */
const patienceMs = 5 * 24 * 3_600_000;

/** `disabledReason` of a webhook that has failed for five days. */
const failingReason = 'failing for 5 days';

/** Whether a delivery may be sent now. */
export type Admission =
  | { readonly kind: 'go' }
  /** This delivery probes whether the receiver has recovered; store {@link next} before sending. */
  | { readonly kind: 'probe'; readonly next: Webhook }
  | { readonly kind: 'hold'; readonly untilMs: number };

/**
 * Consults the circuit breaker. Of several concurrent deliveries only one becomes the probe: it
 * claims the role by storing the result, which the rest then see.
 *
 * @param probeMs maximum duration of a probe
 */
export function admit(webhook: Webhook, nowMs: number, probeMs: number): Admission {
  if (webhook.failureCount < breakerThreshold || webhook.openUntilMs === undefined) {
    return { kind: 'go' };
  }
  // A time further ahead than any cool-down means the clock was set back by an unknown amount.
  const isSound = webhook.openUntilMs - nowMs <= coolDownMaxMs;
  if (isSound && nowMs < webhook.openUntilMs) return { kind: 'hold', untilMs: webhook.openUntilMs };
  return { kind: 'probe', next: { ...webhook, openUntilMs: nowMs + probeMs } };
}

/** The webhook after an accepted delivery; the same object if nothing changes. */
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
 * The webhook after a failed delivery. From {@link breakerThreshold} failures on the breaker is
 * open: for one minute, and after each failed probe for twice as long, up to an hour. Failures of
 * deliveries that were in flight when it opened are ignored.
 */
export function afterFailure(webhook: Webhook, nowMs: number, isProbe: boolean): Webhook {
  const { openUntilMs = nowMs } = webhook;
  const isOpen = nowMs < openUntilMs && openUntilMs - nowMs <= coolDownMaxMs;
  if (isOpen && !isProbe) return webhook;
  const failureCount = webhook.failureCount + 1;
  const failingSinceMs = Math.min(webhook.failingSinceMs ?? nowMs, nowMs);
  const next = { ...webhook, failureCount, failingSinceMs };
  if (failureCount < breakerThreshold) return next;
  if (nowMs - failingSinceMs >= patienceMs) return withDisabled(next, failingReason, nowMs);
  const longer = coolDownMs * 2 ** Math.min(failureCount - breakerThreshold, 16);
  return { ...next, openUntilMs: nowMs + Math.min(longer, coolDownMaxMs) };
}

/** The webhook after it was disabled automatically, with the reason that its owner is shown. */
export function withDisabled(webhook: Webhook, reason: string, nowMs: number): Webhook {
  return { ...webhook, isActive: false, disabledReason: reason, updatedAtMs: nowMs };
}
