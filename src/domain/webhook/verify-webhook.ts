import { defined } from '../../base/defined.ts';
import { attemptAny } from '../../base/errors.ts';
import { eventWindowMs, type SignatureVerdict, verifyEventSignature } from './event-signature.ts';
import { standardToleranceMs, verifyStandardSignature } from './standard-signature.ts';

/** A request as a receiver got it. */
export interface ReceivedWebhook {
  /** Names in any letter case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Bytes as they came, before any parsing. */
  readonly body: Uint8Array;
}

/** Secrets of the receiver, and the maximum age of a request. */
export interface WebhookSecrets {
  /** Standard Webhooks secrets, `whsec_…`; empty: the headers are not looked at. */
  readonly secrets: readonly string[];
  /** The webhookSignatureKey of the company; absent: `EventSignature` is not looked at. */
  readonly signatureKey?: string;
  readonly nowMs: number;
  /** True: any age, as for a request that was kept in a file. */
  readonly anyAge?: boolean;
}

/** Conclusion on a webhook request. */
export interface WebhookVerification {
  /** At least one signature could be checked, and all of those are valid. */
  readonly isValid: boolean;
  /** Headers over the whole body. */
  readonly standard?: SignatureVerdict;
  /** `EventSignature`, which says nothing of the rest of the body. */
  readonly published?: SignatureVerdict;
  /** `Id` and `EventType` of the payload, as far as it is one; not proven unless valid. */
  readonly eventId?: string;
  readonly eventType?: number;
}

/** Verifies both families of signatures of a request, as far as their secrets are known. */
export function verifyWebhook(
  { headers, body }: ReceivedWebhook,
  { secrets, signatureKey, nowMs, anyAge = false }: WebhookSecrets,
): WebhookVerification {
  const tolerance = anyAge ? {} : { toleranceMs: standardToleranceMs };
  const window = anyAge ? {} : { windowMs: eventWindowMs };
  const standard =
    secrets.length === 0
      ? undefined
      : verifyStandardSignature({ headers, body, secrets, nowMs, ...tolerance });
  const payload = parseJson(body);
  const published =
    signatureKey === undefined
      ? undefined
      : verifyEventSignature(payload, { signatureKey, nowMs, ...window });
  const verdicts = [standard, published].filter((each) => each !== undefined);
  const { Id: eventId, EventData: data } = asRecord(payload);
  const { EventType: eventType } = asRecord(data);
  return {
    isValid: verdicts.length > 0 && verdicts.every((each) => each.isValid),
    ...defined({ standard, published }),
    ...(typeof eventId === 'string' ? { eventId } : {}),
    ...(typeof eventType === 'number' ? { eventType } : {}),
  };
}

function parseJson(body: Uint8Array): unknown {
  return attemptAny(() => JSON.parse(Buffer.from(body).toString('utf8')));
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
