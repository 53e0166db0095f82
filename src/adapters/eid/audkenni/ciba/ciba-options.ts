import type { EidSigning } from '../../../../app/ports/index.ts';
import type { CommonOptions } from '../options.ts';

/** Options of the interface with a back channel, for one way to the person. */
export interface CibaOptions extends CommonOptions {
  /** One driver has one way, because signatures come back differently. */
  readonly channel: 'App' | 'Sim';
  /** RSA key of the client for requests, PEM; the provider has its public part. */
  readonly privateKey: string;
  /** Identifier of that key in the header of requests. Default: none. */
  readonly keyId?: string;
  /** Level of signatures that the contract promises. Default: `advanced`. */
  readonly level?: EidSigning['level'];
  /** Names of the ways, where the provider has changed them. */
  readonly acrValues?: Partial<Readonly<Record<'auth' | 'certificate' | 'sign', string>>>;
  /**
   * Claim that names the chosen certificate, by its document number, in the request for a
   * signature. Not confirmed by public documentation. Default: `login_hint`.
   */
  readonly certificateClaim?: string;
  /** Time for which a request may be taken. Default: 300 s. */
  readonly requestMs?: number;
}

/** What a session is for. */
export type CibaPurpose = 'auth' | 'certificate' | 'sign';

/** Names of the ways for each purpose; a SIM card has no certificate to choose. */
export const usualAcrValues = {
  App: {
    auth: 'app-auth',
    certificate: 'app-certificate-choice',
    sign: 'app-sign-with-certificate',
  },
  Sim: { auth: 'sim-auth', certificate: undefined, sign: 'sim-sign' },
} as const;
