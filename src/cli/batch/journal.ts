import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CoreError, isCoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { syncFolder } from '../files/index.ts';
import type { FailureRecord, JournalRecord } from './batch.types.ts';

/**
 * What a batch has done so far, in a file that survives a kill at any time. One JSON value a line:
 *
 *     {"v":1,"journal":"innsigli batch","options":"<SHA-256>"}
 *     {"intent":{…}}      in place only: the input is about to be replaced by this
 *     {"done":{…}}        the output is there
 *     {"refused":{…}}     the input is at fault; tried again when it has changed
 *     {"finished":{…}}    everything was done or refused
 */
export interface Journal {
  readonly path: string;
  /** What an earlier run wrote about an input, by its absolute path. */
  find(input: string): JournalRecord | undefined;
  /** Why an earlier run refused an input. */
  findRefusal(input: string): FailureRecord | undefined;
  /**
   * Resolves when the line is on the disk. The name of a result that is done is made durable before
   * that: writers leave it to the journal.
   */
  add(kind: 'intent' | 'done', record: JournalRecord): Promise<void>;
  refuse(record: FailureRecord): Promise<void>;
  finish(summary: object): Promise<void>;
  close(): Promise<void>;
}

/** How to open a journal. */
export interface JournalOptions {
  readonly path: string;
  /** Digest of everything that makes one result differ from another. */
  readonly fingerprint: string;
  /** Continue the journal that is there. */
  readonly resume: boolean;
  /** Begin anew although an unfinished journal is there. */
  readonly force: boolean;
}

/** Name of the journal in the folder of the results. */
export const journalName = '.innsigli-batch.jsonl';

const title = 'innsigli batch';

/** So long lines wait for others: one fsync serves them all, and nobody waits for it. */
const gatherMs = 5;
/** With so many lines there is no need to wait for more. */
const gatherMax = 32;

interface Past {
  readonly options: string;
  readonly records: Map<string, JournalRecord>;
  readonly refusals: Map<string, FailureRecord>;
  readonly isFinished: boolean;
  /** Where a line that was torn by a kill begins. */
  readonly wholeBytes: number;
}

/**
 * Opens the journal at `path`, or begins one.
 *
 * @throws batch.unfinished when it would be lost
 * @throws batch.journal.invalid when it cannot be continued
 * @throws io.output.unwritable
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const { path, fingerprint, resume, force } = options;
  const past = readPast(path);
  if (past !== undefined && resume && past.options !== fingerprint) {
    throw new CoreError('batch.journal.invalid', 'the unfinished batch had other options', {
      details: { journal: path },
      hint: 'use the options of the first run, or start anew with --force and without --resume',
    });
  }
  if (past !== undefined && !resume && !force && !past.isFinished) {
    throw new CoreError('batch.unfinished', `an unfinished batch is recorded in ${path}`, {
      details: { journal: path },
      hint: '--resume continues it; --force starts anew and replaces outputs',
    });
  }
  try {
    if (past !== undefined && resume) truncateSync(path, past.wholeBytes);
    else begin(path, fingerprint);
    return journalOver(path, await open(path, 'a'), resume ? past : undefined);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/** What the journal at `path` says, by input; nothing when there is none. */
export function readRecords(path: string): ReadonlyMap<string, JournalRecord> {
  return readPast(path)?.records ?? new Map();
}

interface Line {
  readonly text: string;
  /** Folder of the result that the line calls done. */
  readonly folder?: string;
  /** A worker waits for it. */
  readonly isUrgent: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

function journalOver(path: string, file: FileHandle, past: Past | undefined): Journal {
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
      await file.appendFile(lines.map(({ text }) => text).join(''));
      await file.datasync();
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
    close: () => file.close(),
  };
}

/** Makes the names of results durable, with one fsync for each folder; some systems refuse. */
async function syncNames(lines: readonly Line[]): Promise<void> {
  const folders = new Set(lines.flatMap(({ folder }) => folder ?? []));
  const sync = async (folder: string) => {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  };
  await Promise.allSettled([...folders].map(sync));
}

function begin(path: string, fingerprint: string): void {
  const descriptor = openSync(path, 'w', 0o644);
  writeSync(descriptor, `${JSON.stringify({ v: 1, journal: title, options: fingerprint })}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  syncFolder(dirname(path));
}

/** Undefined when there is no journal, or one that was killed before its first line. */
function readPast(path: string): Past | undefined {
  let text: string;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw notOurs(path, 'is no file');
    if (stats.size > limits.batchJournalBytes) {
      throw notOurs(path, `is longer than ${limits.batchJournalBytes} bytes`);
    }
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unwritable(path, cause);
  }
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole === '') return undefined;
  const records = new Map<string, JournalRecord>();
  const refusals = new Map<string, FailureRecord>();
  let options: string | undefined;
  let isFinished = false;
  for (const [index, line] of whole.split('\n').slice(0, -1).entries()) {
    const value = parseLine(line, index, path);
    if (index === 0) {
      if (value['journal'] !== title || value['v'] !== 1) throw damaged(path, 1);
      options = String(value['options']);
    }
    const done = value['done'] as JournalRecord | undefined;
    const intent = value['intent'] as JournalRecord | undefined;
    const refused = value['refused'] as FailureRecord | undefined;
    if (done !== undefined) {
      records.set(done.input, done);
      refusals.delete(done.input);
    }
    if (refused !== undefined) refusals.set(refused.input, refused);
    if (intent !== undefined) records.set(intent.input, { ...intent, isIntent: true });
    isFinished = value['finished'] !== undefined;
  }
  const wholeBytes = Buffer.byteLength(whole);
  return { options: options ?? '', records, refusals, isFinished, wholeBytes };
}

function parseLine(line: string, index: number, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Told below: only the last line may be torn, and that one was cut off.
  }
  throw damaged(path, index + 1);
}

function damaged(path: string, line: number): CoreError {
  return notOurs(path, `has a line ${line} that is not one of a batch journal`);
}

function notOurs(path: string, what: string): CoreError {
  return new CoreError('batch.journal.invalid', `the journal ${path} ${what}`, {
    details: { journal: path },
    hint: 'move the journal away: --resume then judges the outputs that are there',
  });
}

function unwritable(path: string, cause: unknown): unknown {
  if (isCoreError(cause)) return cause;
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  const message = `the journal ${path} cannot be written: ${reason}`;
  return new CoreError('io.output.unwritable', message, { cause, details: { journal: path } });
}
