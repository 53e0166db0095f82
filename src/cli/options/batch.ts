import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import type { SealOptions, SealXmlOptions } from '../../wire/toolkit.types.ts';
import type { BatchCommand, BatchOptions } from '../batch/index.ts';
import { type Given, integer, reading } from '../command/index.ts';
import { refuseUsage } from '../context.ts';
import { type AsicKind, statPath } from '../files/index.ts';
import { type SettingOptions, settingsFrom } from './settings.ts';

const inflightBytes = 512 * 1024 * 1024;

const count = (max: number) => integer(1, max, `a whole number from 1 to ${max}`);

const size = reading((text, name) => {
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)b?$/i.exec(text) ?? [];
  if (digits === undefined) {
    return refuseUsage(`${name}: expected a size such as 64M or 2G, found "${text}"`);
  }
  const powers: Readonly<Record<string, number>> = { '': 0, k: 1, m: 2, g: 3 };
  return Number(digits) * 1024 ** (powers[unit.toLowerCase()] ?? 0);
});

/** Options for many documents. */
export const batchOptions = {
  'Many documents:': '',
  '--files-from <file>':
    'file with names of more inputs, one per line or NUL-terminated; - for stdin',
  '-j, --jobs <count>': {
    text: 'documents processed concurrently (default: cores minus one)',
    ...count(256),
  },
  '--report <file>': 'write one JSON object per document and a summary',
  '-n, --dry-run': 'print the plan and do nothing',
  '--fail-fast': 'start no further document after a failure',
  '--keep-going': 'continue after failures (default)',
  '--max-inflight-bytes <size>': {
    text: 'total size of inputs in progress: 64M, 2G (default: 512M)',
    ...size,
  },
} as const;

/** Further options for commands that write results. */
export const batchResultOptions = {
  '--out-dir <folder>': 'folder of the results, with the same tree as the inputs',
  '--suffix <text>': 'added to names of results before the extension',
  '--resume': 'continue a batch: finished documents are verified and skipped',
  '--skip-existing': 'verify an existing output; skip if it is valid',
  '--watch': 'keep watching for new files; Ctrl-C to stop',
  '--quarantine-after <count>': {
    text: 'failures until a watched file is moved away (default: 3)',
    ...count(1000),
  },
  '--tsa-rate <count>': {
    text: 'maximum requests per minute to --tsa authorities',
    ...count(1_000_000),
  },
} as const;

type GivenBatch = Partial<Given<object, typeof batchOptions & typeof batchResultOptions>>;

type BatchCommandOptions = GivenBatch &
  SettingOptions & {
    readonly output?: string | undefined;
    readonly inPlace?: true | undefined;
    readonly whole?: true | undefined;
    readonly secondOpinion?: true | undefined;
    readonly at?: number | undefined;
    readonly force?: true | undefined;
    readonly timestampOnly?: true | undefined;
  };

/** Help about many documents. */
export const batchHelp = [
  'Several documents: pass files, folders and quoted patterns with * ? ** [] {}. From a folder ' +
    'documents are selected by extension, also in subfolders; hidden names, links ' +
    'to folders, links that point outside the folder ' +
    'and results of the batch itself are skipped. Files named one by one keep their path below ' +
    'their common folder. Two results with the same name, ignoring case, are rejected.',
  'A journal in the folder of the results (.innsigli-batch.jsonl) lets a batch survive a kill: ' +
    '--resume continues it, verifies finished results, and seals nothing twice. No link in the ' +
    'folder of the results is followed, even with --force. A changed input is processed again; ' +
    'if its result exists, this needs --force. An input that is itself invalid is not ' +
    'retried: --resume reports it again, and retries it once it has changed. Ctrl-C finishes ' +
    'work in progress; a second one stops immediately. --watch processes a ' +
    'file once it has not changed for 2 s and moves files that keep failing to ' +
    '.innsigli-quarantine in the folder of the results.',
] as const;

/** True if the options or one of the inputs require a batch. */
export function meansBatch(inputs: readonly string[], options: GivenBatch, cwd: string): boolean {
  if (batchFlags.some((flag) => options[flag] !== undefined)) return true;
  return inputs.some((input) => {
    if (input === '-') return false;
    const stats = statPath(resolve(cwd, input));
    return stats === undefined ? /[*?{]|\[.*\]/.test(input) : stats.isDirectory();
  });
}

/** Rejects `--detached` in a batch: its document would be a guess. @throws usage.invalid */
export function refuseDetached(): never {
  return refuseUsage('--detached: expected named documents, found a batch');
}

/** The first input. @throws usage.invalid if there is none */
export function requireInput([input]: readonly string[]): string {
  const hint = 'name a file, a folder, a pattern, or - for standard input';
  return input ?? refuseUsage('expected a document, found none', hint);
}

const batchFlags = [
  'filesFrom',
  'outDir',
  'suffix',
  'jobs',
  'resume',
  'skipExisting',
  'failFast',
  'keepGoing',
  'dryRun',
  'watch',
  'quarantineAfter',
  'report',
  'maxInflightBytes',
  'tsaRate',
] as const satisfies (keyof GivenBatch)[];

/** Options of each seal of a batch. */
export interface BatchSeals {
  readonly seal?: SealOptions;
  readonly sealXml?: SealXmlOptions;
  /** An option applies to XML documents only. */
  readonly isXml?: boolean;
  /** Packs each input in a separate container. */
  readonly container?: AsicKind | undefined;
  readonly form?: 'cades' | undefined;
}

/** Returns the options of a batch. @throws usage.invalid */
export function readBatchOptions(
  command: BatchCommand,
  inputs: readonly string[],
  options: BatchCommandOptions,
  { seal = {}, sealXml = {}, isXml = false, container, form }: BatchSeals = {},
): BatchOptions {
  const { filesFrom, outDir, report, failFast, keepGoing, jobs, tsaRate } = options;
  if (options.output !== undefined) {
    const hint = 'name a folder: --out-dir';
    const isBare = command === 'seal-xml' && container === undefined;
    const orOne = isBare ? '; for one file with all of them add --container asic-e' : '';
    refuseUsage('-o: expected one document, found several', hint + orOne);
  }
  if (failFast && keepGoing) refuseUsage('expected --fail-fast or --keep-going, found both');
  return {
    command,
    inputs,
    suffix: options.suffix ?? '',
    inPlace: options.inPlace === true,
    whole: options.whole === true,
    secondOpinion: options.secondOpinion === true,
    force: options.force === true,
    resume: options.resume === true,
    skipExisting: options.skipExisting === true,
    failFast: failFast === true,
    dryRun: options.dryRun === true,
    watch: options.watch === true,
    quarantineAfter: options.quarantineAfter ?? 3,
    maxInflightBytes: options.maxInflightBytes ?? inflightBytes,
    seal,
    sealXml,
    isXml,
    timestampOnly: options.timestampOnly === true,
    settings: settingsFrom(options),
    ...defined({ container, form, filesFrom, outDir, report, jobs, tsaRate, atMs: options.at }),
  };
}
