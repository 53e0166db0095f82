import { InnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { RevocationSource, TimestampAuthority } from '../../seal/ports.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import { readCertificates } from '../files/read-certificates.ts';
import { takeClock, takeRandom, wrapAuthority, wrapRevocationSource } from './take-ports.ts';

/** Certificates as PEM text, or PEM or DER bytes. PEM may contain several. */
export type CertificateInput = string | Uint8Array;

/** Options common to all functions that read a document. */
export interface DocumentOptions {
  /** Password of an encrypted PDF: the user or the owner password. Default: none. */
  readonly password?: string;
}

/** Options common to sealing and augmentation. */
export interface LongTermOptions extends DocumentOptions {
  /** Issues the time-stamps; needed above level B-B. Default: none. */
  readonly timestampAuthority?: TimestampAuthority;
  /** Returns OCSP responses and CRLs; needed above level B-T. Default: none. */
  readonly revocation?: RevocationSource;
  /** Trust anchors, to one of which the time-stamp authority must chain. Default: none. */
  readonly trust?: readonly CertificateInput[];
  /** Further certificates for building paths. Default: none. */
  readonly certificates?: readonly CertificateInput[];
  /** Expiry dates of algorithms. Default: the dates of ETSI TS 119 312. */
  readonly algorithms?: AlgorithmTable;
  /** Clock. Default: the system clock. */
  readonly now?: () => Date;
  /** Returns `count` unpredictable bytes. Default: the system's random generator. */
  readonly random?: (count: number) => Uint8Array;
}

/** B-LTA if everything that it needs is given. @throws usage.invalid */
export function defaultLevel(options: LongTermOptions): SealLevel {
  if (options.timestampAuthority !== undefined && options.revocation !== undefined) return 'B-LTA';
  throw new InnsigliError('usage.invalid', 'B-LTA needs timestampAuthority and revocation', {
    hint: "pass both, or choose a lower level: { level: 'B-B' }",
  });
}

/** The ports given in the options, checked and wrapped. @throws usage.invalid */
export function portsOf(options: LongTermOptions) {
  const { timestampAuthority, revocation, now, random, algorithms } = options;
  return {
    anchors: certificatesOf(options.trust),
    certificates: certificatesOf(options.certificates).map(({ der }) => der),
    algorithms,
    now: takeClock(now),
    random: takeRandom(random),
    authority: timestampAuthority === undefined ? undefined : wrapAuthority(timestampAuthority),
    revocation: revocation === undefined ? undefined : wrapRevocationSource(revocation),
  };
}

interface TakenCertificates {
  readonly certificates: readonly Certificate[];
  readonly unreadableCount: number;
}

const known = new WeakMap<readonly CertificateInput[], TakenCertificates>();

/**
 * The certificates, parsed once for each copied array. Malformed certificates are omitted.
 *
 * @throws x509.invalid if a value does not look like a certificate, or none can be read
 */
export function certificatesOf(
  inputs: readonly CertificateInput[] | undefined,
): readonly Certificate[] {
  return takeCertificates(inputs).certificates;
}

/** The number of malformed certificates. @throws x509.invalid as {@link certificatesOf} */
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
