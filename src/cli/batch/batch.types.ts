import type { ProvesUntil } from '../../app/documents/sealed-document.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import type { ResolvedConfig } from '../../wire/config/config.ts';
import type { FlagSettings } from '../../wire/config/layer.ts';
import type { FilePlace, FolderMark } from '../../wire/documents.ts';
import type { ErrorData } from '../../wire/threads/thread-channel.ts';
import type { SealOptions, SealXmlOptions } from '../../wire/toolkit.types.ts';
import type { AsicKind } from '../files/index.ts';

/** The commands that work on many documents. */
export type BatchCommand = 'seal' | 'seal-xml' | 'archive' | 'verify';

/** What is done with each document. */
export interface DocumentWork {
  readonly seal: SealOptions;
  readonly sealXml: SealXmlOptions;
  /** An option asks for what only an XML document can have. */
  readonly isXml: boolean;
  /** One container for each input. */
  readonly container?: AsicKind;
  readonly form?: 'cades';
  /** Only a time-stamp over each input, signed or not; for archive. */
  readonly timestampOnly: boolean;
}

/** Request of a batch. */
export interface BatchOptions extends DocumentWork {
  readonly command: BatchCommand;
  /** Files, folders and patterns as the user wrote them. */
  readonly inputs: readonly string[];
  /** A file with names, one a line or ended by NUL; `-` for stdin. */
  readonly filesFrom?: string;
  readonly outDir?: string;
  /** Text that output names get before their ending. */
  readonly suffix: string;
  readonly inPlace: boolean;
  /** Only a document that is covered as a whole is good; for verify. */
  readonly whole: boolean;
  /** Another implementation is asked about XML signatures, too; for verify. */
  readonly secondOpinion: boolean;
  /** Time of verification, epoch milliseconds; absent: now. */
  readonly atMs?: number;
  /** An existing output may be replaced. */
  readonly force: boolean;
  /** Documents worked on at the same time; absent: one less than there are cores. */
  readonly jobs?: number;
  readonly resume: boolean;
  readonly skipExisting: boolean;
  readonly failFast: boolean;
  readonly dryRun: boolean;
  readonly watch: boolean;
  /** A watched file is moved away after this many failures. */
  readonly quarantineAfter: number;
  /** Path of the report. */
  readonly report?: string;
  readonly maxInflightBytes: number;
  /** Requests a minute to the time-stamp authorities, over all jobs. */
  readonly tsaRate?: number;
  readonly settings: FlagSettings;
}

/** Shared input for every document of a batch; crosses threads. */
export interface BatchRequest
  extends DocumentWork,
    Pick<BatchOptions, 'command' | 'inPlace' | 'whole' | 'secondOpinion' | 'atMs' | 'force'> {
  readonly config: ResolvedConfig;
  /** The folder of the results, as it was when the batch began. */
  readonly outRoot?: FolderMark;
  /** An existing output that is a good result counts as done. */
  readonly acceptExisting: boolean;
}

/** One input that was found. */
export interface InputEntry {
  /** For people: below what the user wrote. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Path below the folder that is mirrored, with `/`. */
  readonly relative: string;
  /** Position below the folder that it was found in; absent for a named document. */
  readonly place?: FilePlace;
  readonly sizeBytes: number;
  /** Epoch milliseconds. */
  readonly mtimeMs: number;
}

/** One document to work on; crosses threads. */
export interface BatchTask extends InputEntry {
  /** Absolute path of the result; absent for verify. */
  readonly output?: string;
  /** The same for people. */
  readonly outputName?: string;
  /** The same below the folder of the results. */
  readonly outputBelow?: string;
  /** Record of an earlier run about it. */
  readonly recorded?: JournalRecord;
  /** Reason for a refusal by an earlier run. */
  readonly refused?: FailureRecord;
}

/** Journal entry of one finished document. */
export interface JournalRecord {
  /** Absolute path. */
  readonly input: string;
  readonly inputBytes: number;
  /** Epoch milliseconds; of the input before it was replaced. */
  readonly mtimeMs: number;
  /** Absolute path. */
  readonly output: string;
  readonly outputBytes: number;
  /** Bytes of the input that the result begins with; left out when all of them. */
  readonly keptBytes?: number;
  /** SHA-256 of the bytes after them, hexadecimal. */
  readonly tailSha256: string;
  /** Id of the signature that was made in an XML document. */
  readonly signatureId?: string;
  /** It was announced and not confirmed. */
  readonly isIntent?: boolean;
}

/** Journal entry of an input that is at fault itself. */
export interface FailureRecord {
  /** Absolute path. */
  readonly input: string;
  readonly inputBytes: number;
  /** Epoch milliseconds. */
  readonly mtimeMs: number;
  readonly error: ErrorData;
}

/** Verdict of verify on one document, in one word. */
export type Verdict = VerificationReport['indication'] | 'NO-SIGNATURE' | 'NOT-WHOLE';

/** Result of one document; crosses threads. */
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
  /** Advice that could change the verdict. */
  readonly hint?: string;
  readonly report?: VerificationReport;
  readonly error?: ErrorData;
  /** To be written to the journal. */
  readonly record?: JournalRecord;
  /** To be written to the journal: the input is at fault, trying again would change nothing. */
  readonly refusal?: FailureRecord;
}

/** Result of a batch. */
export interface BatchSummary {
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  /** Failed documents that --resume would try again. */
  readonly open: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly timestampRequests: number;
  readonly elapsedMs: number;
  readonly interrupted: boolean;
  /** Documents by verdict, for verify. */
  readonly verdicts?: Readonly<Partial<Record<Verdict, number>>>;
}

/** Contents and form of a report. */
export interface ReporterOptions {
  readonly command: BatchCommand;
  /** Absent: not known, because the folder is watched. */
  readonly total?: number;
  /** Path of the report. */
  readonly report?: string;
  readonly mayReplaceReport: boolean;
  /** Advice for continuing after failures. */
  readonly continueHint?: string;
}

/** One form of a report of progress. Only `item` and `finish` may take their time. */
export interface ProgressReporter {
  item(task: BatchTask, result: ItemResult, soFar: BatchSummary): Promise<void>;
  finish(summary: BatchSummary): Promise<void>;
  abandon(summary: BatchSummary): void;
  /** Another line is written: the spinner gives way. */
  makeRoom(): void;
}
