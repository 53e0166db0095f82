import type { EidFailCode } from '../../../app/ports/index.ts';

/**
 * Meanings of the provider's codes, according to its list of error codes. `mssp_` is the prefix of
 * the service for SIM cards. The codes of the app, `sapp_`, have no public list: those documented
 * in the contract can be set in the options, all others map to {@link unknownCode}.
 */
export const errorCodes: Readonly<Record<string, EidFailCode>> = {
  // Caused by the person or their SIM card.
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
  // Caused by the request: a parameter, its length, data, version or profile.
  mssp_101: 'internalError',
  mssp_102: 'internalError',
  mssp_103: 'internalError',
  mssp_107: 'internalError',
  mssp_108: 'internalError',
  mssp_109: 'internalError',
  // The client is not registered: its configuration is incorrect.
  mssp_104: 'providerUnavailable',
  audkenni_403: 'providerUnavailable',
  InvalidClientId: 'providerUnavailable',
  // Caused by the service.
  mssp_100: 'providerUnavailable',
  mssp_900: 'providerUnavailable',
};

/** Meaning of an app code that is not in the options. */
export const unknownCode: EidFailCode = 'internalError';

/** Error codes of OAuth and of CIBA. @spec CIBA Core §11, §13; RFC 6749 §5.2 */
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
