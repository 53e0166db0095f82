import { findWeakDigest, findWeakness, findWeakPath } from '../trust/algorithm-policy.ts';
import { findPath } from '../trust/path.ts';
import type { TimestampVerdict } from '../trust/timestamp.ts';
import { checkPathStatus, type StatusContext } from './long-term.ts';
import type { StoredValidationData } from './security-store.ts';

/** Whether the time of a time-stamp counts as proof. */
export interface TimeProof {
  /** The proved time; absent when it does not count. */
  readonly timeMs?: number;
  /** Why it does not count. @spec ETSI EN 319 102-1 §5.4, §5.6.2.4 */
  readonly subIndication?: string;
  readonly message: string;
}

/**
 * The time of a time-stamp counts when its authority was in order at a time that is proved
 * otherwise: the present, or a later time-stamp. The time that it states itself is worth nothing
 * for that, since who holds a stolen or revoked key of an authority states what he likes.
 */
export function proveTime(
  verdict: TimestampVerdict,
  store: StoredValidationData,
  provedMs: number,
  context: StatusContext,
): TimeProof {
  const { certificate, info, valid, trusted, message, signerInfo } = verdict;
  if (!valid || !trusted || certificate === undefined || info === undefined) {
    return { subIndication: 'NO_CERTIFICATE_CHAIN_FOUND', message };
  }
  const { pool, anchors } = context;
  const path = findPath({ certificate, pool, anchors, atMs: provedMs });
  if (!path.valid) return { subIndication: 'OUT_OF_BOUNDS_NO_POE', message: path.message };
  const algorithm = signerInfo?.signatureAlgorithm;
  const weakness =
    findWeakDigest(info.digest) ??
    findWeakDigest(signerInfo?.digest) ??
    (algorithm && findWeakness(algorithm, certificate)) ??
    findWeakPath(path.path);
  if (weakness !== undefined) {
    return { subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE', message: weakness };
  }
  const status = checkPathStatus(certificate, store, info.genTimeMs, context);
  if (status.status === 'revoked' && (status.revokedAtMs ?? 0) <= provedMs) {
    return { subIndication: 'REVOKED_NO_POE', message: status.message };
  }
  return { timeMs: info.genTimeMs, message: '' };
}
