import type { EidFailCode } from '../../../app/ports/index.ts';

/** Meanings of the end results of sessions other than `OK`. */
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

/** Meanings of the statuses of a rejected start; 5xx means that the service is unavailable. */
export const startStatuses: Readonly<Record<number, EidFailCode>> = {
  400: 'internalError',
  401: 'providerUnavailable',
  403: 'providerUnavailable',
  404: 'notAUser',
  // No suitable account, and an account that requires action by the person.
  471: 'notAUser',
  472: 'accountUnusable',
  // The protocol version is no longer supported.
  480: 'internalError',
};

/** Meanings of the statuses of a session request; services retain a session for some minutes. */
export const sessionStatuses: Readonly<Record<number, EidFailCode>> = {
  400: 'internalError',
  401: 'providerUnavailable',
  403: 'providerUnavailable',
  404: 'expiredTransaction',
  480: 'internalError',
};
