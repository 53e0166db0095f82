import type { BatchTask, ItemResult } from '../batch.types.ts';
import type { Journal } from './journal.ts';

/** The document with what an earlier run wrote about it. */
export function withPast(task: BatchTask, journal: Journal | undefined): BatchTask {
  const recorded = journal?.find(task.path);
  const refused = journal?.findRefusal(task.path);
  if (recorded === undefined && refused === undefined) return task;
  return {
    ...task,
    ...(recorded === undefined ? {} : { recorded }),
    ...(refused === undefined ? {} : { refused }),
  };
}

/** Writes what a later run has to know; undefined when that is nothing new. */
export function keepResult(
  journal: Journal | undefined,
  { refused }: BatchTask,
  { record, refusal }: ItemResult,
): Promise<void> | undefined {
  if (record !== undefined) return journal?.add('done', record);
  // Threads give copies.
  const isKnown =
    refusal?.mtimeMs === refused?.mtimeMs && refusal?.error.code === refused?.error.code;
  return refusal === undefined || isKnown ? undefined : journal?.refuse(refusal);
}
