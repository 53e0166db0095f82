import type { EidFailCode } from '../../../app/ports/index.ts';

/** What the results of sessions mean; `OK` is none of them. */
export const endResults: Readonly<Record<string, EidFailCode>> = {
  USER_REFUSED: 'userCancel',
  USER_REFUSED_INTERACTION: 'userCancel',
  USER_REFUSED_CERT_CHOICE: 'userCancel',
  USER_REFUSED_DISPLAYTEXTANDPIN: 'userCancel',
  USER_REFUSED_CONFIRMATIONMESSAGE: 'userCancel',
  USER_REFUSED_VC_CHOICE: 'userCancel',
  TIMEOUT: 'expiredTransaction',
  WRONG_VC: 'wrongVerificationCode',
  DOCUMENT_UNUSABLE: 'certificateErr',
  ACCOUNT_UNUSABLE: 'accountUnusable',
  REQUIRED_INTERACTION_NOT_SUPPORTED_BY_APP: 'appNotSupported',
  PROTOCOL_FAILURE: 'invalidResponse',
  EXPECTED_LINKED_SESSION: 'invalidResponse',
  SERVER_ERROR: 'providerUnavailable',
};

/** What the status of a refused start means; 5xx says that the service is not there. */
export const startStatuses: Readonly<Record<number, EidFailCode>> = {
  400: 'internalError',
  401: 'providerUnavailable',
  403: 'providerUnavailable',
  404: 'notAUser',
  // No account that fits, and an account that the person has to look after.
  471: 'notAUser',
  472: 'accountUnusable',
  // The version of the protocol is no longer served.
  480: 'internalError',
};

/** What the status of an answer about a session means; it is kept for some minutes. */
export const sessionStatuses: Readonly<Record<number, EidFailCode>> = {
  400: 'internalError',
  401: 'providerUnavailable',
  403: 'providerUnavailable',
  404: 'expiredTransaction',
  480: 'internalError',
};
