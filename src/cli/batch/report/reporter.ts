import { accessSync, closeSync, constants, lstatSync, writeSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { osReason, systemCode } from '../../../base/os-errors.ts';
import { createAnew, createFile } from '../../../wire/documents.ts';
import type { CommandContext } from '../../context.ts';
import { unwritable } from '../../files/index.ts';
import type {
  BatchCommand,
  BatchSummary,
  BatchTask,
  ItemResult,
  ProgressReporter,
  ReporterOptions,
  Verdict,
} from '../batch.types.ts';
import { isSettled } from '../refusals.ts';
import { openTextReporter } from './text-reporter.ts';

/** Output of results: text lines or one JSON document, and the report. */
export interface BatchReporter {
  item(task: BatchTask, result: ItemResult): Promise<void>;
  /** Reports the summary of the batch. */
  finish(isInterrupted: boolean): Promise<BatchSummary>;
  /** Makes way for another line of output. */
  makeRoom(): void;
  /** Ends unfinished output when the batch fails with an error. */
  abandon(): void;
}

/** Opens an {@link BatchReporter}. @throws usage.output.exists, io.output.unwritable */
export function openReporter(options: ReporterOptions, context: CommandContext): BatchReporter {
  const { command, total, report: path, mayReplaceReport } = options;
  const { io, console } = context;
  const report = path === undefined ? undefined : openReportFile(path, mayReplaceReport);
  const progress = console.mode.json
    ? openJsonReporter(command, context)
    : openTextReporter(options, context);
  const counter = openCounts(command);
  const startedMs = io.now();
  const summarise = (isInterrupted: boolean) =>
    counter.summary(io.now() - startedMs, isInterrupted, total);
  const closeReport = (summary: BatchSummary) => {
    report?.write({ v: 1, summary });
    report?.close();
  };
  return {
    async item(task, result) {
      counter.add(result);
      report?.write({ v: 1, ...itemDocument(command, task, result) });
      await progress.item(task, result, summarise(false));
    },
    async finish(isInterrupted) {
      const summary = summarise(isInterrupted);
      closeReport(summary);
      await progress.finish(summary);
      return summary;
    },
    makeRoom: () => progress.makeRoom(),
    abandon() {
      const summary = summarise(true);
      closeReport(summary);
      progress.abandon(summary);
    },
  };
}

/** Writes the document of `--json` item by item, so that memory does not grow with their number. */
function openJsonReporter(
  command: BatchCommand,
  { io, console }: CommandContext,
): ProgressReporter {
  let count = 0;
  io.stdout.write(`{"v":1,"command":${JSON.stringify(command)},"items":[`);
  const end = (summary: BatchSummary) => {
    const rest = JSON.stringify({ summary, warnings: console.warnings() }).slice(1);
    io.stdout.write(`${count > 0 ? '\n' : ''}],${rest}\n`);
  };
  return {
    async item(task, result) {
      const document = JSON.stringify(itemDocument(command, task, result));
      io.stdout.write(`${count > 0 ? ',' : ''}\n${document}`);
      count += 1;
    },
    finish: async (summary) => end(summary),
    abandon: end,
    makeRoom: () => undefined,
  };
}

/** One item of the JSON document and of the report. */
function itemDocument(command: BatchCommand, task: BatchTask, result: ItemResult): object {
  const { record: _, refusal: _refusal, ...facts } = result;
  const output = task.outputName === undefined ? {} : { output: task.outputName };
  return { command, input: task.name, ...output, ...facts };
}

function openCounts(command: BatchCommand) {
  const counts = { done: 0, skipped: 0, failed: 0 };
  let open = 0;
  const sums = { inputBytes: 0, outputBytes: 0, timestampRequests: 0 };
  const verdicts: Partial<Record<Verdict, number>> = {};
  return {
    add(result: ItemResult): void {
      counts[result.status] += 1;
      if (result.error !== undefined && !isSettled(result.error.code)) open += 1;
      sums.inputBytes += result.inputBytes;
      sums.outputBytes += result.outputBytes ?? 0;
      sums.timestampRequests += result.timestampRequests ?? 0;
      const { verdict } = result;
      if (verdict !== undefined) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    },
    summary(
      elapsedMs: number,
      interrupted: boolean,
      total = counts.done + counts.skipped + counts.failed,
    ): BatchSummary {
      const checked = command === 'verify' ? { verdicts: { ...verdicts } } : {};
      return { total, ...counts, open, ...sums, elapsedMs, interrupted, ...checked };
    },
  };
}

/**
 * Rejects an unwritable report before the batch writes anything: its file is created later.
 *
 * @throws usage.output.exists, io.output.unwritable
 */
export function requireReportPlace(path: string, mayReplace: boolean): void {
  try {
    accessSync(`${dirname(path)}${sep}.`, constants.W_OK);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    if (stats !== undefined && !mayReplace) throw reportExists(path);
  } catch (cause) {
    throw isInnsigliError(cause) ? cause : unwritten(path, cause);
  }
}

/**
 * Opens a report: one JSON object per line.
 *
 * @param mayReplace an existing file may be overwritten
 * @throws usage.output.exists, io.link, io.output.unwritable
 */
function openReportFile(path: string, mayReplace: boolean) {
  let descriptor: number;
  try {
    descriptor = mayReplace ? createAnew(path, 0o644) : createFile(path, 0o644);
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    if (systemCode(cause) === 'EEXIST') throw reportExists(path);
    throw unwritten(path, cause);
  }
  return {
    write(value: object): void {
      try {
        writeSync(descriptor, `${JSON.stringify(value)}\n`);
      } catch (cause) {
        throw unwritten(path, cause);
      }
    },
    close: () => closeSync(descriptor),
  };
}

function reportExists(path: string): InnsigliError {
  return new InnsigliError('usage.output.exists', `the report ${path} already exists`, {
    details: { output: path },
    hint: 'choose a different name, or pass --force to replace it',
  });
}

function unwritten(path: string, cause: unknown): InnsigliError {
  const details = { output: path, reason: systemCode(cause) ?? 'unknown' };
  return unwritable(path, osReason(cause), { cause, details });
}
