import type { ByteSource } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import type { StoredValidationData } from '../existence/index.ts';
import type { CertificateToCheck } from '../pdf/index.ts';
import { mergeData } from './cades-values.ts';
import { type ExaminedSigner, examineCades } from './examine-cades.ts';
import type { CadesContext } from './verify-cades.ts';

/** Certificates and anchors for preserving a CAdES signature for the long term. */
export interface CadesPreservation {
  /** Certificates of each intact signer, in the order of {@link intact}. */
  readonly bySigner: readonly (readonly CertificateToCheck[])[];
  /** Signers and authorities, each with the time at which it had to be valid. */
  readonly certificates: readonly CertificateToCheck[];
  /** The caller's pool plus the certificates of the signature, for building paths. */
  readonly pool: CertificatePool;
  /** Indexes of the intact signers, from 0. */
  readonly intact: readonly number[];
  /** Intact signers without a valid signature time-stamp. */
  readonly unstamped: readonly number[];
  /** True if one of them already has a valid archive time-stamp. */
  readonly archived: boolean;
  /** Validation data in the signature. */
  readonly present: StoredValidationData;
}

/**
 * Lists the certificates whose validation data the archive level needs: those of every intact
 * signer of a detached signature and of its time-stamps, including outer ones.
 *
 * @param given its pool is not changed
 * @throws cms.invalid if the bytes are not a supported SignedData
 */
export function describeCadesPreservation(
  signature: Uint8Array,
  content: ByteSource,
  given: CadesContext,
): CadesPreservation {
  const context = { ...given, pool: createCertificatePool([], given.pool) };
  const examined = examineCades(signature, content, context);
  if ('isOpen' in examined) throw new InnsigliError('cms.invalid', examined.message);
  const outer = (context.covering ?? []).map(({ verdict }) => verdict);
  const signers = [...examined.entries()].filter(([, { cms }]) => cms.intact);
  const isStamped = ({ stamps }: ExaminedSigner) => stamps.some(({ verdict }) => verdict.valid);
  const bySigner = signers.map(([, signer]) => certificatesOf(signer, outer, context.nowMs));
  return {
    bySigner,
    certificates: bySigner.flat(),
    pool: context.pool,
    intact: signers.map(([index]) => index),
    unstamped: signers.flatMap(([index, signer]) => (isStamped(signer) ? [] : [index])),
    archived: signers.some(([, { archives }]) => archives.some(({ verdict }) => verdict.valid)),
    present: mergeData(examined.map(({ data }) => data)),
  };
}

function certificatesOf(
  { cms: { certificate }, stamps, archives }: ExaminedSigner,
  outer: readonly TimestampVerdict[],
  nowMs: number,
): CertificateToCheck[] {
  const verdicts = [...stamps, ...archives].map(({ verdict }) => verdict);
  const certificates: CertificateToCheck[] = [];
  const times: number[] = [];
  for (const { valid, certificate: authority, info } of [...verdicts, ...outer]) {
    if (!valid || authority === undefined) continue;
    const atMs = info?.genTimeMs ?? nowMs;
    certificates.push({ certificate: authority, atMs });
    times.push(atMs);
  }
  if (certificate !== undefined) {
    certificates.push({ certificate, atMs: Math.min(nowMs, ...times) });
  }
  return certificates;
}
