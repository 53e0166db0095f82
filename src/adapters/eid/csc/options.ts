import type { EidAssurance, EidDigest, EidSigning } from '../../../app/ports/index.ts';
import { EidError } from '../../../app/ports/index.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { type CscDialect, type CscVersion, dialects } from './protocol.table.ts';

/** Contract with a provider of the CSC API. */
export interface CscContract {
  /** Base URL of the methods: `https://provider.example/csc/v2`. */
  readonly url: string;
  readonly version: CscVersion;
  readonly clientId: string;
  /** If absent, the client is a public client. */
  readonly clientSecret?: string;
  /** Registered redirect URI. */
  readonly redirectUri: string;
  /** Base URL of `oauth2/…`. Default: the one stated by `info`. */
  readonly authorizationServer?: string;
  /** Expected `iss` of the authorization response. If absent, it is not checked. @spec RFC 9207 */
  readonly issuer?: string;
  /** If absent, the only credential listed is used. */
  readonly credentialId?: string;
  /** Trust anchors of the provider's certificates, DER. */
  readonly anchors: readonly Uint8Array[];
  /** How the digest is passed in the authorization request. Default: `details` where supported. */
  readonly authorization?: 'scope' | 'details';
  /** Whether authorization requests are pushed. Default: true if `info` lists it. @spec RFC 9126 */
  readonly isPushed?: boolean;
  /** Secret values of the objects for explicit authorization, by their `id`. */
  readonly authorizationValues?: Readonly<Record<string, string>>;
}

/** Options with a default. */
export interface CscChoices {
  /** Name in evidence and messages. Default: `csc`. */
  readonly name: string;
  /** How the secret is sent in token requests. Default: `post`, in the body. */
  readonly clientAuthentication: 'post' | 'basic';
  /**
   * Whose credentials the scope `service` opens. `client`: those of the contract, with client
   * credentials; certificates are looked up. `person`: those of the person who logs in for it;
   * certificates require a separate session. Default: `client`.
   */
  readonly access: 'client' | 'person';
  /** `raw`: signHash; `cms`: signDoc with the digest of the document. Default: `raw`. */
  readonly delivery: 'raw' | 'cms';
  /** Level of signatures guaranteed by the contract. Default: `test`. */
  readonly level: EidSigning['level'];
  /** Digest algorithm. Default: `sha256`. */
  readonly digest: EidDigest;
  /** Padding of RSA signatures. Default: `pkcs1`. */
  readonly rsaPadding: 'pkcs1' | 'pss';
  /** Operation mode: synchronous or asynchronous. Default: `S`. */
  readonly operationMode: 'S' | 'A';
  /** Conformance level of `cms`. Default: `AdES-B-B`. */
  readonly conformanceLevel: 'AdES-B-B' | 'AdES-B-T';
  /** Minimum sole control assurance level (SCAL) of a credential. Default: `2`. */
  readonly leastScal: '1' | '2';
  /** Level of assurance of the identity stated by a certificate. Default: `unknown`. */
  readonly assurance: EidAssurance;
  /**
   * Name of the member that passes the `responseID` to signPolling. Not confirmed by public
   * documentation. Default: `requestID`, which public clients send.
   */
  readonly pollingMember: 'requestID' | 'responseID';
  /** Maximum duration of a session. Default: 300 s. */
  readonly sessionMs: number;
  /** Interval between polls. Default: 2 s. */
  readonly pollingMs: number;
  /** Time for which a response of `info` is cached. Default: 24 hours. */
  readonly infoMs: number;
  /** Timeout of one request. Default: 20 s. */
  readonly timeoutMs: number;
}

/** Options of the driver: the contract, and choices that override the defaults. */
export type CscOptions = CscContract & Partial<CscChoices>;

/** Options with defaults applied. */
export interface CscSettings extends CscContract, CscChoices {
  readonly dialect: CscDialect;
}

/** @throws EidError `internalError` if options contradict each other */
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
