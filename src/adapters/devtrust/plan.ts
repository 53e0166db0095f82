import { readFileSync } from 'node:fs';
import { InnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';

/** Certificates of the development PKI, issuers before those they issue. */
export const memberNames = ['root', 'ca', 'seal-rsa', 'seal-ec', 'tsa', 'ocsp'] as const;

/** One of {@link memberNames}. */
export type MemberName = (typeof memberNames)[number];

/** The plan of one certificate. */
export interface MemberPlan {
  readonly commonName: string;
  readonly profile: 'root' | 'ca' | 'seal' | 'tsa' | 'ocsp';
  /** Absent for the root. */
  readonly issuer?: MemberName;
  readonly key: 'RSA-3072' | 'P-256' | 'P-384';
  readonly years: number;
}

/** The development PKI as certs/pki.json describes it. */
export interface TrustPlan {
  readonly organizationName: string;
  /** Hours between the start of validity and the time of issue: clocks differ. */
  readonly backdateHours: number;
  readonly certificates: Readonly<Record<MemberName, MemberPlan>>;
}

/** Folders to look upwards in: from source, build or bundle to the root of the package. */
const MAX_LEVELS = 6;

/**
 * The plan that ships with the package.
 *
 * @throws internal.unexpected when the package is incomplete
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
