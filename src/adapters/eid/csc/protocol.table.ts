import type { EidFailCode } from '../../../app/ports/index.ts';

/** Versions of the CSC API that the driver supports. */
export type CscVersion = '2.0' | '2.2';

/** Differences between the versions. */
export interface CscDialect {
  /** Prefix of `specs` in the response of `info`. */
  readonly specs: string;
  /** `type` of the authorization details of a credential. @spec RFC 9396 §2 */
  readonly detailsType: string;
  /** Whether the authorization details state the number of signatures. */
  readonly hasDetailsCount: boolean;
  /**
   * `hashType` of a digest in the authorization details: of the data to be signed, or of the
   * document. Absent if the version has no such member. Values not confirmed by the public text.
   */
  readonly hashTypes?: { readonly raw: string; readonly cms: string };
}

/** The dialect of each version. */
export const dialects: Readonly<Record<CscVersion, CscDialect>> = {
  '2.0': { specs: '2.0', detailsType: 'credential', hasDetailsCount: false },
  '2.2': {
    specs: '2.2',
    detailsType: 'https://cloudsignatureconsortium.org/2025/credential',
    hasDetailsCount: true,
    hashTypes: { raw: 'dtbsr', cms: 'sodr' },
  },
};

/**
 * Meaning of each error code for a person and their session. Any other code is `internalError`: the
 * provider rejects a request because of the configuration.
 *
 * @spec RFC 6749 §4.1.2.1, §5.2; RFC 6750 §3.1; CSC API §10.1
 */
export const failCodes: ReadonlyMap<string, EidFailCode> = new Map([
  ['access_denied', 'userCancel'],
  ['consent_required', 'userCancel'],
  ['interaction_required', 'userCancel'],
  ['login_required', 'userCancel'],
  ['expired_token', 'expiredTransaction'],
  ['invalid_grant', 'expiredTransaction'],
  ['invalid_token', 'expiredTransaction'],
  ['invalid_otp', 'accountUnusable'],
  ['invalid_pin', 'accountUnusable'],
  ['server_error', 'providerUnavailable'],
  ['temporarily_unavailable', 'providerUnavailable'],
]);
