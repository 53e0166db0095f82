import type { ProvesUntil } from '../../app/documents/sealed-document.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import type { ResolvedConfig } from '../../wire/config/config.ts';
import type { FlagSettings } from '../../wire/config/layer.ts';
import type { FilePlace, FolderMark } from '../../wire/documents.ts';
import type { ErrorData } from '../../wire/threads/thread-channel.ts';
import type { SealOptions, SealXmlOptions } from '../../wire/toolkit.types.ts';
import type { AsicKind } from '../files/index.ts';

/** Commands that process many documents. */
export type BatchCommand = 'seal' | 'seal-xml' | 'archive' | 'verify';

/** Options of the work on each document. */
export interface DocumentWork {
  readonly seal: SealOptions;
  readonly sealXml: SealXmlOptions;
  /** An option applies to XML documents only. */
  readonly isXml: boolean;
  /** Packs each input in a separate container. */
  readonly container?: AsicKind;
  readonly form?: 'cades';
  /** For archive: adds only a time-stamp over each input, signed or not. */
  readonly timestampOnly: boolean;
}

/** Options of a batch. */
export interface BatchOptions extends DocumentWork {
  readonly command: BatchCommand;
  /** Files, folders and patterns as entered by the user. */
  readonly inputs: readonly string[];
  /** A file with names, one per line or terminated by NUL; `-` for stdin. */
  readonly filesFrom?: string;
  readonly outDir?: string;
  /** Suffix of output names, before the extension. */
  readonly suffix: string;
  readonly inPlace: boolean;
  /** For verify: accepts only documents that are covered as a whole. */
  readonly whole: boolean;
  /** For verify: checks XML signatures with a second implementation, too. */
  readonly secondOpinion: boolean;
  /** Time of verification, epoch milliseconds. Default: now. */
  readonly atMs?: number;
  /** Allows replacing an existing output. */
  readonly force: boolean;
  /** Number of documents processed concurrently. Default: one less than the number of cores. */
  readonly jobs?: number;
  readonly resume: boolean;
  readonly skipExisting: boolean;
  readonly failFast: boolean;
  readonly dryRun: boolean;
  readonly watch: boolean;
  /** Number of failures after which a watched file is moved to quarantine. */
  readonly quarantineAfter: number;
  /** Path of the report. */
  readonly report?: string;
  readonly maxInflightBytes: number;
  /** Requests per minute to the time-stamping authorities, over all jobs. */
  readonly tsaRate?: number;
  readonly settings: FlagSettings;
}

/** Input shared by all documents of a batch; passed between threads. */
export interface BatchRequest
  extends DocumentWork,
    Pick<BatchOptions, 'command' | 'inPlace' | 'whole' | 'secondOpinion' | 'atMs' | 'force'> {
  readonly config: ResolvedConfig;
  /** The output folder as it was when the batch started. */
  readonly outRoot?: FolderMark;
  /** An existing output that is a valid result counts as done. */
  readonly acceptExisting: boolean;
}

/** An input found by the selection. */
export interface InputEntry {
  /** Display name, relative to what the user entered. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Path below the mirrored folder, with `/`. */
  readonly relative: string;
  /** Position below the folder it was found in. Undefined for a document named by the user. */
  readonly place?: FilePlace;
  readonly sizeBytes: number;
  /** Epoch milliseconds. */
  readonly mtimeMs: number;
}

/** A document to process; passed between threads. */
export interface BatchTask extends InputEntry {
  /** Absolute path of the result. Undefined for verify. */
  readonly output?: string;
  /** Display name of the output. */
  readonly outputName?: string;
  /** Path of the output below the output folder. */
  readonly outputBelow?: string;
  /** Journal entry of an earlier run about this document. */
  readonly recorded?: JournalRecord;
  /** Rejection by an earlier run. */
  readonly refused?: FailureRecord;
}

/** Journal entry of one finished document. */
export interface JournalRecord {
  /** Absolute path. */
  readonly input: string;
  readonly inputBytes: number;
  /** Epoch milliseconds, of the input before it was replaced. */
  readonly mtimeMs: number;
  /** Absolute path. */
  readonly output: string;
  readonly outputBytes: number;
  /** Number of input bytes with which the result starts. Default: all of them. */
  readonly keptBytes?: number;
  /** SHA-256 of the remaining bytes, hexadecimal. */
  readonly tailSha256: string;
  /** Id of the new signature in an XML document. */
  readonly signatureId?: string;
  /** The entry was announced but not confirmed. */
  readonly isIntent?: boolean;
}

/** Journal entry of an input that itself is at fault. */
export interface FailureRecord {
  /** Absolute path. */
  readonly input: string;
  readonly inputBytes: number;
  /** Epoch milliseconds. */
  readonly mtimeMs: number;
  readonly error: ErrorData;
}

/** Result of verifying one document, as one keyword. */
export type Verdict = VerificationReport['indication'] | 'NO-SIGNATURE' | 'NOT-WHOLE';

/** Result of one document; passed between threads. */
export interface ItemResult {
  readonly status: 'done' | 'skipped' | 'failed';
  readonly elapsedMs: number;
  readonly inputBytes: number;
  readonly outputBytes?: number;
  /** Reason for skipping it. */
  readonly reason?: string;
  readonly level?: string;
  readonly field?: string;
  /** Id of a new XML signature. */
  readonly signatureId?: string;
  readonly timestampRequests?: number;
  readonly provesUntil?: ProvesUntil;
  readonly warnings?: readonly string[];
  readonly verdict?: Verdict;
  /** Advice that could change the result. */
  readonly hint?: string;
  readonly report?: VerificationReport;
  readonly error?: ErrorData;
  /** Entry to write to the journal. */
  readonly record?: JournalRecord;
  /** Entry to write to the journal: the input is at fault, and retrying would change nothing. */
  readonly refusal?: FailureRecord;
}

/** Result of a batch. */
export interface BatchSummary {
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Number of failed documents that --resume would retry. */
  readonly open: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly timestampRequests: number;
  readonly elapsedMs: number;
  readonly interrupted: boolean;
  /** Number of documents by result, for verify. */
  readonly verdicts?: Readonly<Partial<Record<Verdict, number>>>;
}

/** Content and format of a report. */
export interface ReporterOptions {
  readonly command: BatchCommand;
  /** Total number of documents. Undefined if unknown, because the folder is watched. */
  readonly total?: number;
  /** Path of the report. */
  readonly report?: string;
  readonly mayReplaceReport: boolean;
  /** Advice for continuing after failures. */
  readonly continueHint?: string;
}

/** A progress report in one format. Only `item` and `finish` may take their time. */
export interface ProgressReporter {
  item(task: BatchTask, result: ItemResult, soFar: BatchSummary): Promise<void>;
  finish(summary: BatchSummary): Promise<void>;
  abandon(summary: BatchSummary): void;
  /** Clears the spinner, so that another line can be written. */
  makeRoom(): void;
}
