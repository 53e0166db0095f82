import { createHash } from 'node:crypto';
import { isSigneeFact } from '../process/index.ts';
import type { Activity, OpenedValue } from './activity.ts';
import { canonicalJson } from './canonical-json.ts';
import { endings, openStatuses } from './statuses.ts';

/** The hashed part of a row: all but its hash. */
type ActivityRecord = Omit<Activity, 'hash'>;

/** The previous hash of the first row of a chain. */
export const chainStart = '0'.repeat(64);

/** Bytes of the salt of a personal value: enough that no value can be guessed from its digest. */
export const saltBytes = 16;

/**
 * The hash of a row that follows the row with the hash `previous`, both hexadecimal.
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
 * The commitment to a personal value, which a row has instead of the value.
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

/** The members of a row that are hashed, and no others that a store may have added. */
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

/** Fault of a broken chain. */
export type ChainFault =
  /** A row has the key of another process. */
  | 'row.foreign'
  /** A row is missing, twice there or out of its place. */
  | 'row.missing'
  /** A row is not what its hash is over, or the hash was changed. */
  | 'row.changed'
  /** A row is older than the one before it. */
  | 'time.back'
  /** A row tells of a signature, another end or more time after the process had ended. */
  | 'row.late'
  /** A personal value is not the one that the row was written with. */
  | 'personal.changed'
  /** The process says something else of a signee than the row was written with. */
  | 'signee.changed'
  /** The process has other times than its rows tell, or was purged otherwise or earlier. */
  | 'process.changed'
  /** The process cannot be read: its row holds something else. */
  | 'process.unreadable'
  /** The process names another document or attachment than its rows do. */
  | 'document.changed'
  /** The evidence of the process tells of another row in this place. */
  | 'evidence.other'
  /** The evidence of the process is gone or cannot be read now: that proves nothing. */
  | 'evidence.missing'
  /** A document or attachment of the process is gone, or its folder is. */
  | 'contents.missing'
  /** The row knows nothing of this personal value. */
  | 'personal.added'
  /** A personal value is gone although no row says that it was erased. */
  | 'personal.missing'
  /** The process has another status than its newest rows say. */
  | 'status.changed'
  /** There are rows, and the process that they belong to is gone. */
  | 'log.orphaned';

/** True for a fault that leaves open whether something was changed. */
export function isChainDoubt(fault: ChainFault): boolean {
  return fault === 'evidence.missing' || fault === 'contents.missing';
}

/** Result of {@link verifyChain}. */
type ChainVerdict =
  | { readonly isIntact: true; readonly count: number; readonly head: string }
  | { readonly isIntact: false; readonly seq: number; readonly fault: ChainFault };

/**
 * The verdict on `rows`, in the order of the store: intact if they are the whole chain of
 * `processKey` up to its last row and the remaining personal values are the ones written; otherwise
 * the first fault. A chain that was cut off at its end is not recognised here: the daily roots show
 * it.
 *
 * @param personal undefined where they are not looked at
 * @param scope `companyKey`: whose rows they must be; `isPartial`: personal values may be missing
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
    // Data of signees in a process is removed with the process only.
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
  // Every process begins with a row.
  if (rows.length === 0) return { isIntact: false, seq: 1, fault: 'row.missing' };
  const stray = [...(personal?.keys() ?? [])].find((seq) => seq < 1 || seq > rows.length);
  if (stray !== undefined) return { isIntact: false, seq: stray, fault: 'row.missing' };
  return { isIntact: true, count: rows.length, head: previous };
}

/** Further conditions for the rows of a chain. */
export interface ChainScope {
  readonly companyKey?: string;
  readonly isPartial?: boolean;
}

/** Rows up to these numbers may have lost their personal values. */
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

// A row that was edited behind our back may hold anything.
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
