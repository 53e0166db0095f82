import { InnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { RevocationSource, TimestampAuthority } from '../../seal/ports.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import { readCertificates } from '../files/read-certificates.ts';
import { takeAuthority, takeClock, takeRandom, takeRevocation } from './take-ports.ts';

/** Certificates as PEM text, PEM or DER bytes; a PEM value may hold several. */
export type CertificateInput = string | Uint8Array;

/** Options of every use of a document. */
export interface DocumentOptions {
  /** Opens an encrypted PDF: the user's password or the owner's. Default: none. */
  readonly password?: string;
}

/** Options that sealing and augmenting share. */
export interface LongTermOptions extends DocumentOptions {
  /** Makes the time-stamps; needed above level B-B. Default: none. */
  readonly timestampAuthority?: TimestampAuthority;
  /** Gives OCSP responses and CRLs; needed above level B-T. Default: none. */
  readonly revocation?: RevocationSource;
  /** Trust anchors; the time-stamp authority must lead to one of them. Default: none. */
  readonly trust?: readonly CertificateInput[];
  /** Further certificates for building paths. Default: none. */
  readonly certificates?: readonly CertificateInput[];
  /** Expiry dates of algorithms. Default: the dates of ETSI TS 119 312. */
  readonly algorithms?: AlgorithmTable;
  /** Clock. Default: that of the system. */
  readonly now?: () => Date;
  /** Gives `count` unpredictable bytes. Default: those of the system. */
  readonly random?: (count: number) => Uint8Array;
}

/** B-LTA when all that it needs is there. @throws usage.invalid */
export function defaultLevel(options: LongTermOptions): SealLevel {
  if (options.timestampAuthority !== undefined && options.revocation !== undefined) return 'B-LTA';
  throw new InnsigliError('usage.invalid', 'B-LTA needs timestampAuthority and revocation', {
    hint: "pass both, or choose a lower level: { level: 'B-B' }",
  });
}

/** The ports that the options name, taken. @throws usage.invalid */
export function portsOf(options: LongTermOptions) {
  const { timestampAuthority, revocation, now, random, algorithms } = options;
  return {
    anchors: certificatesOf(options.trust),
    certificates: certificatesOf(options.certificates).map(({ der }) => der),
    algorithms,
    now: takeClock(now),
    random: takeRandom(random),
    authority: timestampAuthority === undefined ? undefined : takeAuthority(timestampAuthority),
    revocation: revocation === undefined ? undefined : takeRevocation(revocation),
  };
}

interface TakenCertificates {
  readonly certificates: readonly Certificate[];
  /** Number of unreadable certificates. */
  readonly unreadableCount: number;
}

const known = new WeakMap<readonly CertificateInput[], TakenCertificates>();

/**
 * The certificates, parsed once for each array that was taken; damaged ones are left out.
 *
 * @throws x509.invalid when a value does not look like one, or none can be read
 */
export function certificatesOf(
  inputs: readonly CertificateInput[] | undefined,
): readonly Certificate[] {
  return takeCertificates(inputs).certificates;
}

/** The number of damaged certificates. @throws x509.invalid as {@link certificatesOf} */
export function countUnreadable(inputs: readonly CertificateInput[] | undefined): number {
  return takeCertificates(inputs).unreadableCount;
}

function takeCertificates(inputs: readonly CertificateInput[] | undefined): TakenCertificates {
  if (inputs === undefined) return { certificates: [], unreadableCount: 0 };
  let taken = known.get(inputs);
  if (taken === undefined) {
    const read = inputs.map(readCertificates);
    const certificates = read.flatMap((each) => each.certificates);
    const unreadable = read.flatMap((each) => each.unreadable);
    const [first] = unreadable;
    if (first !== undefined && certificates.length === 0) throw first;
    taken = { certificates, unreadableCount: unreadable.length };
    known.set(inputs, taken);
  }
  return taken;
}
