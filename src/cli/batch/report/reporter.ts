import type { CommandContext } from '../../context.ts';
import type { BatchCommand, BatchSummary, BatchTask, ItemResult } from '../batch.types.ts';
import { openCounts } from './counts.ts';
import type { ProgressReporter, ReporterOptions } from './progress.types.ts';
import { openReportFile } from './report-file.ts';
import { openTextReporter } from './text-reporter.ts';

/** Where results are told: lines for people or one JSON document, and the report. */
export interface BatchReporter {
  item(task: BatchTask, result: ItemResult): Promise<void>;
  /** Says how the batch went. */
  finish(isInterrupted: boolean): Promise<BatchSummary>;
  /** A line of somebody else comes. */
  makeRoom(): void;
  /** Ends what was begun when the batch ends by an error. */
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

/** The one document of `--json`, written item by item: memory does not grow with their count. */
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
