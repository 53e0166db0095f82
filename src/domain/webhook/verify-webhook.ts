import { defined } from '../../base/defined.ts';
import { attemptAny } from '../../base/errors.ts';
import { eventWindowMs, type SignatureVerdict, verifyEventSignature } from './event-signature.ts';
import { standardToleranceMs, verifyStandardSignature } from './standard-signature.ts';

/** A request as received. */
export interface ReceivedWebhook {
  /** Header names are case-insensitive. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Bytes as received, before any parsing. */
  readonly body: Uint8Array;
}

/** Secrets of the receiver, and the maximum age of a request. */
export interface WebhookSecrets {
  /** Standard Webhooks secrets, `whsec_…`. Empty: the headers are not verified. */
  readonly secrets: readonly string[];
  /** The webhookSignatureKey of the company. Absent: `EventSignature` is not verified. */
  readonly signatureKey?: string;
  readonly nowMs: number;
  /** True: accept any age, for example for a request stored in a file. */
  readonly anyAge?: boolean;
}

/** Result of the verification of a webhook request. */
export interface WebhookVerification {
  /** At least one signature could be verified, and every verified one is valid. */
  readonly isValid: boolean;
  /** Result for the headers, which cover the whole body. */
  readonly standard?: SignatureVerdict;
  /** Result for `EventSignature`, which says nothing about the rest of the body. */
  readonly published?: SignatureVerdict;
  /** `Id` and `EventType` of the payload, if present; authentic only if valid. */
  readonly eventId?: string;
  readonly eventType?: number;
}

/** Verifies both kinds of signatures of a request, if the secret is given. */
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
