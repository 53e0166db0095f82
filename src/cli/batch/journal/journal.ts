import { randomBytes } from 'node:crypto';
import {
  appendFile,
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  readdirSync,
  readFileSync,
  unlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { defined } from '../../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { osReason, systemCode } from '../../../base/os-errors.ts';
import { createFile, fillFile, giveName, openFound } from '../../../wire/documents.ts';
import { syncFolder } from '../../files/index.ts';
import type { BatchTask, FailureRecord, ItemResult, JournalRecord } from '../batch.types.ts';
import { isTornHead, journalTitle, readLine } from './journal-lines.ts';

/**
 * Record of the work done by a batch, in a file that survives a kill at any time. One JSON value
 * per line:
 *
 *     {"v":1,"journal":"innsigli batch","options":"<SHA-256>"}
 *     {"intent":{…}}      in place only: the input is about to be replaced by this
 *     {"done":{…}}        the output exists
 *     {"refused":{…}}     the input is at fault; retried when it has changed
 *     {"finished":{…}}    every document was done or refused
 */
export interface Journal {
  readonly path: string;
  /** The entry of an earlier run about an input, by its absolute path. */
  find(input: string): JournalRecord | undefined;
  /** The rejection of an input by an earlier run. */
  findRefusal(input: string): FailureRecord | undefined;
  /**
   * Resolves when the line is on disk. Before that, the directory entry of a finished result is
   * made durable; writers leave this to the journal.
   */
  add(kind: 'intent' | 'done', record: JournalRecord): Promise<void>;
  refuse(record: FailureRecord): Promise<void>;
  finish(summary: object): Promise<void>;
  close(): Promise<void>;
}

/** Options for opening a journal. */
export interface JournalOptions {
  readonly path: string;
  /** Digest of everything that affects the results. */
  readonly fingerprint: string;
  /** Continue the existing journal. */
  readonly resume: boolean;
  /** Start again even if an unfinished journal exists. */
  readonly force: boolean;
}

/** Name of the journal in the output folder. */
export const journalName = '.innsigli-batch.jsonl';

/** Milliseconds for collecting lines: one fsync serves them all, and no worker waits for it. */
const gatherMs = 5;
/** Number of lines that are written without further delay. */
const gatherMax = 32;

interface Past {
  readonly options: string;
  readonly records: Map<string, JournalRecord>;
  readonly refusals: Map<string, FailureRecord>;
  readonly isFinished: boolean;
  /** Offset of a last line that was cut off by a kill. */
  readonly wholeBytes: number;
}

/**
 * Opens the journal at `path`, or starts a new one.
 *
 * @throws batch.unfinished if an unfinished journal would be lost
 * @throws batch.journal.invalid if it cannot be continued
 * @throws io.output.unwritable
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { path, fingerprint, resume, force } = options;
  let found: FoundJournal | undefined;
  try {
    found = openJournalFile(path, 'append');
    const past = found?.past;
    requireContinuable(past, options);
    if (found !== undefined && past !== undefined && resume) {
      ftruncateSync(found.descriptor, past.wholeBytes);
      return journalOver(path, found.descriptor, past);
    }
    if (past !== undefined && !resume && !force && !past.isFinished) throw unfinished(path);
    const descriptor = begin(path, fingerprint, found !== undefined);
    if (found !== undefined) closeSync(found.descriptor);
    return journalOver(path, descriptor, undefined);
  } catch (cause) {
    if (found !== undefined) closeSync(found.descriptor);
    throw unwritable(path, cause);
  }
}

function requireContinuable(
  past: Past | undefined,
  { path, fingerprint, resume }: JournalOptions,
): void {
  if (past === undefined || !resume || past.options === fingerprint) return;
  throw new InnsigliError(
    'batch.journal.invalid',
    'the unfinished batch was started with different options',
    {
      details: { journal: path },
      hint: 'use the options of the first run, or start over with --force and without --resume',
    },
  );
}

function unfinished(path: string): InnsigliError {
  return new InnsigliError('batch.unfinished', `an unfinished batch is recorded in ${path}`, {
    details: { journal: path },
    hint: 'pass --resume to continue it, or --force to start over and replace outputs',
  });
}

/** Returns the entries of the journal at `path`, by input; empty if there is no journal. */
export function readRecords(path: string): ReadonlyMap<string, JournalRecord> {
  try {
    const found = openJournalFile(path, 'read');
    if (found !== undefined) closeSync(found.descriptor);
    return found?.past?.records ?? new Map();
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

interface Line {
  readonly text: string;
  /** Folder of the result that the line reports as done. */
  readonly folder?: string;
  /** A worker is waiting for it. */
  readonly isUrgent: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

const append = promisify(appendFile);
const flushData = promisify(fdatasync);

function journalOver(path: string, descriptor: number, past: Past | undefined): Journal {
  let waiting: Line[] = [];
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  const flush = async () => {
    clearTimeout(timer);
    timer = undefined;
    isWriting = true;
    const lines = waiting;
    waiting = [];
    try {
      await syncNames(lines);
      await append(descriptor, lines.map(({ text }) => text).join(''));
      await flushData(descriptor);
      for (const { resolve } of lines) resolve();
    } catch (cause) {
      for (const { reject } of lines) reject(unwritable(path, cause));
    }
    isWriting = false;
    if (waiting.length > 0) arrange();
  };
  const arrange = () => {
    if (isWriting) return;
    const isTime = waiting.length >= gatherMax || waiting.some(({ isUrgent }) => isUrgent);
    if (isTime) void flush();
    else timer ??= setTimeout(() => void flush(), gatherMs);
  };
  const add = (value: object, about: Pick<Line, 'folder' | 'isUrgent'>) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ text: `${JSON.stringify(value)}\n`, ...about, resolve, reject });
      arrange();
    });
  return {
    path,
    find: (input) => past?.records.get(input),
    findRefusal: (input) => past?.refusals.get(input),
    add: (kind, record) =>
      kind === 'intent'
        ? add({ intent: record }, { isUrgent: true })
        : add({ done: record }, { isUrgent: false, folder: dirname(record.output) }),
    refuse: (record) => add({ refused: record }, { isUrgent: false }),
    finish: (summary) => add({ finished: summary }, { isUrgent: true }),
    close: async () => closeSync(descriptor),
  };
}

/** Makes results' directory entries durable with one fsync per folder, where supported. */
async function syncNames(lines: readonly Line[]): Promise<void> {
  const folders = new Set(lines.flatMap(({ folder }) => folder ?? []));
  const sync = async (folder: string) => {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  };
  await Promise.allSettled([...folders].map(sync));
}

/**
 * Creates the journal with its first line, atomically and as a new file: an existing file of that
 * name, or linked to it, keeps its content.
 */
function begin(path: string, fingerprint: string, replaces: boolean): number {
  removeLeftovers(path);
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const head = { v: 1, journal: journalTitle, options: fingerprint };
  const descriptor = createFile(temporary, 0o644);
  try {
    fillFile(descriptor, Buffer.from(`${JSON.stringify(head)}\n`));
    giveName(temporary, path, replaces ? 'replace' : 'new');
  } catch (cause) {
    closeSync(descriptor);
    unlinkSync(temporary);
    throw cause;
  }
  syncFolder(dirname(path));
  return descriptor;
}

/** Removes files of runs killed while starting a journal; the lock excludes other runs. */
function removeLeftovers(path: string): void {
  const own = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const isLeft = name.startsWith(own) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(own.length));
    if (isLeft) unlinkSync(join(dirname(path), name));
  }
}

interface FoundJournal {
  readonly descriptor: number;
  /** Undefined if the run was killed before its first line. */
  readonly past: Past | undefined;
}

/** Opens the journal only once, so that the file read is also the one continued. */
function openJournalFile(path: string, use: 'read' | 'append'): FoundJournal | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openFound(path, use);
  } catch (cause) {
    const code = systemCode(cause);
    if (isInnsigliError(cause)) throw notOurs(path, 'is a link');
    if (code === 'EINVAL' || code === 'EISDIR' || code === 'ENXIO') {
      throw notOurs(path, 'is not a regular file');
    }
    throw cause;
  }
  if (descriptor === undefined) return undefined;
  try {
    return { descriptor, past: readPast(descriptor, path) };
  } catch (cause) {
    closeSync(descriptor);
    throw cause;
  }
}

function readPast(descriptor: number, path: string): Past | undefined {
  if (fstatSync(descriptor).size > limits.batchJournalBytes) {
    throw notOurs(path, `is longer than ${limits.batchJournalBytes} bytes`);
  }
  const text = readFileSync(descriptor, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole === '') {
    if (isTornHead(text)) return undefined;
    throw damaged(path, 1);
  }
  const records = new Map<string, JournalRecord>();
  const refusals = new Map<string, FailureRecord>();
  let options = '';
  let isFinished = false;
  for (const [index, textLine] of whole.split('\n').slice(0, -1).entries()) {
    const line = readLine(textLine);
    // Only the last line may be incomplete, and that one was already removed.
    if (line === undefined || (line.kind === 'head') !== (index === 0)) {
      throw damaged(path, index + 1);
    }
    if (line.kind === 'head') options = line.options;
    if (line.kind === 'done' || line.kind === 'intent') {
      const { record } = line;
      records.set(record.input, line.kind === 'done' ? record : { ...record, isIntent: true });
    }
    if (line.kind === 'done') refusals.delete(line.record.input);
    if (line.kind === 'refused') refusals.set(line.record.input, line.record);
    isFinished = line.kind === 'finished';
  }
  return { options, records, refusals, isFinished, wholeBytes: Buffer.byteLength(whole) };
}

function damaged(path: string, line: number): InnsigliError {
  return notOurs(path, `is not a batch journal: line ${line} is invalid`);
}

function notOurs(path: string, what: string): InnsigliError {
  return new InnsigliError('batch.journal.invalid', `the journal ${path} ${what}`, {
    details: { journal: path },
    hint: 'move the journal away: --resume then checks the existing outputs',
  });
}

function unwritable(path: string, cause: unknown): unknown {
  if (isInnsigliError(cause)) return cause;
  const message = `the journal ${path} cannot be written: ${osReason(cause)}`;
  return new InnsigliError('io.output.unwritable', message, { cause, details: { journal: path } });
}

/** Returns the document with the entries of an earlier run about it. */
export function withPast(task: BatchTask, journal: Journal | undefined): BatchTask {
  const recorded = journal?.find(task.path);
  const refused = journal?.findRefusal(task.path);
  if (recorded === undefined && refused === undefined) return task;
  return {
    ...task,
    ...defined({ recorded, refused }),
  };
}

/** Writes what a later run needs to know. Undefined if there is nothing new. */
export function keepResult(
  journal: Journal | undefined,
  { refused }: BatchTask,
  { record, refusal }: ItemResult,
): Promise<void> | undefined {
  if (record !== undefined) return journal?.add('done', record);
  // Compared by value, because threads return copies.
  const isKnown =
    refusal?.mtimeMs === refused?.mtimeMs && refusal?.error.code === refused?.error.code;
  return refusal === undefined || isKnown ? undefined : journal?.refuse(refusal);
}
