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

/** Dependencies of the webhook operations. */
export interface WebhookPorts extends DeliverPorts, RecordPorts {
  /** Addresses open to webhooks besides the public internet, by the rules of the transport. */
  readonly addresses: AddressRules;
  /** Opens the receiver of `listen`. */
  readonly openReceiver: OpenReceiver;
  /** Forwards requests received by `listen` to a URL given by the user of this machine. */
  readonly forwarder: WebhookTransport;
}

/** Opens a receiver of POST requests on this machine. */
type OpenReceiver = (options: {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly bodyBytesMax: number;
  /** Handles a request and returns the status of the response. */
  handle(request: ReceivedWebhook): Promise<number>;
}) => Promise<{ readonly url: string; close(): Promise<void> }>;

/** A webhook without its secrets. */
export interface WebhookView extends Omit<Webhook, 'secrets'> {
  /** 2 while a new and an old secret overlap. */
  readonly secretCount: number;
}

/** A webhook with its newly generated secret, which is later returned only on request. */
export interface WebhookWithSecret {
  readonly webhook: WebhookView;
  readonly secret: string;
}

/** Request for a new webhook. */
export interface CreateWebhook {
  readonly flowKey: FlowKey;
  /** Name of the event type, case-insensitive. `NotSet` is rejected. */
  readonly type: string;
  readonly url: string;
  /** Default: `published`. */
  readonly schedule?: Webhook['schedule'];
  readonly isOrdered?: boolean;
  readonly isActive?: boolean;
  /** `whsec_…`, chosen by the owner. Default: a generated one. */
  readonly secret?: string;
}

/** Changeable members of a webhook. Switching it on closes its circuit breaker. */
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
  /** Maximum number, 1 to 1000. Default: 50. */
  readonly take?: number;
}

/** A delivery with the event that it delivers. */
export interface DeliveryView extends WebhookDelivery {
  readonly eventType?: WebhookType;
  readonly seq?: number;
}

/** One delivery, or all dead deliveries of a webhook. */
export type ReplayRequest =
  | { readonly deliveryId: string }
  | { readonly webhookId: number; readonly sinceMs?: number };

/** Request for a synthetic event. */
export interface TriggerRequest {
  readonly type: string;
  readonly flowKey: FlowKey;
  /** Only this webhook. Default: all active webhooks of the flow and type. */
  readonly webhookId?: number;
}

/** Result of one attempt to deliver a synthetic event. */
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
  /** Event types. Default: all. */
  readonly types?: readonly string[];
  /** `whsec_…`. Default: a generated one. */
  readonly secret?: string;
  readonly skipVerify?: boolean;
  /** URL to which each request's body is forwarded unchanged. Its response's status is returned. */
  readonly forwardTo?: string;
}

/** A received request. */
export interface HeardEvent {
  readonly atMs: number;
  readonly verification: WebhookVerification;
  readonly type?: WebhookType;
  /** Value of the `webhook-attempt` header. */
  readonly attempt?: string;
  readonly lengthBytes: number;
  /** Status of the response. */
  readonly answered: number;
  /** The parsed payload, with the document replaced by its length. */
  readonly payload: unknown;
}

/** A running receiver. */
export interface WebhookListener {
  readonly url: string;
  readonly secret: string;
  /** IDs of the webhooks registered for it. */
  readonly webhookIds: readonly number[];
  /** Closes the receiver and removes its webhooks. */
  close(): Promise<void>;
}
