import { defined } from '../../../base/defined.ts';
import { attemptAny, type ErrorCode, errorKinds } from '../../../base/errors.ts';
import { isRecord } from '../../../base/input.ts';
import type { ErrorData } from '../../../wire/threads/thread-channel.ts';
import type { FailureRecord, JournalRecord } from '../batch.types.ts';
import { isRefusal } from '../refusals.ts';

/** A line of a journal. */
export type JournalLine =
  | { readonly kind: 'head'; readonly options: string }
  | { readonly kind: 'done' | 'intent'; readonly record: JournalRecord }
  | { readonly kind: 'refused'; readonly record: FailureRecord }
  | { readonly kind: 'finished' };

/** Identifies the file as a journal in its first line. */
export const journalTitle = 'innsigli batch';

/** Parses a line, which may be untrusted. Undefined for a line that no batch writes. */
export function readLine(text: string): JournalLine | undefined {
  const line = objectIn(attemptAny(() => JSON.parse(text)));
  if (line === undefined) return undefined;
  if ('journal' in line) {
    const { v, journal, options } = line;
    const isHead = v === 1 && journal === journalTitle && typeof options === 'string';
    return isHead ? { kind: 'head', options } : undefined;
  }
  const [kind, ...others] = Object.keys(line);
  if (others.length > 0) return undefined;
  if (kind === 'finished') return objectIn(line[kind]) && { kind };
  if (kind === 'refused') {
    const record = readFailure(line[kind]);
    return record && { kind, record };
  }
  if (kind !== 'done' && kind !== 'intent') return undefined;
  const record = readRecord(line[kind]);
  return record && { kind, record };
}

/** True for the start of a first line that was cut off by a kill. */
export function isTornHead(text: string): boolean {
  const start = JSON.stringify({ v: 1, journal: journalTitle, options: '' }).slice(0, -2);
  if (text.length <= start.length) return start.startsWith(text);
  return text.startsWith(start) && /^[^"\\]*"?\}?$/.test(text.slice(start.length));
}

function readRecord(value: unknown): JournalRecord | undefined {
  const found = objectIn(value);
  if (found === undefined) return undefined;
  const { input, output, inputBytes, outputBytes, mtimeMs, tailSha256 } = found;
  const { keptBytes, signatureId } = found;
  if (!isText(input) || !isText(output)) return undefined;
  if (!isSize(inputBytes) || !isSize(outputBytes) || !isTime(mtimeMs)) return undefined;
  if (!isText(tailSha256) || !/^[0-9a-f]{64}$/.test(tailSha256)) return undefined;
  if (signatureId !== undefined && !isText(signatureId)) return undefined;
  const kept = keptBytes ?? inputBytes;
  if (!isSize(kept) || kept > inputBytes || kept > outputBytes) return undefined;
  return {
    ...{ input, inputBytes, mtimeMs, output, outputBytes },
    ...(keptBytes === undefined ? {} : { keptBytes: kept }),
    tailSha256,
    ...defined({ signatureId }),
  };
}

function readFailure(value: unknown): FailureRecord | undefined {
  const found = objectIn(value);
  if (found === undefined) return undefined;
  const { input, inputBytes, mtimeMs } = found;
  const error = readError(found['error']);
  if (!isText(input) || !isSize(inputBytes) || !isTime(mtimeMs)) return undefined;
  return error && { input, inputBytes, mtimeMs, error };
}

/** A journal contains only errors caused by an input. */
function readError(value: unknown): ErrorData | undefined {
  const found = objectIn(value);
  if (found === undefined) return undefined;
  const { code, message, hint } = found;
  const details = objectIn(found['details'] ?? {});
  if (!isText(code) || !isCode(code) || !isRefusal(code) || !isText(message)) return undefined;
  if ((hint !== undefined && !isText(hint)) || details === undefined) return undefined;
  const kinds: readonly string[] = ['string', 'number', 'boolean'];
  const scalars = Object.entries(details).filter(([, one]) => kinds.includes(typeof one));
  if (scalars.length !== Object.keys(details).length) return undefined;
  const known = Object.fromEntries(scalars) as ErrorData['details'];
  return { code, message, ...defined({ hint }), details: known };
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(errorKinds, text);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
