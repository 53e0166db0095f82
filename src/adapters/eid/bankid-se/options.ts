import type { EidAssurance } from '../../../app/ports/index.ts';

/** How BankID is asked, and what it has to answer. */
export interface BankidOptions {
  /** Base of the interface. Default: `https://appapi2.bankid.com/rp/v6.0/`, the live service. */
  readonly url?: string;
  /** Roots of BankID for that environment, DER: the only ones that its signatures may lead to. */
  readonly anchors: readonly Uint8Array[];
  /** True: signatures are of level `test`. Default: true for the address of the test service. */
  readonly isTest?: boolean;
  /** Object identifiers, of which the BankID has one. Default: any BankID. */
  readonly certificatePolicies?: readonly string[];
  /** True asks for the code where the app would take a fingerprint or face. Default: false. */
  readonly requiresPin?: boolean;
  /** True has the person read passport or identity card with the app. Default: false. */
  readonly requiresDocument?: boolean;
  /**
   * Level that identifications are given. Default: `substantial`, which public documentation does
   * not confirm for every kind of BankID.
   */
  readonly assurance?: EidAssurance;
  /** The certificate that is shown to BankID, DER: for the check of its period alone. */
  readonly clientCertificate?: Uint8Array;
  /** For one request, in milliseconds. Default: 10 000. */
  readonly timeoutMs?: number;
}

/** Base of the live service. */
export const liveUrl = 'https://appapi2.bankid.com/rp/v6.0/';
/** Host of the test service. */
export const testHost = 'appapi2.test.bankid.com';
