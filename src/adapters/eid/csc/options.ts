import type { EidAssurance, EidDigest, EidSigning } from '../../../app/ports/index.ts';
import { EidError } from '../../../app/ports/index.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { type CscDialect, type CscVersion, dialects } from './protocol.table.ts';

/** Contract with a provider of the CSC API. */
export interface CscContract {
  /** Address below which the methods are: `https://provider.example/csc/v2`. */
  readonly url: string;
  readonly version: CscVersion;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string;
  /** Registered address to which persons come back. */
  readonly redirectUri: string;
  /** Base of `oauth2/…`; default: what `info` states. */
  readonly authorizationServer?: string;
  /** Expected `iss` of the way back; absent: it is not looked at. @spec RFC 9207 */
  readonly issuer?: string;
  /** Absent: the only one of the list. */
  readonly credentialId?: string;
  /** Roots of the certificates of the provider, DER. */
  readonly anchors: readonly Uint8Array[];
  /** How the digest gets into the authorization; default: `details` where they are supported. */
  readonly authorization?: 'scope' | 'details';
  /** Push authorization requests; default: where `info` names the method. @spec RFC 9126 */
  readonly isPushed?: boolean;
  /** Values of the objects of explicit authorization, by their `id`: secrets. */
  readonly authorizationValues?: Readonly<Record<string, string>>;
}

/** What has a default. */
export interface CscChoices {
  /** Name in evidence and messages; default `csc`. */
  readonly name: string;
  /** Where the secret goes in requests for tokens; default `post`: into the body. */
  readonly clientAuthentication: 'post' | 'basic';
  /**
   * Whose credentials the scope `service` opens. `client`: those of the contract, by client
   * credentials; certificates are looked up. `person`: those of the person who logs in for it;
   * certificates come by a session of their own. Default `client`.
   */
  readonly access: 'client' | 'person';
  /** `raw`: signHash; `cms`: signDoc with the digest of the document. Default `raw`. */
  readonly delivery: 'raw' | 'cms';
  /** What the contract promises; default `test`. */
  readonly level: EidSigning['level'];
  /** Default `sha256`. */
  readonly digest: EidDigest;
  /** Padding of RSA signatures; default `pkcs1`. */
  readonly rsaPadding: 'pkcs1' | 'pss';
  /** Mode of operation: synchronous or asynchronous; default `S`. */
  readonly operationMode: 'S' | 'A';
  /** Conformance level of `cms`; default `AdES-B-B`. */
  readonly conformanceLevel: 'AdES-B-B' | 'AdES-B-T';
  /** Least sole control assurance level of a credential; default `2`. */
  readonly leastScal: '1' | '2';
  /** Level of the identity that a certificate states; default `unknown`. */
  readonly assurance: EidAssurance;
  /**
   * Name of the member in which signPolling is given the `responseID`. Not confirmed by public
   * documentation; default `requestID`, which public clients send.
   */
  readonly pollingMember: 'requestID' | 'responseID';
  /** Time that a person has; default 300 s. */
  readonly sessionMs: number;
  /** Default 2 s. */
  readonly pollingMs: number;
  /** How long an answer of `info` counts; default 24 hours. */
  readonly infoMs: number;
  /** Bound of one request; default 20 s. */
  readonly timeoutMs: number;
}

/** Options of the driver: the contract, and choices that differ from their defaults. */
export type CscOptions = CscContract & Partial<CscChoices>;

/** Options with their defaults. */
export interface CscSettings extends CscContract, CscChoices {
  readonly dialect: CscDialect;
}

/** @throws EidError `internalError` when options contradict each other */
export function settingsOf(options: CscOptions): CscSettings {
  const settings: CscSettings = {
    name: 'csc',
    access: 'client',
    assurance: 'unknown',
    clientAuthentication: 'post',
    conformanceLevel: 'AdES-B-B',
    delivery: 'raw',
    digest: 'sha256',
    infoMs: 24 * 3_600_000,
    leastScal: '2',
    level: 'test',
    operationMode: 'S',
    pollingMember: 'requestID',
    pollingMs: 2_000,
    rsaPadding: 'pkcs1',
    sessionMs: 300_000,
    timeoutMs: 20_000,
    ...options,
    url: options.url.replace(/\/+$/, ''),
    dialect: dialects[options.version],
  };
  for (const [name, url] of Object.entries(addressesOf(settings))) {
    if (!isUrl(url)) throw fault(`option ${name}: expected an absolute URL`);
  }
  if (settings.dialect === undefined) throw fault('option version: expected 2.0 or 2.2');
  if (settings.anchors.length === 0) throw fault('option anchors: expected a certificate');
  if (settings.clientId === '') throw fault('option clientId: expected an identifier');
  if (settings.access === 'client' && settings.clientSecret === undefined) {
    throw fault('access client: expected option clientSecret');
  }
  if (settings.access === 'person' && settings.delivery === 'cms') {
    throw fault('delivery cms: expected access client, found person');
  }
  return settings;
}

function addressesOf({ url, redirectUri, authorizationServer }: CscSettings) {
  return { url, redirectUri, ...(authorizationServer && { authorizationServer }) };
}

function fault(message: string): EidError {
  return new EidError('internalError', message);
}
