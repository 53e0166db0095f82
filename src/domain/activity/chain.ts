import { createHash } from 'node:crypto';
import { isSigneeFact } from '../process/index.ts';
import type { Activity, OpenedValue } from './activity.ts';
import { canonicalJson } from './canonical-json.ts';
import { endings, openStatuses } from './statuses.ts';

/** The hashed part of a row: everything except its hash. */
type ActivityRecord = Omit<Activity, 'hash'>;

/** The previous hash for the first row of a chain. */
export const chainStart = '0'.repeat(64);

/** Length of the salt of a personal value, in bytes. Prevents guessing a value from its digest. */
export const saltBytes = 16;

/**
 * Returns the hash of a row that follows the row with the hash `previous`. Both are hexadecimal.
 *
 *     SHA-256( "act.v1" ‖ previous (32 bytes) ‖ canonical JSON of the record, UTF-8 )
 */
export function chainHash(previous: string, record: ActivityRecord): string {
  return createHash('sha256')
    .update('act.v1')
    .update(previous, 'hex')
    .update(canonicalJson(recordOf(record)), 'utf8')
    .digest('hex');
}

/**
 * Returns the commitment to a personal value, which the row contains instead of the value.
 *
 *     SHA-256( "per.v1" ‖ salt (16 bytes) ‖ name, UTF-8 ‖ 00 ‖ value, UTF-8 )
 */
export function commitmentTo({ name, salt, value }: OpenedValue): string {
  return createHash('sha256')
    .update('per.v1')
    .update(salt, 'hex')
    .update(`${name}\0${value}`, 'utf8')
    .digest('hex');
}

/** Picks the hashed members of a row; a store may have added others. */
function recordOf(row: ActivityRecord) {
  const { processKey, seq, companyKey, flowKey, sequenceKey, signeeKey } = row;
  const { status, createdAtMs, createdBy, description, fileName, digests } = row;
  const { terms, commitments } = row;
  return {
    processKey,
    seq,
    companyKey,
    flowKey,
    sequenceKey,
    signeeKey,
    status,
    createdAtMs,
    createdBy,
    description,
    fileName,
    digests,
    terms,
    commitments,
  };
}

/** Reason why the verification of a chain failed. */
export type ChainFault =
  /** A row has the key of another process, company, flow or sequence. */
  | 'row.foreign'
  /** A row is missing, duplicated or out of order. */
  | 'row.missing'
  /** A row does not match its hash: the row or the hash was changed. */
  | 'row.changed'
  /** A row is older than the one before it. */
  | 'time.back'
  /** A row records a signature, another end or an extension after the process had ended. */
  | 'row.late'
  /** A personal value differs from the one the row commits to. */
  | 'personal.changed'
  /** The data of a signee in the process differ from those the row commits to. */
  | 'signee.changed'
  /** The times of the process differ from its rows, or its purge was different or too early. */
  | 'process.changed'
  /** The stored process cannot be parsed. */
  | 'process.unreadable'
  /** The document or an attachment of the process differs from that in its rows. */
  | 'document.changed'
  /** The evidence of the process contains a different row at this position. */
  | 'evidence.other'
  /** The evidence of the process is missing or cannot be read now, which proves nothing. */
  | 'evidence.missing'
  /** A document or attachment of the process is missing, or its folder is. */
  | 'contents.missing'
  /** The row has no commitment to this personal value. */
  | 'personal.added'
  /** A personal value is missing although no row records its erasure. */
  | 'personal.missing'
  /** The status of the process differs from the one its newest rows imply. */
  | 'status.changed'
  /** Rows exist whose process is missing. */
  | 'log.orphaned';

/** True for a fault that leaves open whether anything was changed. */
export function isInconclusiveChainFault(fault: ChainFault): boolean {
  return fault === 'evidence.missing' || fault === 'contents.missing';
}

type ChainVerdict =
  | { readonly isIntact: true; readonly count: number; readonly head: string }
  | { readonly isIntact: false; readonly seq: number; readonly fault: ChainFault };

/**
 * Verifies `rows`, in the order of the store. They are intact if they form the whole chain of
 * `processKey` up to its last row and the remaining personal values match their commitments.
 * Otherwise returns the first fault. Truncation at the end of a chain is not detected here: the
 * daily roots reveal it.
 *
 * @param personal undefined if personal values are not verified
 * @param scope `companyKey`: the company the rows must belong to; `isPartial`: personal values may
 * be missing
 */
export function verifyChain(
  processKey: string,
  rows: readonly Activity[],
  personal: ReadonlyMap<number, readonly OpenedValue[]> | undefined,
  { companyKey, isPartial = false }: ChainScope = {},
): ChainVerdict {
  const lastOf = (statuses: readonly string[]) =>
    isPartial ? rows.length : (rows.findLast(({ status }) => statuses.includes(status))?.seq ?? 0);
  const until: ErasedUntil = {
    values: lastOf(['PersonalErased', 'Purged']),
    // Data of signees are removed from a process only by its purge.
    facts: lastOf(['Purged']),
  };
  let previous = chainStart;
  let newestMs = 0;
  let hasEnded = false;
  for (const [index, row] of rows.entries()) {
    const seq = index + 1;
    const isForeign = companyKey !== undefined && row.companyKey !== companyKey;
    const other = isForeign ? 'row.foreign' : undefined;
    const fault = other ?? rowFault(processKey, seq, row, previous, newestMs);
    if (fault !== undefined) return { isIntact: false, seq, fault };
    const changed = personal && personalFault(row, personal.get(seq) ?? [], until);
    if (changed !== undefined) return { isIntact: false, seq, fault: changed };
    if (hasEnded && openStatuses.has(row.status))
      return { isIntact: false, seq, fault: 'row.late' };
    hasEnded ||= endings.includes(row.status);
    previous = row.hash;
    newestMs = row.createdAtMs;
  }
  // Every process starts with a row.
  if (rows.length === 0) return { isIntact: false, seq: 1, fault: 'row.missing' };
  const stray = [...(personal?.keys() ?? [])].find((seq) => seq < 1 || seq > rows.length);
  if (stray !== undefined) return { isIntact: false, seq: stray, fault: 'row.missing' };
  return { isIntact: true, count: rows.length, head: previous };
}

/** Further constraints on the rows of a chain. */
export interface ChainScope {
  readonly companyKey?: string;
  readonly isPartial?: boolean;
}

/** Rows up to these sequence numbers may have lost their personal values. */
interface ErasedUntil {
  readonly values: number;
  readonly facts: number;
}

function rowFault(
  processKey: string,
  seq: number,
  row: Activity,
  previous: string,
  newestMs: number,
): ChainFault | undefined {
  if (row.processKey !== processKey) return 'row.foreign';
  if (row.seq !== seq) return 'row.missing';
  if (!isHashable(row)) return 'row.changed';
  if (row.hash !== chainHash(previous, row)) return 'row.changed';
  if (row.createdAtMs < newestMs) return 'time.back';
  return undefined;
}

// A row that was edited directly in the store may contain anything.
function isHashable(row: Activity): boolean {
  const { seq, createdAtMs, commitments, digests = {}, terms = {} } = row;
  const { sequenceKey = '', signeeKey = '', description = '', fileName = '' } = row;
  const { processKey, companyKey, flowKey, status, createdBy } = row;
  const texts = [processKey, companyKey, flowKey, status, createdBy];
  const all = [...texts, sequenceKey, signeeKey, description, fileName];
  const isNumbered = Number.isSafeInteger(seq) && Number.isSafeInteger(createdAtMs);
  if (!isNumbered || !all.every((each) => typeof each === 'string')) return false;
  return isTexts(commitments) && isTexts(digests) && isNumbers(terms);
}

function isTexts(value: unknown): boolean {
  return areAll(value, (each) => typeof each === 'string');
}

function isNumbers(value: unknown): boolean {
  return areAll(value, Number.isSafeInteger);
}

function areAll(value: unknown, isMeant: (each: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(isMeant);
}

function personalFault(
  row: Activity,
  values: readonly OpenedValue[],
  until: ErasedUntil,
): ChainFault | undefined {
  const seen = new Set<string>();
  for (const value of values) {
    const commitment = Object.hasOwn(row.commitments, value.name)
      ? row.commitments[value.name]
      : undefined;
    if (commitment === undefined || seen.has(value.name)) return 'personal.added';
    if (commitmentTo(value) !== commitment) {
      return isSigneeFact(value.name) ? 'signee.changed' : 'personal.changed';
    }
    seen.add(value.name);
  }
  const missing = Object.keys(row.commitments).filter((name) => !seen.has(name));
  const isExcused = (name: string) => row.seq <= until[isSigneeFact(name) ? 'facts' : 'values'];
  return missing.every(isExcused) ? undefined : 'personal.missing';
}
