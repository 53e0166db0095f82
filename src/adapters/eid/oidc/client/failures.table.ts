import type { EidFailCode } from '../../../../app/ports/index.ts';

/**
 * Failures by the error codes of the standards, as they stand in an address of return and in
 * answers of the endpoints.
 *
 * @spec RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core 1.0 §3.1.2.6, RFC 9101 §7,
 * OpenID Connect Core Error Code unmet_authentication_requirements 1.0
 */
export const oauthFailures: Readonly<Record<string, EidFailCode>> = {
  access_denied: 'userCancel',
  login_required: 'startFailed',
  interaction_required: 'startFailed',
  account_selection_required: 'startFailed',
  consent_required: 'startFailed',
  unmet_authentication_requirements: 'assuranceTooLow',
  // The code has expired, was redeemed before, or belongs to another session.
  invalid_grant: 'expiredTransaction',
  // CIBA Core 1.0 §11 and §13.
  expired_token: 'expiredTransaction',
  transaction_failed: 'startFailed',
  expired_login_hint_token: 'startFailed',
  unknown_user_id: 'notAUser',
  temporarily_unavailable: 'providerUnavailable',
  server_error: 'providerUnavailable',
};
