import { existsSync, statSync } from 'node:fs';
import type { ExitCode } from '../../context.ts';
import { type Console, printable } from '../../output/index.ts';
import type { BatchOptions, BatchTask, JournalRecord } from '../batch.types.ts';

/** Prints for each document what would be done with it; nothing is written. */
export function printPlan(
  tasks: readonly BatchTask[],
  options: BatchOptions,
  past: ReadonlyMap<string, JournalRecord>,
  console: Console,
): ExitCode {
  const items = tasks.map((task) => ({
    input: task.name,
    ...(task.outputName === undefined ? {} : { output: task.outputName }),
    inputBytes: task.sizeBytes,
    action: actionFor(task, options, past.get(task.path)),
  }));
  if (console.mode.json) {
    console.document({ v: 1, command: options.command, dryRun: true, items });
    return 0;
  }
  for (const { input, output, action } of items) {
    const to = output === undefined || options.inPlace ? '' : ` → ${printable(output)}`;
    console.result(`${action}: ${printable(input)}${to}`);
  }
  return 0;
}

function actionFor(
  { path, output }: BatchTask,
  { command, inPlace, resume, watch, skipExisting, force }: BatchOptions,
  record: JournalRecord | undefined,
): string {
  if (!existsSync(path)) return 'fail, no such file';
  if (statSync(path).isDirectory()) return 'fail, the folder cannot be read';
  if (record !== undefined && (resume || watch)) return 'skip if unchanged since recorded';
  if (output === undefined || inPlace || !existsSync(output)) return command;
  if (resume || watch || skipExisting) return 'skip if the existing output is valid';
  return force ? `${command}, replacing the output` : 'fail, the output exists';
}
