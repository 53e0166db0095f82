import type { EidFailCode } from '../../../app/ports/index.ts';

/**
 * What the codes of the provider mean, as its list of error codes describes them. `mssp_` is the
 * service for SIM cards. The codes of the app, `sapp_`, have no public list: options name those
 * that the contract documents, all others are {@link unknownCode}.
 */
export const errorCodes: Readonly<Record<string, EidFailCode>> = {
  // The person, or their SIM card.
  mssp_401: 'userCancel',
  mssp_208: 'expiredTransaction',
  mssp_209: 'unreachable',
  mssp_402: 'accountUnusable',
  mssp_403: 'certificateErr',
  mssp_404: 'notAUser',
  mssp_105: 'notAUser',
  audkenni_400: 'notAUser',
  audkenni_404: 'notAUser',
  akreg_401: 'notAUser',
  // What was sent: a parameter, its length, data, version or profile.
  mssp_101: 'internalError',
  mssp_102: 'internalError',
  mssp_103: 'internalError',
  mssp_107: 'internalError',
  mssp_108: 'internalError',
  mssp_109: 'internalError',
  // The client is not known: its configuration is wrong.
  mssp_104: 'providerUnavailable',
  audkenni_403: 'providerUnavailable',
  InvalidClientId: 'providerUnavailable',
  // The service.
  mssp_100: 'providerUnavailable',
  mssp_900: 'providerUnavailable',
};

/** Meaning of a code of the app that nobody has named. */
export const unknownCode: EidFailCode = 'internalError';

/** Errors of OAuth and of back-channel authentication. @spec CIBA Core §11, §13; RFC 6749 §5.2 */
export const oauthErrors: Readonly<Record<string, EidFailCode>> = {
  access_denied: 'userCancel',
  expired_token: 'expiredTransaction',
  expired_login_hint_token: 'expiredTransaction',
  unknown_user_id: 'notAUser',
  invalid_binding_message: 'internalError',
  invalid_request: 'internalError',
  invalid_scope: 'internalError',
  invalid_grant: 'internalError',
  unsupported_grant_type: 'internalError',
  missing_user_code: 'internalError',
  invalid_client: 'providerUnavailable',
  unauthorized_client: 'providerUnavailable',
};
