import { csvLine } from '../../base/csv.ts';
import { type ActivityEntry, toldDescription } from './activity-entry.ts';

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

/** The first line of the log as CSV. */
export const csvHeader = csvLine(columns);

/** One row of the log as a line of CSV. */
export function csvRow(entry: ActivityEntry): string {
  const { processKey, seq, createdAtMs, status, signeeKey, createdBy } = entry;
  const cells: Readonly<Record<(typeof columns)[number], string | undefined>> = {
    processKey,
    seq: String(seq),
    createdAt: new Date(createdAtMs).toISOString(),
    status,
    signeeKey,
    createdBy,
    description: toldDescription(entry),
    fileName: entry.fileName,
    userAgent: entry.personal['userAgent'],
    ip: entry.personal['ip'],
    hash: entry.hash,
  };
  return csvLine(columns.map((name) => cells[name] ?? ''));
}
