import type { EidDriver } from '../../app/ports/index.ts';

/**
 * Kind of a member in the configuration of a provider: a value as it stands, the path of a file
 * with a secret or key (written with `File` behind the name), an object of such paths by the names
 * of secrets (`Files`), paths of files with certificates, or an object of members.
 */
export type EidMember =
  | 'value'
  | 'secret'
  | 'secrets'
  | 'certificates'
  | 'certificate'
  | EidMembers;

/** Members by their names in the options of a driver. */
export interface EidMembers {
  readonly [name: string]: EidMember;
}

/** A driver that a configuration can name. */
export interface EidDriverEntry {
  readonly members: EidMembers;
  /** Members without a default. */
  readonly required: readonly string[];
  /** The driver, its module loaded now. Options are checked for their members only. */
  open(options: object): Promise<EidDriver>;
}

const bankid = {
  ...{ url: 'value', isTest: 'value', certificatePolicies: 'value', requiresPin: 'value' },
  ...{ requiresDocument: 'value', assurance: 'value', timeoutMs: 'value' },
  ...{ anchors: 'certificates', clientCertificate: 'certificate' },
} as const satisfies EidMembers;

const key = { pem: 'secret', keyId: 'value', algorithm: 'value' } as const;

const oidc = {
  ...{ profile: 'value', overrides: 'value', issuer: 'value', clientId: 'value' },
  clientAuthentication: { method: 'value', secret: 'secret', ...key },
  ...{ redirectUri: 'value', requestObjectKey: key, decryptionKey: key },
  ...{ idTokenAlgorithms: 'value', sessionSeconds: 'value' },
} as const satisfies EidMembers;

const audkenni = {
  ...{ baseUrl: 'value', clientId: 'value', clientSecret: 'secret', relatedParty: 'value' },
  ...{ anchors: 'certificates', intermediates: 'certificates', ocspUrl: 'value', issuer: 'value' },
  ...{
    revocation: 'value',
    idTokenAlgorithms: 'value',
    assurance: 'value',
    simSigns: 'value',
    offersCodes: 'value',
  },
  ...{ confirmsMessage: 'value', errorCodes: 'value', scheme: 'value' },
  ...{ sessionMs: 'value', timeoutMs: 'value' },
} as const satisfies EidMembers;

const audkenniRest = {
  ...audkenni,
  ...{ redirectUri: 'value', service: 'value', sessionCookie: 'value' },
  ...{ clientAuthentication: 'value', appTitle: 'value', prompts: 'value' },
} as const satisfies EidMembers;

const audkenniCiba = {
  ...audkenni,
  ...{ channel: 'value', privateKey: 'secret', keyId: 'value', level: 'value' },
  ...{ acrValues: 'value', certificateClaim: 'value', requestMs: 'value' },
} as const satisfies EidMembers;

const smartId = {
  ...{ baseUrl: 'value', schemeName: 'value', relyingPartyUuid: 'value' },
  ...{ relyingPartyName: 'value', brokeredRpName: 'value', certificateLevel: 'value' },
  ...{ anchors: 'certificates', intermediates: 'certificates', policies: 'value' },
  ...{ extendedKeyUsages: 'value', hashAlgorithm: 'value', ocspUrl: 'value', assurance: 'value' },
  ...{ revocation: 'value' },
  ...{ languages: 'value', scheme: 'value', longPollMs: 'value' },
  ...{ sessionMs: 'value', timeoutMs: 'value' },
} as const satisfies EidMembers;

const csc = {
  ...{ url: 'value', version: 'value', clientId: 'value', clientSecret: 'secret' },
  ...{ redirectUri: 'value', authorizationServer: 'value', issuer: 'value' },
  ...{ credentialId: 'value', anchors: 'certificates', authorization: 'value' },
  ...{ isPushed: 'value', authorizationValues: 'secrets', name: 'value' },
  ...{ clientAuthentication: 'value', access: 'value', delivery: 'value', level: 'value' },
  ...{ digest: 'value', rsaScheme: 'value', operationMode: 'value', conformanceLevel: 'value' },
  ...{ leastScal: 'value', assurance: 'value', pollingMember: 'value', sessionMs: 'value' },
  ...{ pollingMs: 'value', infoMs: 'value', timeoutMs: 'value' },
} as const satisfies EidMembers;

/** Drivers by the names under which a configuration knows them. */
export const eidDrivers: Readonly<Record<string, EidDriverEntry>> = {
  'bankid-se': {
    members: bankid,
    required: ['anchors'],
    open: async (options) => {
      const { bankidDriver } = await import('../../adapters/eid/bankid-se/index.ts');
      return bankidDriver(options as Parameters<typeof bankidDriver>[0]);
    },
  },
  'audkenni-rest': {
    members: audkenniRest,
    required: ['baseUrl', 'clientId', 'clientSecret', 'anchors', 'redirectUri'],
    open: async (options) => {
      const { audkenniRestDriver } = await import('../../adapters/eid/audkenni/index.ts');
      return audkenniRestDriver(options as Parameters<typeof audkenniRestDriver>[0]);
    },
  },
  'audkenni-ciba': {
    members: audkenniCiba,
    required: ['baseUrl', 'clientId', 'clientSecret', 'anchors', 'channel', 'privateKey'],
    open: async (options) => {
      const { audkenniCibaDriver } = await import('../../adapters/eid/audkenni/index.ts');
      return audkenniCibaDriver(options as Parameters<typeof audkenniCibaDriver>[0]);
    },
  },
  'smart-id': {
    members: smartId,
    required: ['baseUrl', 'schemeName', 'relyingPartyUuid', 'relyingPartyName', 'anchors'],
    open: async (options) => {
      const { smartIdDriver } = await import('../../adapters/eid/smart-id/index.ts');
      return smartIdDriver(options as Parameters<typeof smartIdDriver>[0]);
    },
  },
  csc: {
    members: csc,
    required: ['url', 'version', 'clientId', 'redirectUri', 'anchors'],
    open: async (options) => {
      const { cscDriver } = await import('../../adapters/eid/csc/index.ts');
      return cscDriver(options as Parameters<typeof cscDriver>[0]);
    },
  },
  oidc: {
    members: oidc,
    required: ['issuer', 'clientId', 'clientAuthentication'],
    open: async (options) => {
      const { oidcDriver } = await import('../../adapters/eid/oidc/index.ts');
      return oidcDriver(options as Parameters<typeof oidcDriver>[0]);
    },
  },
  'neb-ciba': {
    members: oidc,
    required: ['issuer', 'clientId', 'clientAuthentication'],
    open: async (options) => {
      const { nebCibaDriver } = await import('../../adapters/eid/oidc/index.ts');
      return nebCibaDriver(options as Parameters<typeof nebCibaDriver>[0]);
    },
  },
};
