import type { EidAssurance } from '../../../app/ports/index.ts';

/** Options of the BankID driver. */
export interface BankidOptions {
  /** Base URL. Default: `https://appapi2.bankid.com/rp/v6.0/`, the production service. */
  readonly url?: string;
  /** Roots of BankID for that environment, DER: the only trust anchors accepted. */
  readonly anchors: readonly Uint8Array[];
  /** If true, signatures have level `test`. Default: true for the URL of the test service. */
  readonly isTest?: boolean;
  /** Object identifiers, at least one of which the BankID must have. Default: any BankID. */
  readonly certificatePolicies?: readonly string[];
  /** Whether the app must request the code where it would accept biometrics. Default: false. */
  readonly requiresPin?: boolean;
  /** Whether the person must scan a passport or identity card with the app. Default: false. */
  readonly requiresDocument?: boolean;
  /**
   * Level of assurance of identifications. Default: `substantial`, which public documentation does
   * not confirm for every kind of BankID.
   */
  readonly assurance?: EidAssurance;
  /** Client certificate presented to BankID, DER; used only to check its validity period. */
  readonly clientCertificate?: Uint8Array;
  /** Timeout of one request in milliseconds. Default: 10 000. */
  readonly timeoutMs?: number;
}

/** Base URL of the production service. */
export const liveUrl = 'https://appapi2.bankid.com/rp/v6.0/';
/** Host of the test service. */
export const testHost = 'appapi2.test.bankid.com';
