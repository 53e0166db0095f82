import type { AddressRules } from '../../base/network/address-policy.ts';
import type { FlowKey, ProcessKey } from '../../domain/keys.ts';
import type { WebhookType } from '../../domain/process/index.ts';
import type {
  DeliveryAttempt,
  DeliveryState,
  ReceivedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookVerification,
} from '../../domain/webhook/index.ts';
import type { WebhookTransport } from '../ports/index.ts';
import type { DeliverPorts } from './deliver.ts';
import type { RecordPorts } from './record-events.ts';

/** Dependencies of the use cases of webhooks. */
export interface WebhookPorts extends DeliverPorts, RecordPorts {
  /** Addresses that webhooks may use besides the public internet; the rules of the transport. */
  readonly addresses: AddressRules;
  /** Opens the receiver of `listen`. */
  readonly openReceiver: OpenReceiver;
  /** Sends on what `listen` got, to an address that the user of this machine named. */
  readonly forwarder: WebhookTransport;
}

/** Opens a receiver of POST requests on this machine. */
type OpenReceiver = (options: {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly bodyBytesMax: number;
  /** Gives the status of the answer. */
  handle(request: ReceivedWebhook): Promise<number>;
}) => Promise<{ readonly url: string; close(): Promise<void> }>;

/** A webhook without its secrets. */
export interface WebhookView extends Omit<Webhook, 'secrets'> {
  /** More than 1 while a new secret and an old one overlap. */
  readonly secretCount: number;
}

/** A webhook with the secret that was made for it: the only time that it is shown unasked. */
export interface WebhookWithSecret {
  readonly webhook: WebhookView;
  readonly secret: string;
}

/** Request for a new webhook. */
export interface CreateWebhook {
  readonly flowKey: FlowKey;
  /** Name in any letter case; `NotSet` is refused. */
  readonly type: string;
  readonly url: string;
  /** `published` when left out. */
  readonly schedule?: Webhook['schedule'];
  readonly isOrdered?: boolean;
  readonly isActive?: boolean;
  /** `whsec_…` of the owner's choice; made when left out. */
  readonly secret?: string;
}

/** Changeable members of a webhook; switching it on closes its circuit breaker. */
export interface WebhookChange {
  readonly type?: string;
  readonly url?: string;
  readonly schedule?: Webhook['schedule'];
  readonly isOrdered?: boolean;
  readonly isActive?: boolean;
}

/** Filter for a list of deliveries, newest first. */
export interface DeliveryQuery {
  readonly webhookId?: number;
  readonly processKey?: ProcessKey;
  readonly state?: DeliveryState;
  readonly sinceMs?: number;
  /** 1 to 1000; 50 when left out. */
  readonly take?: number;
}

/** A delivery with the event that it delivers. */
export interface DeliveryView extends WebhookDelivery {
  readonly eventType?: WebhookType;
  readonly seq?: number;
}

/** One delivery, or all dead ones of a webhook. */
export type ReplayRequest =
  | { readonly deliveryId: string }
  | { readonly webhookId: number; readonly sinceMs?: number };

/** Request for an event that tests receivers. */
export interface TriggerRequest {
  readonly type: string;
  readonly flowKey: FlowKey;
  /** Only this webhook; all active ones of flow and type when left out. */
  readonly webhookId?: number;
}

/** Result of one attempt. */
export type PingOutcome = Pick<
  DeliveryAttempt,
  'durationMs' | 'status' | 'errorCode' | 'cause' | 'answerHead'
> & { readonly isAccepted: boolean };

/** Options of a receiver on this machine. */
export interface ListenRequest {
  readonly host: string;
  readonly port: number;
  /** Registers the receiver for this flow until it is closed. */
  readonly flowKey?: FlowKey;
  /** All types when left out. */
  readonly types?: readonly string[];
  /** `whsec_…`; made when left out. */
  readonly secret?: string;
  readonly skipVerify?: boolean;
  /** Address to which each request is sent on, byte for byte; its response is returned. */
  readonly forwardTo?: string;
}

/** A request that the receiver got. */
export interface HeardEvent {
  readonly atMs: number;
  readonly verification: WebhookVerification;
  readonly type?: WebhookType;
  /** `webhook-attempt`. */
  readonly attempt?: string;
  readonly lengthBytes: number;
  /** The status it was answered with. */
  readonly answered: number;
  /** The payload with a document left out, and all else as it came. */
  readonly payload: unknown;
}

/** A receiver that runs. */
export interface WebhookListener {
  readonly url: string;
  readonly secret: string;
  /** Webhooks that were registered for it. */
  readonly webhookIds: readonly number[];
  /** Ends it and removes its webhooks. */
  close(): Promise<void>;
}
