import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import {
  type Activity,
  anchorDigest,
  anchorGraceMs,
  anchorStart,
  compareDay,
  type DayFault,
  dayOf,
  daySpan,
  isInconclusive,
  type OpenedValue,
} from '../../../domain/activity/index.ts';
import type { ProcessKey } from '../../../domain/keys.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import { tokenFault } from '../anchor/stored-roots.ts';
import { findingsMax, newChainWalk } from './chain-walk.ts';
import { type ExportLine, readExport } from './read-export.ts';
import { type DayFinding, worstFirst } from './verify-days.ts';
import type { ActivityVerification } from './verify-log.ts';

/** Verification result of an export, obtained without the database. */
export interface ExportVerification extends Omit<ActivityVerification, 'head'> {
  readonly companyKey: string;
  /** The last line is present, and its counts match the preceding lines. */
  readonly isWhole: boolean;
  /** True unless the header states that the export contains all processes. */
  readonly isFiltered: boolean;
  /**
   * Intact, and every row except those of the last days is covered by a time-stamped root. If
   * false, the export may be consistent, but anyone could have written it.
   */
  readonly isVouched: boolean;
  /** Number of rows covered by a time-stamped root. */
  readonly vouchedRows: number;
  /** Number of days whose rows are all exported; of other days only the time-stamp was verified. */
  readonly wholeDays: number;
}

interface ExportTrust {
  /** Trust anchors for the time-stamps of daily roots. */
  readonly anchors: readonly Certificate[];
  readonly nowMs: number;
}

/** Maximum number of rows held in memory until the roots, which come last. */
const ROWS_MAX = 5_000_000;

interface Met {
  readonly processKey: string;
  readonly seq: number;
  readonly hash: string;
}

/**
 * Verifies the lines of an export: the chain of each process with its personal values, the roots of
 * days whose rows are all present, and the time-stamps of all roots. If the header states that
 * nothing was omitted, all rows of every day must be present. The header itself proves nothing:
 * only time-stamps confirm rows.
 *
 * @throws activity.export.invalid, limit.exceeded
 */
export async function verifyExport(
  chunks: AsyncIterable<Uint8Array>,
  trust: ExportTrust,
): Promise<ExportVerification> {
  const reading = newReading();
  for await (const line of readExport(chunks)) reading.take(line);
  const { header, isWhole, walk, met, roots } = reading.end();
  const { companyKey, isFiltered } = header;
  const chains = walk.result();
  const { tailRows, ...days } = await checkDays(roots, met, header, trust);
  const isSound = days.dayFindings.every(({ fault }) => isInconclusive(fault));
  const isIntact = chains.isIntact && isSound && isWhole;
  const { vouchedRows } = days;
  const isAll = vouchedRows > 0 && vouchedRows + tailRows === chains.rows;
  const isVouched = isIntact && days.dayFindings.length === 0 && isAll;
  return { companyKey, ...chains, ...days, isIntact, isWhole, isFiltered, isVouched };
}

type Header = Extract<ExportLine, { readonly type: 'header' }>;
type RootLine = Extract<ExportLine, { readonly type: 'root' }>;

/** Reads line by line and verifies each chain when the next one starts. */
function newReading() {
  const walk = newChainWalk();
  const met = new Map<string, Met[]>();
  const roots: RootLine[] = [];
  const seen = new Set<string>();
  let header: Header | undefined;
  let isWhole: boolean | undefined;
  let open: OpenChain | undefined;
  let count = 0;
  const close = () => {
    if (open === undefined) return;
    const { companyKey, isAnonymous: isPartial } = header as Header;
    walk.check(open.key, open.rows, open.personal, { companyKey, isPartial });
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
    if (count > ROWS_MAX) throw new InnsigliError('limit.exceeded', `more than ${ROWS_MAX} rows`);
    if (open?.key !== row.processKey) open = begin(row);
    open.rows.push(row);
    if (personal.length > 0) open.personal.set(row.seq, personal);
    note(met, row);
  };
  return {
    take(line: ExportLine): void {
      // Exactly one header, at the start, and nothing after the end.
      if (isWhole !== undefined || (header === undefined) !== (line.type === 'header')) {
        const message = `a ${line.type} is in the wrong position`;
        throw new InnsigliError('activity.export.invalid', message);
      }
      if (line.type === 'header') header = line;
      if (line.type === 'row') takeRow(line);
      if (line.type === 'root') roots.push(line);
      if (line.type !== 'end') return;
      isWhole = line.processes === seen.size && line.rows === count && line.roots === roots.length;
    },
    end() {
      if (header === undefined) {
        throw new InnsigliError('activity.export.invalid', 'expected an export of the log');
      }
      close();
      return { header, isWhole: isWhole === true, walk, met, roots };
    },
  };
}

interface OpenChain {
  readonly key: ProcessKey;
  readonly rows: Activity[];
  readonly personal: Map<number, readonly OpenedValue[]>;
}

function note(met: Map<string, Met[]>, { processKey, seq, hash, createdAtMs }: Activity): void {
  if (createdAtMs >= 8.64e15) return;
  const day = dayOf(createdAtMs);
  const rows = met.get(day) ?? [];
  rows.push({ processKey, seq, hash });
  met.set(day, rows);
}

/** Verifies the roots against the rows and finds days without a root. */
async function checkDays(
  roots: readonly RootLine[],
  met: ReadonlyMap<string, Met[]>,
  header: Header,
  trust: ExportTrust,
) {
  const { isFiltered } = header;
  const { dayFindings, vouched, ...checked } = await checkRoots(roots, met, header, trust);
  const anchored = new Set(roots.map(({ root }) => root.day));
  const last = [...anchored].sort().at(-1);
  const until = [...vouched].sort().at(-1) ?? '';
  const isLate = lateness(met, trust.nowMs);
  let vouchedRows = 0;
  let tailRows = 0;
  for (const [day, rows] of met) {
    if (vouched.has(day)) vouchedRows += rows.length;
    else if (day > until && !isLate(day)) tailRows += rows.length;
    if (anchored.has(day)) continue;
    const isDue = (last !== undefined && day < last) || (!isFiltered && isLate(day));
    if (!isDue) continue;
    dayFindings.push({ day, fault: 'root.missing', expectedCount: 0, foundCount: rows.length });
  }
  return {
    days: roots.length,
    ...checked,
    vouchedRows,
    tailRows,
    ...defined({ anchoredUntil: last }),
    dayFindings: worstFirst(dayFindings).slice(0, findingsMax),
  };
}

/**
 * Returns a predicate for days that should be anchored and time-stamped by now. The newest row of
 * an export does not determine this: its author may have omitted later rows.
 */
function lateness(met: ReadonlyMap<string, unknown>, nowMs: number): (day: string) => boolean {
  const newest = [...met.keys()].sort().at(-1);
  const lastMs = Math.max(nowMs, newest === undefined ? 0 : daySpan(newest).fromMs);
  return (day) => daySpan(day).toMs + anchorGraceMs <= lastMs;
}

async function checkRoots(
  roots: readonly RootLine[],
  met: ReadonlyMap<string, Met[]>,
  { companyKey, isFiltered }: Header,
  { anchors, nowMs }: ExportTrust,
) {
  const dayFindings: DayFinding[] = [];
  const vouched = new Set<string>();
  const isLate = lateness(met, nowMs);
  const lastStamped = roots.findLastIndex(({ root }) => root.token !== undefined);
  // A complete export starts with the first root.
  let before = isFiltered ? undefined : anchorStart;
  let wholeDays = 0;
  let stampedDays = 0;
  for (const [at, { root, previous }] of roots.entries()) {
    const { day, count, token } = root;
    const digest = anchorDigest(previous, root);
    const hashes = (met.get(day) ?? []).sort(inStoreOrder).map(({ hash }) => hash);
    const isFull = hashes.length >= count;
    let fault: DayFault | undefined = isFull || !isFiltered ? compareDay(root, hashes) : undefined;
    const follows = before === undefined || before === previous;
    if (!follows || root.companyKey !== companyKey) fault ??= 'root.unlinked';
    if (token === undefined) {
      // Roots are time-stamped in order; if none is, there was no authority.
      const isDue = at < lastStamped || isLate(day);
      if (isDue) fault ??= 'token.missing';
    } else {
      stampedDays += 1;
      fault ??= await tokenFault({ day, token, digest, anchors, nowMs });
    }
    before = digest;
    if (isFull) wholeDays += 1;
    if (isFull && token !== undefined && fault === undefined) vouched.add(day);
    if (fault === undefined) continue;
    dayFindings.push({ day, fault, expectedCount: count, foundCount: hashes.length });
  }
  return { stampedDays, wholeDays, vouched, dayFindings };
}

/** Order of the leaves of a root: by process key, bytewise, then by sequence number. */
function inStoreOrder(one: Met, other: Met): number {
  if (one.processKey === other.processKey) return one.seq - other.seq;
  return one.processKey < other.processKey ? -1 : 1;
}
