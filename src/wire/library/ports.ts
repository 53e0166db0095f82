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
  /** Opens an encrypted PDF: the user's password or the owner's. Default: none. */
  readonly password?: string;
}

/** What sealing and augmenting share. */
export interface LongTermOptions extends DocumentOptions {
  /** Makes the time-stamps; needed above level B-B. Default: none. */
  readonly timestampAuthority?: TimestampAuthority;
  /** Gives OCSP responses and CRLs; needed above level B-T. Default: none. */
  readonly revocation?: RevocationSource;
  /** Trust anchors; the time-stamp authority must lead to one of them. Default: none. */
  readonly trust?: readonly CertificateInput[];
  /** Further certificates for building paths. Default: none. */
  readonly certificates?: readonly CertificateInput[];
  /** Clock. Default: that of the system. */
  readonly now?: () => Date;
  /** Gives `count` unpredictable bytes. Default: those of the system. */
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
