import { createHmac } from 'node:crypto';

/** Tokens of an order that has begun. */
export interface StartTokens {
  readonly autoStartToken: string;
  readonly qrStartToken: string;
  /** Never leaves the service. */
  readonly qrStartSecret: string;
}

/**
 * Text of the QR code of this second. The key of the HMAC is the secret as it is written, hyphens
 * included.
 *
 * @param elapsedMs since the order was answered; a code of another second is not accepted
 */
export function qrText({ qrStartToken, qrStartSecret }: StartTokens, elapsedMs: number): string {
  const seconds = String(Math.max(0, Math.floor(elapsedMs / 1000)));
  const code = createHmac('sha256', qrStartSecret).update(seconds).digest('hex');
  return `bankid.${qrStartToken}.${seconds}.${code}`;
}

/**
 * Link that opens the app on the same device. The address to come back to is a part of the order,
 * so that the link says `null`; the order of its parameters is a part of the protocol.
 */
export function sameDeviceLink({ autoStartToken }: StartTokens): string {
  return `https://app.bankid.com/?autostarttoken=${autoStartToken}&redirect=null`;
}
