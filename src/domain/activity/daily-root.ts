import { createHash } from 'node:crypto';
import { findDayMs } from '../../base/time/day.ts';
import type { DailyRoot } from './activity.ts';
import { canonicalJson } from './canonical-json.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Time after the end of a day within which its root gets its time-stamp; later is late. */
export const anchorGraceMs = 2 * dayMs;

/** Number of days without a root after which a company without rows gets one all the same. */
export const quietDaysMax = 7;

/** The day of a time, `YYYY-MM-DD`, UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** True for a text that names a day as {@link dayOf} does. */
export function isDay(text: unknown): text is string {
  return typeof text === 'string' && findDayMs(text) !== undefined;
}

/** The first millisecond of `day` and of the day after it. */
export function daySpan(day: string): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  return { fromMs, toMs: fromMs + dayMs };
}

/** The day after `day`. */
export function nextDay(day: string): string {
  return dayOf(daySpan(day).toMs);
}

/**
 * The root of the Merkle tree over `hashes` (hexadecimal), as RFC 6962 builds it: leaves begin
 * with 00, inner nodes with 01, and the left part of each node is the largest power of two.
 *
 * @spec RFC 6962 §2.1
 */
export function merkleRoot(hashes: readonly string[]): string {
  if (hashes.length === 0) return createHash('sha256').digest('hex');
  let level = hashes.map((hash) => digest(0, Buffer.from(hash, 'hex')));
  // Pairing from the left and carrying an odd last node up gives the same tree.
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
 * The digest to be time-stamped for a day, hexadecimal. It covers the number of rows and the digest
 * of the previous root, so that a removed day is noticed.
 *
 *     SHA-256( "day.v2" ‖ previous (32 bytes) ‖ canonical JSON of company, day, count, root )
 *
 * Roots of version 1 begin with "day.v1".
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

/** Difference between the rows of a day and the anchored ones. */
export type DayFault =
  /** Fewer rows than were anchored: some were removed. */
  | 'rows.missing'
  /** More rows than were anchored: some were put in, or the clock stepped back by hours. */
  | 'rows.added'
  /** As many rows, but others, or in another order. */
  | 'rows.changed'
  /** The day has rows, and its root is gone, or was never made by a worker. */
  | 'root.missing'
  /** The time-stamp is not over this root, or not by a trusted authority. */
  | 'token.invalid'
  /** The root does not follow the one before it: a day was taken out. */
  | 'root.unlinked'
  /** Evidence that was made later tells of another root. */
  | 'root.changed'
  /** The stored value is no root. */
  | 'root.malformed'
  /** The root is for a day that has not ended: a clock was wrong. */
  | 'root.early'
  /** The root has no time-stamp, although its day is long over. */
  | 'token.missing'
  /** The time-stamp was made long after the day: until then the rows could be changed. */
  | 'token.late'
  /** The time-stamp was made before the day was over: a clock was wrong. */
  | 'token.early';

const doubts: ReadonlySet<DayFault> = new Set<DayFault>([
  'root.missing',
  'root.early',
  'token.missing',
  'token.late',
  'token.early',
]);

/**
 * True for a fault that leaves open whether rows were changed: nobody vouches for the day. The
 * others show that something was changed.
 */
export function isDoubt(fault: DayFault): boolean {
  return doubts.has(fault);
}

/**
 * The fault of a time-stamp that was not made when the root of `day` was due; undefined otherwise.
 */
export function stampTimeFault(day: string, genTimeMs: number): DayFault | undefined {
  const { toMs } = daySpan(day);
  if (genTimeMs < toMs) return 'token.early';
  return genTimeMs > toMs + anchorGraceMs ? 'token.late' : undefined;
}

/** Days between two days, in days: 1 for neighbours. */
export function daysBetween(earlier: string, later: string): number {
  return Math.round((daySpan(later).fromMs - daySpan(earlier).fromMs) / dayMs);
}

/**
 * The fault of the rows of a day, in the order of the store, compared with its root; undefined if
 * they agree.
 */
export function compareDay(root: DailyRoot, hashes: readonly string[]): DayFault | undefined {
  if (hashes.length < root.count) return 'rows.missing';
  if (hashes.length > root.count) return 'rows.added';
  return merkleRoot(hashes) === root.root ? undefined : 'rows.changed';
}
