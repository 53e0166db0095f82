import type { EidAssurance } from '../../../app/ports/index.ts';
import type { PathOptions } from '../revocation-request.ts';
import type { ProviderClient } from '../session.ts';
import type { ErrorCodeOptions } from './provider-error.ts';
import type { TokenAlgorithm } from './tokens/json-web-token.ts';

/** Options common to both interfaces of the provider. */
export interface CommonOptions extends PathOptions {
  /** Base URL of the contract, without a path: `https://….is`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Company on whose behalf the client sends requests. Default: the client itself. */
  readonly relatedParty?: string;
  /** Default: `<baseUrl>/sso/oauth2/realms/root/realms/audkenni`. */
  readonly issuer?: string;
  /** Signature algorithms of ID tokens. Default: RS256. */
  readonly idTokenAlgorithms?: readonly TokenAlgorithm[];
  /**
   * Level of assurance guaranteed by the contract, which public documentation does not confirm.
   * Default: `unknown`.
   */
  readonly assurance?: EidAssurance;
  /**
   * What a SIM card signs at a login: the hash that was sent, or the text that it displayed. Not
   * confirmed by public documentation. Default: `hash`.
   */
  readonly simSigns?: 'hash' | 'text';
  /** Whether the app shows three codes to choose from. Default: false. */
  readonly offersCodes?: boolean;
  /** Whether the app requests confirmation of the message. Default: false. */
  readonly confirmsMessage?: boolean;
  /** Meanings of error codes, mainly of `sapp_…`, which have no public list. */
  readonly errorCodes?: ErrorCodeOptions;
  /** Name of the scheme in evidence. Default: `audkenni-is`. */
  readonly scheme?: string;
  /** Maximum duration of a session. Default: 180 s. */
  readonly sessionMs?: number;
  /** Timeout of each request. Default: 10 s. */
  readonly timeoutMs?: number;
}

/** A client of either interface. */
export type AudkenniClient = ProviderClient<CommonOptions>;

/** Default of {@link CommonOptions.sessionMs}. */
export const usualSessionMs = 180_000;

/** Default of {@link CommonOptions.timeoutMs}. */
export const usualTimeoutMs = 10_000;

const REALM = 'realms/root/realms/audkenni';

interface Endpoints {
  readonly authenticate: string;
  readonly backchannel: string;
  readonly authorize: string;
  readonly token: string;
  readonly userInfo: string;
  readonly keys: string;
  readonly issuer: string;
}

/** The endpoints below the base URL of a contract. */
export function endpointsOf({ baseUrl, issuer }: CommonOptions): Endpoints {
  const base = baseUrl.replace(/\/+$/, '');
  const oauth = `${base}/sso/oauth2/${REALM}`;
  return {
    authenticate: `${base}/sso/json/${REALM}/authenticate`,
    backchannel: `${oauth}/bc-authorize`,
    authorize: `${oauth}/authorize`,
    token: `${oauth}/access_token`,
    userInfo: `${oauth}/userinfo`,
    keys: `${oauth}/connect/jwk_uri`,
    issuer: issuer ?? oauth,
  };
}

/** The `Authorization` header with identifier and secret of a client. @spec RFC 6749 §2.3.1 */
export function basicAuthorization(clientId: string, secret: string): { authorization: string } {
  const [user, password] = [clientId, secret].map((text) =>
    new URLSearchParams({ _: text }).toString().slice(2),
  );
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
