import { readFileSync } from 'node:fs';
import { InnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';

/** Names of the certificates of the development PKI, issuers before the certificates they issue. */
export const memberNames = ['root', 'ca', 'seal-rsa', 'seal-ec', 'tsa', 'ocsp'] as const;

/** One of {@link memberNames}. */
export type MemberName = (typeof memberNames)[number];

/** Plan of one certificate. */
export interface MemberPlan {
  readonly commonName: string;
  readonly profile: 'root' | 'ca' | 'seal' | 'tsa' | 'ocsp';
  /** Absent for the root. */
  readonly issuer?: MemberName;
  readonly key: 'RSA-3072' | 'P-256' | 'P-384';
  readonly years: number;
}

/** The development PKI as described by certs/pki.json. */
export interface TrustPlan {
  readonly organizationName: string;
  /** Hours by which the start of validity precedes the time of issue, because clocks differ. */
  readonly backdateHours: number;
  readonly certificates: Readonly<Record<MemberName, MemberPlan>>;
}

/** Number of parent folders to search: from the source, build or bundle to the package root. */
const MAX_LEVELS = 6;

/**
 * Reads the plan that ships with the package.
 *
 * @throws internal.unexpected if the package is incomplete
 */
export function readTrustPlan(): TrustPlan {
  let folder = new URL('./', import.meta.url);
  for (let level = 0; level < MAX_LEVELS; level++) {
    try {
      return JSON.parse(readFileSync(new URL('certs/pki.json', folder), 'utf8')) as TrustPlan;
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
    folder = new URL('../', folder);
  }
  throw new InnsigliError('internal.unexpected', 'certs/pki.json is missing from the package', {
    hint: 'reinstall the package',
  });
}
