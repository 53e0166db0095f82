import { join, resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { osErrorText, systemCode } from '../../base/os-errors.ts';
import { type FolderMark, makeFolders, markFolder } from '../../wire/documents.ts';
import { type ErrorData, errorOf } from '../../wire/threads/thread-channel.ts';
import { type CommandContext, type ExitCode, loadSealConfig } from '../context.ts';
import type { StopSignal } from '../io.ts';
import { counted } from '../output/index.ts';
import type { BatchOptions, BatchSummary, BatchTask, ItemResult, Verdict } from './batch.types.ts';
import {
  type Journal,
  journalName,
  keepResult,
  openJournal,
  readRecords,
  withPast,
} from './journal/journal.ts';
import { takeLock } from './journal/lock.ts';
import { printPlan } from './plan/dry-run.ts';
import { requireUsable } from './plan/options-check.ts';
import { planTasks, requireApart } from './plan/output-plan.ts';
import { fingerprintOf, journalFolder, moveToQuarantine, removeLeftovers } from './plan/paths.ts';
import { readNameList, requireMatches, selectInputs } from './plan/selection.ts';
import { type BatchReporter, openReporter, requireReportPlace } from './report/reporter.ts';
import { openStop, type Stop } from './stop.ts';
import { runTasks } from './threads/runner.ts';
import { openHost, openWorkers, type WorkerOptions } from './threads/worker-host.ts';
import { openWatch, type Watch } from './watch.ts';

/**
 * Processes many documents: selects them, plans the outputs, and keeps a journal, so that a run
 * that ended early for any reason can be continued without sealing anything twice.
 *
 * @throws usage.invalid, batch.*, and errors that concern all documents: key.*, config.*
 */
export async function runBatch(options: BatchOptions, context: CommandContext): Promise<ExitCode> {
  const { io, console } = context;
  await requireUsable(options, io.cwd);
  const outDir = options.outDir === undefined ? undefined : resolve(io.cwd, options.outDir);
  const config = await loadSealConfig(context, options.settings, options);
  const listed = await readNameList(options.filesFrom, io);
  const { suffix, container, timestampOnly, inPlace, outDir: outDirName = '' } = options;
  const choice = {
    suffix,
    ...(outDir === undefined ? {} : { outDir, outDirName }),
    ...defined({ container }),
    timestampOnly,
  };
  const roots = new Map<string, FolderMark>();
  const leftOut = new Set<string>();
  const onLeftOut = (name: string) => {
    if (leftOut.has(name)) return;
    leftOut.add(name);
    void console.warn(`${name} points outside the folder and was skipped`);
  };
  const plan = async () => {
    const entries = await selectInputs({
      ...choice,
      command: options.command,
      isAnyFile: container !== undefined || (timestampOnly && !inPlace),
      cwd: io.cwd,
      inputs: options.inputs,
      listed,
      roots,
      onLeftOut,
    });
    return planTasks(entries, { ...choice, inPlace: options.inPlace });
  };
  const tasks = await plan();
  if (!options.watch) {
    if (tasks.length === 0) {
      await requireMatches(options.inputs, io.cwd);
      throw nothingFound(options);
    }
    requireApart(tasks, { ...choice, inPlace: options.inPlace });
  }
  const folder = journalFolder(outDir, tasks);
  const journalPath = join(folder, journalName);
  if (options.dryRun) return printPlan(tasks, options, readRecords(journalPath), console);

  const { report, mayReplaceReport } = reportFile(options, context);
  if (report !== undefined) requireReportPlace(report, mayReplaceReport);
  if (options.command === 'verify') return work({ options, config, plan, tasks, context });
  const outRoot = outDir === undefined ? undefined : makeFolder(outDir, options);
  const lock = takeLock(join(folder, '.innsigli-batch.lock'), io.random);
  const forget = io.onStop(() => lock.release());
  try {
    const resume = options.resume || options.watch;
    if (resume) removeLeftovers(tasks, outRoot);
    const fingerprint = fingerprintOf(options, config);
    const { force } = options;
    const journal = await openJournal({ path: journalPath, fingerprint, resume, force });
    console.detail(`journal: ${journal.path}`);
    try {
      const root = outRoot === undefined ? {} : { outRoot };
      return await work({ options, config, plan, tasks, context, journal, ...root });
    } finally {
      await journal.close();
    }
  } finally {
    forget();
    lock.release();
  }
}

interface BatchWork extends WorkerOptions {
  readonly plan: () => Promise<readonly BatchTask[]>;
}

async function work(batch: BatchWork): Promise<ExitCode> {
  const { options, tasks, context, journal } = batch;
  let reporter: BatchReporter | undefined;
  const stop = openStop(context, () => reporter?.makeRoom());
  let failed = 0;
  let alone: ExitCode | undefined;
  const mayStop = () => stop.signal() !== undefined || (options.failFast && failed > 0);
  const host = openHost(batch, stop);
  const workers = await openWorkers(batch, host);
  reporter = openReporter(reporterOptions(batch), context);
  const { item, finish, abandon } = reporter;
  const watch = options.watch ? watchOver(batch, stop, mayStop) : undefined;
  let isTold = false;
  try {
    await runTasks({
      tasks: watch?.tasks() ?? each(tasks, journal),
      workers,
      maxInflightBytes: options.maxInflightBytes,
      mayStop,
      settle: settling(
        journal,
        async (task, result) => {
          await item(task, result);
          watch?.settled(task, result.status !== 'failed');
        },
        (task, { error }) => {
          failed += 1;
          if (isNamedAlone(task, options)) alone = error && errorOf(error).kind.exitCode;
        },
      ),
    });
    const summary = await finish(stop.signal() !== undefined);
    isTold = true;
    if (isComplete(summary, options)) await journal?.finish(summary);
    return exitCodeOf(summary, stop.signal(), options, alone);
  } finally {
    if (!isTold) abandon();
    await Promise.all(workers.map((worker) => worker.close()));
  }
}

/** Writes a result to the journal, then reports it, in the order of completion. */
function settling(
  journal: Journal | undefined,
  tell: (task: BatchTask, result: ItemResult) => Promise<void>,
  onFailure: (task: BatchTask, result: ItemResult) => void,
) {
  let reported: Promise<unknown> = Promise.resolve();
  return (task: BatchTask, result: ItemResult): Promise<void> => {
    const { error, status, verdict } = result;
    if (error?.code === 'interrupted') return Promise.resolve();
    if (error !== undefined && concernsAll(error)) return Promise.reject(endOf(error));
    const isNo = verdict !== undefined && failedVerdicts.includes(verdict);
    if (status === 'failed' || isNo) onFailure(task, result);
    const kept = keepResult(journal, task, result);
    const turn = Promise.allSettled([reported]).then(async () => {
      await kept;
      await tell(task, result);
    });
    kept?.catch(() => undefined);
    reported = turn;
    return turn;
  };
}

async function* each(
  tasks: readonly BatchTask[],
  journal: Journal | undefined,
): AsyncGenerator<BatchTask, undefined> {
  for (const task of tasks) yield withPast(task, journal);
}

function watchOver(batch: BatchWork, stop: Stop, mayStop: () => boolean): Watch {
  const { options, context, journal, plan, outRoot } = batch;
  const { io, console } = context;
  return openWatch({
    async scan() {
      const tasks = await plan();
      return tasks.map((task) => withPast(task, journal));
    },
    now: io.now,
    wait: stop.wait,
    mayStop,
    quarantineAfter: options.quarantineAfter,
    quarantine(task, failures) {
      if (outRoot === undefined) return;
      const path = moveToQuarantine(task, outRoot);
      void console.warn(
        `${task.name} failed ${counted(failures, 'time')} and was moved to ${path}`,
      );
    },
  });
}

function reportFile({ report, force, resume, watch }: BatchOptions, { io }: CommandContext) {
  const path = report === undefined ? undefined : resolve(io.cwd, report);
  return { mayReplaceReport: force || resume || watch, ...defined({ report: path }) };
}

function reporterOptions({ options, tasks, context, journal }: BatchWork) {
  return {
    command: options.command,
    ...reportFile(options, context),
    ...(options.watch ? {} : { total: tasks.length }),
    ...(journal === undefined
      ? {}
      : { continueHint: 'To continue: run the same command with --resume' }),
  };
}

/** True for errors that every other document would meet, too. */
function concernsAll(error: ErrorData): boolean {
  const { code } = error;
  if (isFull(error)) return true;
  return /^(key|config)\./.test(code) || code === 'tsa.missing' || code === 'tsa.credentials';
}

/** True for a full disk, which is reported once. */
function isFull({ code, details }: ErrorData): boolean {
  const reasons = ['ENOSPC', 'EDQUOT', 'EROFS'];
  return code === 'io.output.unwritable' && reasons.includes(String(details['reason']));
}

function endOf(error: ErrorData): InnsigliError {
  const hint = 'free some space, then run the same command with --resume';
  return errorOf(isFull(error) ? { ...error, hint } : error);
}

const failedVerdicts: readonly Verdict[] = ['TOTAL-FAILED', 'NO-SIGNATURE', 'NOT-WHOLE'];

/** True if --resume would have nothing left to do. */
function isComplete(summary: BatchSummary, { watch }: BatchOptions): boolean {
  const { total, done, skipped, failed, open, interrupted } = summary;
  return !watch && !interrupted && open === 0 && done + skipped + failed === total;
}

// Failure takes precedence over error, and error over indeterminate, as for a single document.
function exitCodeOf(
  { failed, verdicts = {} }: BatchSummary,
  signal: StopSignal | undefined,
  { watch }: BatchOptions,
  alone: ExitCode = 3,
): ExitCode {
  if (signal !== undefined && !(watch && signal !== 'SIGINT')) return 130;
  if (failedVerdicts.some((verdict) => verdicts[verdict])) return 7;
  if (failed > 0) return watch ? 3 : alone;
  return verdicts.INDETERMINATE ? 9 : 0;
}

/** True if this is the only document named: its exit code is then that of a run outside a batch. */
function isNamedAlone({ name }: BatchTask, { inputs, filesFrom }: BatchOptions): boolean {
  return inputs.length === 1 && inputs[0] === name && filesFrom === undefined;
}

function makeFolder(path: string, { outDir = '' }: BatchOptions): FolderMark {
  try {
    makeFolders(path);
    return markFolder(path);
  } catch (cause) {
    const reason = systemCode(cause) ?? 'unknown';
    const isTaken = reason === 'EEXIST' || reason === 'ENOTDIR';
    const message = `cannot create the folder ${outDir}: ${osErrorText(reason)}`;
    throw new InnsigliError('io.output.unwritable', message, {
      cause,
      details: { output: outDir },
      hint: isTaken ? 'choose a different --out-dir' : 'choose a folder you can write to',
    });
  }
}

function nothingFound({ inputs, filesFrom }: BatchOptions): InnsigliError {
  const where = [...inputs, ...(filesFrom === undefined ? [] : [filesFrom])].join(', ');
  return new InnsigliError('io.input.notfound', `no document found: ${where}`, {
    hint: 'name a folder with documents, or quote the pattern so that the shell does not expand it',
  });
}
