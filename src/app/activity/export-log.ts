import { csvLine } from '../../base/csv.ts';
import { defined } from '../../base/defined.ts';
import {
  type Activity,
  anchorDigest,
  anchorStart,
  daySpan,
  type OpenedValue,
  openedValues,
} from '../../domain/activity/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { type ActivityEntry, descriptionText, entryOf } from './activity-entry.ts';
import { readRoots } from './anchor/stored-roots.ts';
import { appendActivities } from './append.ts';
import { logTime } from './log-shapes.ts';
import type { ActivityPorts } from './ports.ts';
import { type ActivityFilter, chosenBy, processFilter } from './query-log.ts';

/** Options of an export. */
export interface ExportRequest {
  readonly filter: ActivityFilter;
  /** `jsonl`: everything needed to verify the chain and the roots; `csv`: for human readers. */
  readonly format: 'jsonl' | 'csv';
  /** Omit personal values. */
  readonly isAnonymous: boolean;
  /** Author of the export: the e-mail address of a user, or `System`. */
  readonly by: string;
}

type ExportPorts = Pick<ActivityPorts, 'store' | 'now' | 'random'>;

const pageSize = 100;

/**
 * Exports the log as lines of text, each with its line ending: newest process first, oldest row of
 * each process first. Every exported process gets a row that records the export; that row is
 * exported too.
 *
 * Lines of `jsonl` are objects with a `type`: `header`, then `row` (all members of the record,
 * `hash`, and `personal` with salts), then `root` (daily roots; the token covers `digest`), and
 * `end` with the counts. An export without `end` was truncated. `filter` of the header names the
 * conditions that selected the processes; if it is empty, the export contains all of them.
 *
 * @throws clock.back
 */
export async function* exportActivity(
  ports: ExportPorts,
  companyKey: CompanyKey,
  request: ExportRequest,
): AsyncGenerator<string> {
  const nowMs = ports.now();
  const isCsv = request.format === 'csv';
  // Excludes rows added from here on: otherwise an export might never end.
  const everything = { fromMs: 0, toMs: nowMs + 1 };
  const limited = { ...request.filter, toMs: Math.min(request.filter.toMs, nowMs + 1) };
  const chosenBy = await filterNames(ports, companyKey, limited, everything);
  const filter = chosenBy.length === 0 ? everything : limited;
  yield isCsv ? csvHeader : headerLine(companyKey, request, { ...filter, chosenBy }, nowMs);
  let processes = 0;
  let rows = 0;
  for (;;) {
    const page = await exportPage(ports, companyKey, { ...request, filter }, processes);
    for (const lines of page) {
      rows += lines.length;
      for (const line of lines) yield line;
    }
    processes += page.length;
    if (page.length < pageSize) break;
  }
  if (isCsv) return;
  const roots = await rootLines(ports, companyKey, filter, nowMs);
  for (const line of roots) yield line;
  yield jsonLine({ type: 'end', processes, rows, roots: roots.length });
}

/** Names of the conditions that select processes; a time range excluding none is omitted. */
async function filterNames(
  { store }: ExportPorts,
  companyKey: CompanyKey,
  filter: ActivityFilter,
  everything: ActivityFilter,
): Promise<readonly string[]> {
  const { fromMs, toMs } = filter;
  const names = Object.keys(chosenBy(filter));
  const [found, all] = await store.read(async ({ processes }) => [
    await processes.count(processFilter(companyKey, { fromMs, toMs })),
    await processes.count(processFilter(companyKey, everything)),
  ]);
  return found === all ? names : ['time', ...names];
}

async function exportPage(
  ports: ExportPorts,
  companyKey: CompanyKey,
  request: ExportRequest,
  skip: number,
): Promise<readonly (readonly string[])[]> {
  const { filter, format, isAnonymous, by } = request;
  const query = { ...processFilter(companyKey, filter), skip, take: pageSize };
  return ports.store.write(async (unit) => {
    const listed = await unit.processes.list(query);
    // One call, in the lock order that all writers share: no deadlock.
    const locked = await unit.processes.lockOwners(listed.map(({ key }) => key));
    const draft = {
      status: 'ActivityExported',
      createdBy: by,
      description: isAnonymous ? `${format} without personal data` : format,
    };
    const all = locked.map((process) => ({ process, drafts: [draft] }));
    // Not the start time of the export: that day may be anchored by now.
    await appendActivities(unit, ports, all, ports.now());
    return exportRows(unit, listed, request);
  });
}

async function exportRows(
  unit: StoreUnit,
  processes: readonly SigningProcess[],
  { format, isAnonymous }: ExportRequest,
): Promise<readonly (readonly string[])[]> {
  const keys = processes.map(({ key }) => key);
  const rows = await unit.activity.rowsOf(keys);
  const personal = isAnonymous ? undefined : await unit.activity.personalOf(keys);
  return processes.map((process) => {
    const own = rows.get(process.key) ?? [];
    const stored = personal?.get(process.key) ?? new Map();
    if (format === 'csv') return own.map((row) => csvRow(entryOf(row, stored.get(row.seq) ?? [])));
    const opened = openedValues(own, stored, process);
    return own.map((row) => rowLine(row, opened.get(row.seq) ?? []));
  });
}

async function rootLines(
  ports: ExportPorts,
  companyKey: CompanyKey,
  { fromMs, toMs }: ActivityFilter,
  nowMs: number,
): Promise<readonly string[]> {
  const { roots } = await ports.store.read((unit) => readRoots(unit, companyKey, nowMs));
  let previous = anchorStart;
  const lines: string[] = [];
  for (const root of roots) {
    const before = previous;
    previous = anchorDigest(before, root);
    const span = daySpan(root.day);
    // A day that ended during the export has rows that it does not contain.
    if (span.toMs <= fromMs || span.fromMs >= toMs || span.toMs > nowMs) continue;
    const { day, version, count, root: merkle } = root;
    const token = root.token && Buffer.from(root.token).toString('base64');
    const members = { type: 'root', companyKey, day, version, count, root: merkle };
    lines.push(jsonLine({ ...members, previous: before, digest: previous, ...defined({ token }) }));
  }
  return lines;
}

function headerLine(
  companyKey: CompanyKey,
  { isAnonymous }: ExportRequest,
  filter: Pick<ActivityFilter, 'fromMs' | 'toMs'> & { readonly chosenBy: readonly string[] },
  nowMs: number,
): string {
  return jsonLine({
    type: 'header',
    v: 1,
    companyKey,
    from: logTime(filter.fromMs),
    to: logTime(filter.toMs),
    filter: filter.chosenBy,
    exportedAt: logTime(nowMs),
    ...(isAnonymous ? { anonymous: true } : {}),
    chain:
      'SHA-256("act.v1" || previous hash || RFC 8785 JSON of the row without type, hash, personal)',
    commitment: 'SHA-256("per.v1" || salt || name || 00 || value)',
    anchor:
      'SHA-256("day.v" || version || previous digest || ' +
      'RFC 8785 JSON of companyKey, count, day, root)',
  });
}

function rowLine(row: Activity, personal: readonly OpenedValue[]): string {
  return jsonLine({ type: 'row', ...row, ...(personal.length === 0 ? {} : { personal }) });
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

const columns = [
  'processKey',
  'seq',
  'createdAt',
  'status',
  'signeeKey',
  'createdBy',
  'description',
  'fileName',
  'userAgent',
  'ip',
  'hash',
] as const;

const csvHeader = csvLine(columns);

/**
 * One row of the log as a line of CSV.
 *
 * @spec RFC 4180 §2
 */
function csvRow(entry: ActivityEntry): string {
  const { processKey, seq, createdAtMs, status, signeeKey, createdBy } = entry;
  const cells: Readonly<Record<(typeof columns)[number], string | undefined>> = {
    processKey,
    seq: String(seq),
    createdAt: new Date(createdAtMs).toISOString(),
    status,
    signeeKey,
    createdBy,
    description: descriptionText(entry),
    fileName: entry.fileName,
    userAgent: entry.personal['userAgent'],
    ip: entry.personal['ip'],
    hash: entry.hash,
  };
  return csvLine(columns.map((name) => cells[name] ?? ''));
}
