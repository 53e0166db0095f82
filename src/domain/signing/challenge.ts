import type { ProcessKey, SigneeKey } from '../keys.ts';

/**
 * A signature or login that waits for an answer of a person: a one-time code, or a session of an
 * e-ID provider.
 */
export interface Challenge {
  /** Unpredictable; what the client polls with. */
  readonly token: string;
  readonly kind: 'code' | 'eid-sign' | 'eid-auth' | 'click';
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
  /** HMAC of the one-time code, hexadecimal. */
  readonly codeHash?: string;
  readonly tries: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Fencing token of the lease that it holds. */
  readonly leaseToken?: number;
  /** Reference of the provider. */
  readonly providerRef?: string;
  /** Name of the provider. */
  readonly provider?: string;
  /** Time that has to pass between two polls. */
  readonly pollingMs?: number;
  readonly state: 'waiting' | 'done' | 'failed' | 'expired';
  readonly failureCode?: string;
}
