import type { CompanyKey } from '../keys.ts';
import type { SigneeIdentity } from '../person/index.ts';

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
}

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
}

/** A person of a company. */
export interface CompanyUser {
  readonly companyKey: CompanyKey;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly createdAtMs: number;
}
