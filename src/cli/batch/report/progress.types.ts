import type { BatchCommand, BatchSummary, BatchTask, ItemResult } from '../batch.types.ts';

/** What is told, and how. */
export interface ReporterOptions {
  readonly command: BatchCommand;
  /** Absent: not known, because the folder is watched. */
  readonly total?: number;
  /** Path of the report. */
  readonly report?: string;
  readonly mayReplaceReport: boolean;
  /** How to go on after failures, for people. */
  readonly continueHint?: string;
}

/** One way of telling. Only `item` and `finish` may take their time. */
export interface ProgressReporter {
  item(task: BatchTask, result: ItemResult, soFar: BatchSummary): Promise<void>;
  finish(summary: BatchSummary): Promise<void>;
  abandon(summary: BatchSummary): void;
  /** A line of somebody else comes: no spinner stands in it. */
  makeRoom(): void;
}
