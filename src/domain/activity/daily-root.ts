import { createHash } from 'node:crypto';
import { findDayMs } from '../../base/time/day.ts';
import type { DailyRoot } from './activity.ts';
import { canonicalJson } from './canonical-json.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Time from the end of a day until a time-stamp of its root is reported as late. */
export const anchorGraceMs = 2 * dayMs;

/** Days without a root after which a company gets one even without rows. */
export const quietDaysMax = 7;

/** Returns the UTC day of a time, `YYYY-MM-DD`. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Whether `text` is a day in the form of {@link dayOf}. */
export function isDay(text: unknown): text is string {
  return typeof text === 'string' && findDayMs(text) !== undefined;
}

/** Returns the first millisecond of `day` and of the following day. */
export function daySpan(day: string): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  return { fromMs, toMs: fromMs + dayMs };
}

/** Returns the day after `day`. */
export function nextDay(day: string): string {
  return dayOf(daySpan(day).toMs);
}

/**
 * Returns the root of the Merkle tree over `hashes` (hexadecimal) as defined in RFC 6962: leaves
 * are prefixed with 00, inner nodes with 01, and the left part of each node is the largest power of
 * two.
 *
 * @spec RFC 6962 §2.1
 */
export function merkleRoot(hashes: readonly string[]): string {
  if (hashes.length === 0) return createHash('sha256').digest('hex');
  let level = hashes.map((hash) => digest(0, Buffer.from(hash, 'hex')));
  // Pairing from the left and promoting an odd last node yields the same tree.
  while (level.length > 1) {
    const above: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index] as Buffer;
      const right = level[index + 1];
      above.push(right === undefined ? left : digest(1, left, right));
    }
    level = above;
  }
  return (level[0] as Buffer).toString('hex');
}

function digest(prefix: number, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256').update(Uint8Array.of(prefix));
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The previous {@link anchorDigest} of the first root of a company. */
export const anchorStart = '0'.repeat(64);

/**
 * Returns the digest to be time-stamped for a day, hexadecimal. It covers the number of rows and
 * the digest of the previous root, so that the removal of a day is detected.
 *
 *     SHA-256( "day.v2" ‖ previous (32 bytes) ‖ canonical JSON of company, day, count, root )
 *
 * Roots of version 1 start with "day.v1".
 */
export function anchorDigest(
  previous: string,
  { companyKey, day, version, count, root }: Omit<DailyRoot, 'token' | 'createdAtMs'>,
): string {
  return createHash('sha256')
    .update(`day.v${version}`)
    .update(previous, 'hex')
    .update(canonicalJson({ companyKey, day, count, root }), 'utf8')
    .digest('hex');
}

/** Difference between the rows of a day and the anchored rows. */
export type DayFault =
  /** Fewer rows than were anchored: some were removed. */
  | 'rows.missing'
  /** More rows than were anchored: rows were inserted, or the clock stepped back by hours. */
  | 'rows.added'
  /** The anchored number of rows, but different rows or another order. */
  | 'rows.changed'
  /** The day has rows, but its root is missing or was never created by a worker. */
  | 'root.missing'
  /** The time-stamp does not cover this root, or its authority is not trusted. */
  | 'token.invalid'
  /** The root does not follow the previous one: a day was removed. */
  | 'root.unlinked'
  /** Evidence created later contains a different root. */
  | 'root.changed'
  /** The stored value is not a root. */
  | 'root.malformed'
  /** The root is for a day that has not ended: a clock was wrong when it was created. */
  | 'root.early'
  /** The root has no time-stamp although one is long overdue. */
  | 'token.missing'
  /** The root was time-stamped long after the day: the rows could have been changed until then. */
  | 'token.late'
  /** The root was time-stamped before the end of the day: a clock was wrong. */
  | 'token.early';

const doubts: ReadonlySet<DayFault> = new Set<DayFault>([
  'root.missing',
  'root.early',
  'token.missing',
  'token.late',
  'token.early',
]);

/**
 * True for a fault that leaves open whether rows were changed: nothing proves the rows of the day.
 * The other faults show that something was changed.
 */
export function isInconclusive(fault: DayFault): boolean {
  return doubts.has(fault);
}

/** Returns the fault of a time-stamp that is too early or late for the root of `day`, if any. */
export function stampTimeFault(day: string, genTimeMs: number): DayFault | undefined {
  const { toMs } = daySpan(day);
  if (genTimeMs < toMs) return 'token.early';
  return genTimeMs > toMs + anchorGraceMs ? 'token.late' : undefined;
}

/** Number of days between two days: 1 for consecutive days. */
export function daysBetween(earlier: string, later: string): number {
  return Math.round((daySpan(later).fromMs - daySpan(earlier).fromMs) / dayMs);
}

/** Compares a day's rows, in the order of the store, with its root. Undefined if they agree. */
export function compareDay(root: DailyRoot, hashes: readonly string[]): DayFault | undefined {
  if (hashes.length < root.count) return 'rows.missing';
  if (hashes.length > root.count) return 'rows.added';
  return merkleRoot(hashes) === root.root ? undefined : 'rows.changed';
}
