import type {
  BankidOptions,
  CibaOptions,
  CommonOptions,
  CscOptions,
  OidcOptions,
  RestOptions,
  SmartIdOptions,
} from '../../adapters/eid/index.ts';
import type { EidDriver } from '../../app/ports/index.ts';

/**
 * Kind of a member in the configuration of a provider: a plain value, the path of a file with a
 * secret or key (`File` is appended to the name), an object of such paths by the names of secrets
 * (`Files`), paths of files with certificates, or an object of members.
 */
export type EidMember =
  | 'value'
  | 'secret'
  | 'secrets'
  | 'certificates'
  | 'certificate'
  | EidMembers;

/** Members by option name of the driver. */
export interface EidMembers {
  readonly [name: string]: EidMember;
}

/** A driver that a configuration can select. */
export interface EidDriverEntry {
  readonly members: EidMembers;
  /** Members without a default. */
  readonly required: readonly string[];
  /** Loads the module and opens the driver. Only the members of the options are checked. */
  open(options: object): Promise<EidDriver>;
}

/** Requires a member for each option of a driver: the type check reports a missing one. */
type MembersOf<Options> = { readonly [Name in keyof Options]-?: EidMember };

function values<const Name extends string>(...names: readonly Name[]) {
  const members = Object.fromEntries(names.map((name) => [name, 'value']));
  return members as { readonly [name in Name]: 'value' };
}

const bankid = {
  ...values('url', 'isTest', 'certificatePolicies', 'requiresPin', 'requiresDocument'),
  ...values('assurance', 'timeoutMs'),
  ...{ anchors: 'certificates', clientCertificate: 'certificate' },
} as const satisfies MembersOf<BankidOptions>;

const key = { pem: 'secret', ...values('keyId', 'algorithm') } as const;
const oidc = {
  ...values('profile', 'overrides', 'issuer', 'clientId'),
  clientAuthentication: { method: 'value', secret: 'secret', ...key },
  ...{ redirectUri: 'value', requestObjectKey: key, decryptionKey: key },
  ...values('idTokenAlgorithms', 'sessionSeconds'),
} as const satisfies MembersOf<OidcOptions>;

const audkenni = {
  ...{ ...values('baseUrl', 'clientId'), clientSecret: 'secret', relatedParty: 'value' },
  ...{ anchors: 'certificates', intermediates: 'certificates', ...values('ocspUrl', 'issuer') },
  ...values('revocation', 'idTokenAlgorithms', 'assurance', 'simSigns', 'offersCodes'),
  ...values('confirmsMessage', 'errorCodes', 'scheme', 'sessionMs', 'timeoutMs'),
} as const satisfies MembersOf<CommonOptions>;

const audkenniRest = {
  ...audkenni,
  ...values('redirectUri', 'service', 'sessionCookie', 'clientAuthentication', 'appTitle'),
  ...values('prompts'),
} as const satisfies MembersOf<RestOptions>;

const audkenniCiba = {
  ...audkenni,
  ...{ channel: 'value', privateKey: 'secret' },
  ...values('keyId', 'level', 'acrValues', 'certificateClaim', 'requestMs'),
} as const satisfies MembersOf<CibaOptions>;

const smartId = {
  ...values('baseUrl', 'schemeName', 'relyingPartyUuid', 'relyingPartyName', 'brokeredRpName'),
  ...{ certificateLevel: 'value', anchors: 'certificates', intermediates: 'certificates' },
  ...values('policies', 'extendedKeyUsages', 'hashAlgorithm', 'ocspUrl', 'assurance'),
  ...values('revocation', 'languages', 'scheme', 'longPollMs', 'sessionMs', 'timeoutMs'),
} as const satisfies MembersOf<SmartIdOptions>;

const csc = {
  ...{ ...values('url', 'version', 'clientId'), clientSecret: 'secret' },
  ...values('redirectUri', 'authorizationServer', 'issuer', 'credentialId'),
  ...{ anchors: 'certificates', ...values('authorization', 'isPushed') },
  ...{ authorizationValues: 'secrets', ...values('name', 'clientAuthentication', 'access') },
  ...values('delivery', 'level', 'digest', 'rsaPadding', 'operationMode', 'conformanceLevel'),
  ...values('leastScal', 'assurance', 'pollingMember', 'sessionMs', 'pollingMs', 'infoMs'),
  ...values('timeoutMs'),
} as const satisfies MembersOf<CscOptions>;

function entry<Options extends object>(
  members: EidMembers,
  required: readonly (keyof Options & string)[],
  load: () => Promise<(options: Options) => EidDriver>,
): EidDriverEntry {
  return { members, required, open: async (options) => (await load())(options as Options) };
}

/** Drivers by their names in a configuration. */
export const eidDrivers: Readonly<Record<string, EidDriverEntry>> = {
  'bankid-se': entry(
    bankid,
    ['anchors'],
    async () => (await import('../../adapters/eid/bankid-se/index.ts')).bankidDriver,
  ),
  'audkenni-rest': entry(
    audkenniRest,
    ['baseUrl', 'clientId', 'clientSecret', 'anchors', 'redirectUri'],
    async () => (await import('../../adapters/eid/audkenni/index.ts')).audkenniRestDriver,
  ),
  'audkenni-ciba': entry(
    audkenniCiba,
    ['baseUrl', 'clientId', 'clientSecret', 'anchors', 'channel', 'privateKey'],
    async () => (await import('../../adapters/eid/audkenni/index.ts')).audkenniCibaDriver,
  ),
  'smart-id': entry(
    smartId,
    ['baseUrl', 'schemeName', 'relyingPartyUuid', 'relyingPartyName', 'anchors'],
    async () => (await import('../../adapters/eid/smart-id/index.ts')).smartIdDriver,
  ),
  csc: entry(
    csc,
    ['url', 'version', 'clientId', 'redirectUri', 'anchors'],
    async () => (await import('../../adapters/eid/csc/index.ts')).cscDriver,
  ),
  oidc: entry(
    oidc,
    ['issuer', 'clientId', 'clientAuthentication'],
    async () => (await import('../../adapters/eid/oidc/index.ts')).oidcDriver,
  ),
  'neb-ciba': entry(
    oidc,
    ['issuer', 'clientId', 'clientAuthentication'],
    async () => (await import('../../adapters/eid/oidc/index.ts')).nebCibaDriver,
  ),
};
