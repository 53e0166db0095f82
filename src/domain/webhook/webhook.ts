import type { CompanyKey, FlowKey, ProcessKey } from '../keys.ts';
import type { WebhookType } from '../process/index.ts';

/** A receiver of the events of one type of one flow. */
export interface Webhook {
  /** Starts at 1. */
  readonly id: number;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly type: WebhookType;
  readonly url: string;
  readonly isActive: boolean;
  /** `published`: three attempts; `extended`: ten attempts over three days. */
  readonly schedule: 'published' | 'extended';
  /** Standard Webhooks secrets, `whsec_…`, newest first. During a rotation all of them sign. */
  readonly secrets: readonly string[];
  /** Send the next event of a process only after the previous one is done. */
  readonly isOrdered: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Reason for automatic disabling, such as `410`. */
  readonly disabledReason?: string;
  /** Consecutive failures across all deliveries. Opens the circuit breaker. */
  readonly failureCount: number;
  readonly failingSinceMs?: number;
  /** End of the pause in epoch milliseconds. Until then only one delivery probes the receiver. */
  readonly openUntilMs?: number;
}

/** An event with the exact body that receivers get, fixed when the event occurred. */
export interface WebhookEvent {
  /** GUID without dashes: `Id` of the payload and `webhook-id` of every attempt. */
  readonly id: string;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly processKey?: ProcessKey;
  /** Position among the events of the process, from 1. */
  readonly seq: number;
  readonly type: WebhookType;
  /** JSON text. With {@link documentSha256}, the document's Base64 goes between the two parts. */
  readonly body: readonly [head: string, tail: string];
  readonly documentSha256?: string;
  readonly createdAtMs: number;
}

/** States of a delivery. */
export type DeliveryState = 'waiting' | 'done' | 'dead' | 'canceled';

/** The delivery of one event to one webhook. */
export interface WebhookDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly webhookId: number;
  readonly processKey?: ProcessKey;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Attempts before the last replay, which restarts the schedule. */
  readonly attemptsBefore?: number;
  /** Due time of the next attempt in epoch milliseconds. Absent: none. */
  readonly nextAtMs?: number;
  readonly lastStatus?: number;
  readonly lastErrorCode?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Result of one attempt of a delivery. */
export interface DeliveryAttempt {
  readonly deliveryId: string;
  /** Number of the attempt, counted from 1. */
  readonly number: number;
  readonly atMs: number;
  readonly durationMs: number;
  readonly status?: number;
  readonly errorCode?: string;
  /** Reason for the missing response: host and code, such as `x.is: ECONNREFUSED`. */
  readonly cause?: string;
  /** The first bytes of the response, as text. */
  readonly answerHead?: string;
}
