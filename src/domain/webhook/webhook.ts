import type { CompanyKey, FlowKey, ProcessKey } from '../keys.ts';
import type { WebhookType } from '../process/index.ts';

/** Receiver of the events of one type of one flow. */
export interface Webhook {
  /** Counts from 1 on. */
  readonly id: number;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly type: WebhookType;
  readonly url: string;
  readonly isActive: boolean;
  /** `published`: three tries; `extended`: ten tries over three days. */
  readonly schedule: 'published' | 'extended';
  /** Standard Webhooks secrets, `whsec_…`, newest first: all of them sign while they overlap. */
  readonly secrets: readonly string[];
  /** Send the next event of a process only when the one before is done. */
  readonly isOrdered: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** Reason for switching it off automatically, such as `410`. */
  readonly disabledReason?: string;
  /** Failures in a row of all deliveries: the circuit breaker opens on them. */
  readonly failureCount: number;
  readonly failingSinceMs?: number;
  /** End of the pause in epoch milliseconds; until then only one delivery probes. */
  readonly openUntilMs?: number;
}

/** Something that happened, with the exact body that receivers get; frozen when it happened. */
export interface WebhookEvent {
  /** GUID without dashes: `Id` of the payload and `webhook-id` of every attempt. */
  readonly id: string;
  readonly companyKey: CompanyKey;
  readonly flowKey: FlowKey;
  readonly processKey?: ProcessKey;
  /** Place among the events of the process, from 1 on. */
  readonly seq: number;
  readonly type: WebhookType;
  /** JSON text; where {@link documentSha256} is set, its base64 goes between the two parts. */
  readonly body: readonly [head: string, tail: string];
  readonly documentSha256?: string;
  readonly createdAtMs: number;
}

/** States of a delivery. */
export type DeliveryState = 'waiting' | 'done' | 'dead' | 'canceled';

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly webhookId: number;
  readonly processKey?: ProcessKey;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Attempts before the last replay: the schedule starts over behind them. */
  readonly attemptsBefore?: number;
  /** Due time of the next attempt in epoch milliseconds; absent: there is none. */
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
  /** The first bytes of the answer, as text. */
  readonly answerHead?: string;
}
