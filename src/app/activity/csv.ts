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
export const csvHeader = `${columns.join(',')}\r\n`;

/** One row of the log as a line of CSV. @spec RFC 4180 §2 */
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
  return `${columns.map((name) => cell(cells[name] ?? '')).join(',')}\r\n`;
}

function cell(text: string): string {
  // A spreadsheet would run a text that begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
