import type { EidDriver } from '../../app/ports/index.ts';

/**
 * Kind of a member in the configuration of a provider: a value as it stands, the path of a file
 * with a secret or key (written with `File` behind the name), paths of files with certificates, or
 * an object of such members.
 */
export type EidMember = 'value' | 'secret' | 'certificates' | 'certificate' | EidMembers;

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
