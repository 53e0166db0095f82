import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { type ByteSource, equalBytes } from '../../base/bytes.ts';
import { reachesLevel } from '../../base/level.ts';
import type { Toolkit } from '../../wire/toolkit.types.ts';
import { closeInput, readInput } from '../files/index.ts';
import type { CliIo } from '../io.ts';
import type { BatchTask, BatchWishes, JournalRecord } from './batch.types.ts';

const pieceBytes = 1 << 20;

/**
 * True when the file at `path` still holds what the record says: its tail stands where the record
 * has it. Bytes behind it do not matter: somebody may have signed on.
 */
export function holdsRecorded(path: string, record: JournalRecord): boolean {
  const stats = statOf(path);
  if (stats === undefined || stats.size < record.outputBytes) return false;
  return tailDigest(path, record.inputBytes, record.outputBytes) === record.tailSha256;
}

/** True when the input is the file that the record is about. */
export function isRecordedInput(stats: Stats, record: JournalRecord): boolean {
  return stats.size === record.inputBytes && stats.mtimeMs === record.mtimeMs;
}

/** What a good result at the place of the output looks like. */
export type Judgement =
  | { readonly isGood: true; readonly record: JournalRecord }
  | { readonly isGood: false; readonly reason: string };

/**
 * Judges a file that has the name of a result: it must begin with the input and carry, behind it,
 * what the command makes, intact and at the level.
 *
 * @throws nothing for a file that is no PDF: that is a reason
 */
export async function judgeExisting(
  task: BatchTask & { readonly output: string },
  input: ByteSource,
  { command, config, seal }: BatchWishes,
  toolkit: Toolkit,
  io: CliIo,
): Promise<Judgement> {
  const existing = await readInput(task.output, io);
  try {
    const { source } = existing;
    if (source.lengthBytes <= input.lengthBytes || !beginsWith(source, input)) {
      return { isGood: false, reason: 'does not begin with the input' };
    }
    const { signatures } = await toolkit.verify(source).catch(() => ({ signatures: [] }));
    const added = signatures.filter(({ byteRange }) => endOf(byteRange) > input.lengthBytes);
    if (signatures.some(({ indication }) => indication === 'TOTAL-FAILED')) {
      return { isGood: false, reason: 'carries a signature that is not valid' };
    }
    const wanted = command === 'archive' ? 'document-timestamp' : 'signature';
    const made = added.find(({ kind, intact }) => kind === wanted && intact);
    if (made === undefined) return { isGood: false, reason: 'carries no new signature' };
    const level = seal.level ?? config.level;
    if (command === 'seal' && !reachesLevel(made.level, level)) {
      return { isGood: false, reason: `does not reach ${level}` };
    }
    const outputBytes = source.lengthBytes;
    const tailSha256 = tailDigest(task.output, input.lengthBytes, outputBytes);
    const { path, mtimeMs, output } = task;
    const inputBytes = input.lengthBytes;
    const record = { input: path, inputBytes, mtimeMs, output, outputBytes, tailSha256 };
    return { isGood: true, record };
  } finally {
    closeInput(existing);
  }
}

/** SHA-256 of the bytes of a file from `start` up to `end`, hexadecimal. */
export function tailDigest(path: string, start: number, end: number): string {
  const hash = createHash('sha256');
  const descriptor = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(end - start, 1)));
    for (let at = start; at < end; ) {
      const count = readSync(descriptor, piece, 0, Math.min(piece.length, end - at), at);
      if (count === 0) break;
      hash.update(piece.subarray(0, count));
      at += count;
    }
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}

function beginsWith(source: ByteSource, start: ByteSource): boolean {
  for (let at = 0; at < start.lengthBytes; at += pieceBytes) {
    const end = Math.min(at + pieceBytes, start.lengthBytes);
    if (!equalBytes(source.slice(at, end), start.slice(at, end))) return false;
  }
  return true;
}

function endOf([, , start = 0, length = 0]: readonly number[]): number {
  return start + length;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
