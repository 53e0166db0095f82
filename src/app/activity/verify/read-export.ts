import { attemptAny, InnsigliError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/input.ts';
import {
  type Activity,
  type DailyRoot,
  isDay,
  type OpenedValue,
} from '../../../domain/activity/index.ts';

/** A line of an export: see `exportActivity`. */
export type ExportLine =
  | {
      readonly type: 'header';
      readonly companyKey: string;
      readonly isAnonymous: boolean;
      /** True unless the header states that the export contains all processes. */
      readonly isFiltered: boolean;
    }
  | { readonly type: 'row'; readonly row: Activity; readonly personal: readonly OpenedValue[] }
  | { readonly type: 'root'; readonly root: DailyRoot; readonly previous: string }
  | {
      readonly type: 'end';
      readonly processes: number;
      readonly rows: number;
      readonly roots: number;
    };

/** Maximum length of a line of an export, in bytes: a row has texts of some thousand characters. */
const LINE_BYTES_MAX = 1024 * 1024;

/**
 * Reads the lines of an export one by one. Each conforms to its type.
 *
 * @throws activity.export.invalid naming the first invalid line
 * @throws limit.exceeded for a line that is too long
 */
export async function* readExport(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ExportLine> {
  let number = 0;
  for await (const line of textLines(chunks)) {
    number += 1;
    const read = parsed(line);
    if (read === undefined) {
      const found = `line ${number} is not a line of an export`;
      const hint = 'create one with innsigli activity export --format jsonl';
      const message = `expected an export of the log: ${found}`;
      throw new InnsigliError('activity.export.invalid', message, { hint });
    }
    yield read;
  }
}

async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let lengthBytes = 0;
  const line = () => {
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    lengthBytes = 0;
    return text;
  };
  const take = (part: Uint8Array) => {
    lengthBytes += part.length;
    if (lengthBytes > LINE_BYTES_MAX) {
      const message = `expected lines of at most ${LINE_BYTES_MAX} bytes`;
      throw new InnsigliError('limit.exceeded', message);
    }
    parts.push(part);
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      from = end + 1;
      yield line();
    }
    take(chunk.subarray(from));
  }
  if (lengthBytes > 0) yield line();
}

type Json = Readonly<Record<string, unknown>>;

function parsed(line: string): ExportLine | undefined {
  const value: unknown = attemptAny(() => JSON.parse(line));
  if (!isRecord(value)) return undefined;
  const { type } = value;
  if (type === 'header') return headerOf(value);
  if (type === 'row') return rowOf(value);
  if (type === 'root') return rootOf(value);
  return type === 'end' ? endOf(value) : undefined;
}

function headerOf({ v, companyKey, anonymous, filter }: Json): ExportLine | undefined {
  if (v !== 1 || typeof companyKey !== 'string') return undefined;
  const isFiltered = !Array.isArray(filter) || filter.length > 0;
  return { type: 'header', companyKey, isAnonymous: anonymous === true, isFiltered };
}

const texts = ['processKey', 'companyKey', 'flowKey', 'status', 'createdBy', 'hash'];
const optionalTexts = ['sequenceKey', 'signeeKey', 'description', 'fileName'];

function rowOf({ type: _type, personal = [], ...row }: Json): ExportLine | undefined {
  const isRow =
    texts.every((name) => typeof row[name] === 'string') &&
    optionalTexts.every((name) => row[name] === undefined || typeof row[name] === 'string') &&
    isCount(row['seq']) &&
    isCount(row['createdAtMs']) &&
    isRecord(row['commitments']) &&
    (row['digests'] === undefined || isRecord(row['digests'])) &&
    (row['terms'] === undefined || isRecord(row['terms']));
  const isPersonal = Array.isArray(personal) && personal.every(isPersonalValue);
  if (!isRow || !isPersonal) return undefined;
  return { type: 'row', row: row as unknown as Activity, personal };
}

function rootOf({ type: _type, previous, token, ...root }: Json): ExportLine | undefined {
  const { companyKey, day, version = 1, count, root: merkle } = root;
  if (!isDay(day) || typeof companyKey !== 'string') return undefined;
  if (version !== 1 && version !== 2) return undefined;
  if (!isCount(count) || !isDigest(merkle) || !isDigest(previous)) return undefined;
  if (token !== undefined && typeof token !== 'string') return undefined;
  const bytes = token === undefined ? {} : { token: new Uint8Array(Buffer.from(token, 'base64')) };
  const known = { companyKey, day, version, count, root: merkle, createdAtMs: 0, ...bytes };
  return { type: 'root', root: known as DailyRoot, previous };
}

function endOf({ processes, rows, roots }: Json): ExportLine | undefined {
  if (!isCount(processes) || !isCount(rows) || !isCount(roots)) return undefined;
  return { type: 'end', processes, rows, roots };
}

function isPersonalValue(value: unknown): value is OpenedValue {
  return (
    isRecord(value) && ['name', 'salt', 'value'].every((name) => typeof value[name] === 'string')
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
