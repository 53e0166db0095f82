import { CoreError } from '../../base/errors.ts';
import {
  type Activity,
  anchorDigest,
  compareDay,
  type DayFault,
  dayOf,
  type PersonalValue,
} from '../../domain/activity/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { findingsMax, newChainWalk } from './chain-walk.ts';
import { type ExportLine, readExport } from './read-export.ts';
import { tokenFault } from './token-fault.ts';
import type { ActivityVerification, DayFinding } from './verify-log.ts';

/** The judgement on an export, made without the database. */
export interface ExportVerification extends Omit<ActivityVerification, 'head'> {
  readonly companyKey: string;
  /** The last line is there, and what came before it is what it counts. */
  readonly isWhole: boolean;
  /** Days all of whose rows are in the export; of the others only the time-stamp was judged. */
  readonly wholeDays: number;
}

/** What an export is judged with. */
export interface ExportTrust {
  /** What time-stamps of daily roots must lead to. */
  readonly anchors: readonly Certificate[];
  readonly nowMs: number;
}

/** Rows that are held in memory for the roots at the end. */
const ROWS_MAX = 5_000_000;

interface Met {
  readonly processKey: string;
  readonly seq: number;
  readonly hash: string;
}

/**
 * Verifies the lines of an export: the chain of each process with its personal values, the roots
 * of days whose rows are all in it, and the time-stamps of all roots. What the export does not
 * hold cannot be missed: a process that was left out shows only where its rows are counted by a
 * root.
 *
 * @throws activity.export.invalid, limit.exceeded
 */
export async function verifyExport(
  chunks: AsyncIterable<Uint8Array>,
  trust: ExportTrust,
): Promise<ExportVerification> {
  const reading = newReading();
  for await (const line of readExport(chunks)) reading.take(line);
  const { companyKey, isWhole, walk, met, roots } = reading.end();
  const chains = walk.result();
  const days = await judgeRoots(roots, met, companyKey, trust);
  const isIntact = chains.isIntact && days.dayFindings.length === 0 && isWhole;
  return { companyKey, ...chains, ...days, isIntact, isWhole };
}

type RootLine = Extract<ExportLine, { readonly type: 'root' }>;

/** Takes line after line, and judges each chain when the next one begins. */
function newReading() {
  const walk = newChainWalk();
  const met = new Map<string, Met[]>();
  const roots: RootLine[] = [];
  const seen = new Set<string>();
  let header: Extract<ExportLine, { readonly type: 'header' }> | undefined;
  let isWhole: boolean | undefined;
  let open: OpenChain | undefined;
  let count = 0;
  const close = () => {
    if (open === undefined) return;
    walk.judge(open.key, open.rows, header?.isAnonymous ? undefined : open.personal);
  };
  const begin = ({ processKey, companyKey, seq }: Activity): OpenChain => {
    close();
    const isForeign = companyKey !== header?.companyKey;
    if (isForeign) walk.report({ processKey, seq, fault: 'row.foreign' });
    if (seen.has(processKey)) walk.report({ processKey, seq, fault: 'row.missing' });
    seen.add(processKey);
    return { key: processKey, rows: [], personal: new Map() };
  };
  const takeRow = ({ row, personal }: Extract<ExportLine, { readonly type: 'row' }>) => {
    count += 1;
    if (count > ROWS_MAX) throw new CoreError('limit.exceeded', `more than ${ROWS_MAX} rows`);
    if (open?.key !== row.processKey) open = begin(row);
    open.rows.push(row);
    if (personal.length > 0) open.personal.set(row.seq, personal);
    note(met, row);
  };
  return {
    take(line: ExportLine): void {
      // One header at the beginning, and nothing behind the end.
      if (isWhole !== undefined || (header === undefined) !== (line.type === 'header')) {
        throw new CoreError('activity.export.invalid', `a ${line.type} stands in the wrong place`);
      }
      if (line.type === 'header') header = line;
      if (line.type === 'row') takeRow(line);
      if (line.type === 'root') roots.push(line);
      if (line.type !== 'end') return;
      isWhole = line.processes === seen.size && line.rows === count && line.roots === roots.length;
    },
    end() {
      if (header === undefined) {
        throw new CoreError('activity.export.invalid', 'expected an export of the log, found none');
      }
      close();
      return { companyKey: header.companyKey, isWhole: isWhole === true, walk, met, roots };
    },
  };
}

interface OpenChain {
  readonly key: ProcessKey;
  readonly rows: Activity[];
  readonly personal: Map<number, readonly PersonalValue[]>;
}

function note(met: Map<string, Met[]>, { processKey, seq, hash, createdAtMs }: Activity): void {
  if (createdAtMs >= 8.64e15) return;
  const day = dayOf(createdAtMs);
  const rows = met.get(day) ?? [];
  rows.push({ processKey, seq, hash });
  met.set(day, rows);
}

async function judgeRoots(
  roots: readonly RootLine[],
  met: ReadonlyMap<string, Met[]>,
  companyKey: string,
  { anchors, nowMs }: ExportTrust,
) {
  const dayFindings: DayFinding[] = [];
  let before: string | undefined;
  let wholeDays = 0;
  let stampedDays = 0;
  for (const { root, previous } of roots) {
    const digest = anchorDigest(previous, root);
    const hashes = (met.get(root.day) ?? []).sort(inStoreOrder).map(({ hash }) => hash);
    const isFull = hashes.length >= root.count;
    let fault: DayFault | undefined = isFull ? compareDay(root, hashes) : undefined;
    const follows = before === undefined || before === previous;
    if (!follows || root.companyKey !== companyKey) fault ??= 'root.unlinked';
    if (root.token !== undefined) {
      stampedDays += 1;
      fault ??= await tokenFault(root.token, digest, anchors, nowMs);
    }
    before = digest;
    if (isFull) wholeDays += 1;
    if (fault === undefined || dayFindings.length >= findingsMax) continue;
    const { day, count } = root;
    dayFindings.push({ day, fault, expectedCount: count, foundCount: hashes.length });
  }
  const last = roots.at(-1)?.root.day;
  const until = last === undefined ? {} : { anchoredUntil: last };
  return { days: roots.length, stampedDays, wholeDays, ...until, dayFindings };
}

/** By process, octet by octet, and then by number: the order under a root. */
function inStoreOrder(one: Met, other: Met): number {
  if (one.processKey === other.processKey) return one.seq - other.seq;
  return one.processKey < other.processKey ? -1 : 1;
}
