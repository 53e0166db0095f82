import { randomBytes } from 'node:crypto';
import { InnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { RevocationSource, TimestampAuthority } from '../../seal/ports.ts';
import { readCertificates } from '../files/read-certificates.ts';
import { takeAuthority, takeClock, takeRandom, takeRevocation } from './take-ports.ts';

/** Certificates as PEM text, PEM or DER bytes; a PEM value may hold several. */
export type CertificateInput = string | Uint8Array;

/** What every use of a document can need. */
export interface DocumentOptions {
  /** Opens an encrypted document: the user's password or the owner's. */
  readonly password?: string;
}

/** What archiving and sealing share. */
export interface LongTermOptions extends DocumentOptions {
  /** Makes the time-stamps; needed above level B-B. */
  readonly timestampAuthority?: TimestampAuthority;
  /** Gives OCSP responses and CRLs; needed above level B-T. */
  readonly revocation?: RevocationSource;
  /** Trust anchors. The time-stamp authority must lead to one of them. */
  readonly trust?: readonly CertificateInput[];
  /** Further certificates for building paths. */
  readonly certificates?: readonly CertificateInput[];
  /** Clock; the system's when left out. */
  readonly now?: () => Date;
  /** Source of `count` unpredictable bytes; the system's when left out. */
  readonly random?: (count: number) => Uint8Array;
}

/** B-LTA when all that it needs is there. @throws usage.invalid */
export function defaultLevel(options: LongTermOptions): SealLevel {
  if (options.timestampAuthority !== undefined && options.revocation !== undefined) return 'B-LTA';
  throw new InnsigliError('usage.invalid', 'B-LTA needs timestampAuthority and revocation', {
    hint: "give both, or choose a lower level: { level: 'B-B' }",
  });
}

/** The ports that the options name, taken. @throws usage.invalid */
export function portsOf(options: LongTermOptions) {
  const { timestampAuthority, revocation, now, random } = options;
  return {
    anchors: certificatesOf(options.trust),
    certificates: certificatesOf(options.certificates).map(({ der }) => der),
    now: takeClock(now),
    random: random === undefined ? randomBytes : takeRandom(random),
    authority: timestampAuthority === undefined ? undefined : takeAuthority(timestampAuthority),
    revocation: revocation === undefined ? undefined : takeRevocation(revocation),
  };
}

const known = new WeakMap<readonly CertificateInput[], readonly Certificate[]>();

/** The certificates, parsed once for each array that was taken. */
export function certificatesOf(
  inputs: readonly CertificateInput[] | undefined,
): readonly Certificate[] {
  if (inputs === undefined) return [];
  let certificates = known.get(inputs);
  if (certificates === undefined) {
    certificates = inputs.flatMap(readCertificates);
    known.set(inputs, certificates);
  }
  return certificates;
}
