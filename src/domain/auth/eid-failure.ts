/**
 * Reasons for which a session with an e-ID provider ends without an identity or signature. The
 * spelling is that of the hints which clients of the HTTP interface know.
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

/** A code of a provider as it is kept and shown: at most 64 printable characters of ASCII. */
export function plainProviderCode(code: string): string {
  return code.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}

/**
 * A provider that refuses, cannot be reached or answers what its protocol does not permit. The
 * message is for operators: it holds no secret, no national number and no part of an answer.
 */
export class EidError extends Error {
  override readonly name = 'EidError';
  readonly code: EidFailCode;
  /** Code of the provider as it was given, of at most 64 printable characters. */
  readonly providerCode: string | undefined;

  constructor(code: EidFailCode, message: string, providerCode?: string) {
    super(message);
    this.code = code;
    this.providerCode = providerCode && plainProviderCode(providerCode);
  }
}
