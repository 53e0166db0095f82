import type { CompanyKey } from '../keys.ts';
import type { SigneeIdentity } from '../person/index.ts';
import type { Quotas } from './quotas.ts';

/** A company whose documents are signed; everything else belongs to one. */
export interface Company {
  readonly key: CompanyKey;
  readonly name: string;
  /** National number of the company. */
  readonly ssn?: string;
  readonly createdAtMs: number;
  /** After this no new processes are taken; absent: no trial. */
  readonly trialEndsAtMs?: number;
  /** Who may log in as a signee of whom no number is known, where the flow does not say. */
  readonly signeeIdentity?: SigneeIdentity;
  /** Whose clocks evidence and mails go by, where the flow does not say: an IANA name. */
  readonly timeZone?: string;
  /** Where they are not the usual ones. */
  readonly quotas?: Partial<Quotas>;
}

/** What an API key may do: sign and seal, read, change settings, screen persons. */
export const apiKeyScopes = ['sign', 'read', 'manage', 'screen'] as const;

/** One of {@link apiKeyScopes}. */
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** A key with which a program speaks for a company; the key itself is nowhere stored. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly companyKey: CompanyKey;
  /** SHA-256 of the key, hexadecimal. */
  readonly sha256: string;
  /** What it is for, in the words of its owner. */
  readonly label: string;
  readonly createdAtMs: number;
  readonly revokedAtMs?: number;
  /** What it may do; absent: everything. */
  readonly scopes?: readonly ApiKeyScope[];
  /** From then on it is worth nothing; absent: until it is revoked. */
  readonly expiresAtMs?: number;
}

/** A person of a company. */
export interface CompanyUser {
  readonly companyKey: CompanyKey;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly createdAtMs: number;
}
