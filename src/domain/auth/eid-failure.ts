/**
 * Reasons for which a session with an e-ID provider ends without an identity or signature. The
 * spelling is that of the hints that clients of the HTTP interface already use.
 */
export const eidFailCodes = [
  'userCancel',
  'userDeclinedCall',
  'expiredTransaction',
  'startFailed',
  'cancelled',
  'alreadyInProgress',
  'wrongVerificationCode',
  'certificateErr',
  'accountUnusable',
  'notAUser',
  'unreachable',
  'appNotSupported',
  'riskBlocked',
  'identityMismatch',
  'assuranceTooLow',
  'invalidResponse',
  'providerUnavailable',
  'internalError',
] as const;

/** One of {@link eidFailCodes}. */
export type EidFailCode = (typeof eidFailCodes)[number];

/** Returns a provider's code as it is stored and shown: at most 64 printable ASCII characters. */
export function plainProviderCode(code: string): string {
  return code.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}

/**
 * The provider refused, is unreachable or sent a response that its protocol does not permit. The
 * message is for operators: it contains no secret, no national number and no part of a response.
 */
export class EidError extends Error {
  override readonly name = 'EidError';
  readonly code: EidFailCode;
  /** Code of the provider as received, at most 64 printable characters. */
  readonly providerCode: string | undefined;

  constructor(code: EidFailCode, message: string, providerCode?: string) {
    super(message);
    this.code = code;
    this.providerCode = providerCode && plainProviderCode(providerCode);
  }
}
