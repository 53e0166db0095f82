import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { SealOptions, SealXmlOptions } from '../wire/toolkit.types.ts';
import type { BatchCommand, BatchOptions } from './batch/index.ts';
import { refuseUsage } from './context.ts';
import type { AsicKind } from './files/index.ts';
import { statPath } from './files/index.ts';
import { type SettingOptions, settingsFrom } from './options.ts';

/** Parsed options of a batch, as commander names them. */
export interface ParsedBatchOptions {
  readonly filesFrom?: string;
  readonly whole?: boolean;
  readonly secondOpinion?: boolean;
  readonly outDir?: string;
  readonly suffix?: string;
  readonly inPlace?: boolean;
  readonly force?: boolean;
  readonly jobs?: string;
  readonly resume?: boolean;
  readonly skipExisting?: boolean;
  readonly failFast?: boolean;
  readonly keepGoing?: boolean;
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly quarantineAfter?: string;
  readonly report?: string;
  readonly maxInflightBytes?: string;
  readonly tsaRate?: string;
}

const inflightBytes = 512 * 1024 * 1024;

/** Adds the options for many documents; commands without results have fewer. */
export function addBatchOptions(command: Command, kind: BatchCommand): Command {
  command
    .optionsGroup('Many documents:')
    .option('--files-from <file>', 'names of more inputs, one a line or ended by NUL; - for stdin')
    .option('-j, --jobs <count>', 'documents at the same time (default: cores less one)')
    .option('--report <file>', 'one JSON object for each document, and a summary')
    .option('-n, --dry-run', 'say what would be done, and do nothing')
    .option('--fail-fast', 'begin no further document after a failure')
    .option('--keep-going', 'go on after failures (default)')
    .option('--max-inflight-bytes <size>', 'inputs in work at once: 64M, 2G (default: 512M)');
  if (kind === 'verify') return command;
  return command
    .option('--out-dir <folder>', 'results, in the same tree as the inputs')
    .option('--suffix <text>', 'added to names of results before the ending')
    .option('--resume', 'continue a batch: what is done is checked and skipped')
    .option('--skip-existing', 'verify an existing output; skip when it is good')
    .option('--watch', 'keep looking for new files; Ctrl-C ends')
    .option(
      '--quarantine-after <count>',
      'failures until a watched file is moved away (default: 3)',
    )
    .option('--tsa-rate <count>', 'most requests a minute to --tsa authorities');
}

/** What help says about many documents. */
export const batchHelp = [
  'Several documents: name files, folders and quoted patterns with * ? ** [] {}. A folder gives ' +
    'its documents and those of its subfolders, known by their endings; hidden names, links ' +
    'to folders and links that lead out of the folder are left out, ' +
    'and so are results of the batch itself. Files named one by one keep their path below their ' +
    'common folder. Two results with one name, also when only case differs, are refused.',
  'A journal in the folder of the results (.innsigli-batch.jsonl) makes a batch survive a kill: ' +
    '--resume continues it, verifies what is done, and seals nothing twice. No link in the ' +
    'folder of the results is followed, also with --force. A changed input is done anew, with ' +
    '--force when its result exists. An input that is at fault itself leaves nothing to ' +
    'continue: --resume tells of it again, and tries it when it has changed. Ctrl-C finishes ' +
    'what was begun; a second one ends at once. --watch takes a ' +
    'file when it has not changed for 2 s and moves one that keeps failing to ' +
    '.innsigli-quarantine in the folder of the results.',
] as const;

/** True when the options or one of the inputs mean a batch. */
export function meansBatch(
  inputs: readonly string[],
  options: ParsedBatchOptions,
  cwd: string,
): boolean {
  if (batchFlags.some((flag) => options[flag] !== undefined)) return true;
  return inputs.some((input) => {
    if (input === '-') return false;
    const stats = statPath(resolve(cwd, input));
    return stats === undefined ? /[*?{]|\[.*\]/.test(input) : stats.isDirectory();
  });
}

/** Refuses to guess which of many documents a detached one belongs to. @throws usage.invalid */
export function refuseDetached(): never {
  return refuseUsage('--detached: only with documents that are named, not in a batch');
}

/** The first input. @throws usage.invalid when there is none */
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
] as const satisfies (keyof ParsedBatchOptions)[];

/** What is wished of each seal of a batch. */
export interface SealWishes {
  readonly seal?: SealOptions;
  readonly sealXml?: SealXmlOptions;
  /** An option asks for what only an XML document can have. */
  readonly isXml?: boolean;
  /** One container for each input. */
  readonly container?: AsicKind;
  readonly form?: 'cades';
}

/** The options of a batch. @throws usage.invalid */
export function readBatchOptions(
  command: BatchCommand,
  inputs: readonly string[],
  options: ParsedBatchOptions & SettingOptions & { readonly output?: string },
  { seal = {}, sealXml = {}, isXml = false, container, form }: SealWishes = {},
): BatchOptions {
  const { filesFrom, outDir, report, failFast, keepGoing } = options;
  if (options.output !== undefined) {
    refuseUsage('-o: one output for several documents', 'name a folder: --out-dir');
  }
  if (failFast && keepGoing) refuseUsage('expected --fail-fast or --keep-going, found both');
  const jobs = readCount('--jobs', options.jobs, 256);
  const tsaRate = readCount('--tsa-rate', options.tsaRate, 1_000_000);
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
    quarantineAfter: readCount('--quarantine-after', options.quarantineAfter, 1000) ?? 3,
    maxInflightBytes: readSize('--max-inflight-bytes', options.maxInflightBytes) ?? inflightBytes,
    seal,
    sealXml,
    isXml,
    ...(container === undefined ? {} : { container }),
    ...(form === undefined ? {} : { form }),
    settings: settingsFrom(options),
    ...(filesFrom === undefined ? {} : { filesFrom }),
    ...(outDir === undefined ? {} : { outDir }),
    ...(report === undefined ? {} : { report }),
    ...(jobs === undefined ? {} : { jobs }),
    ...(tsaRate === undefined ? {} : { tsaRate }),
  };
}

function readCount(flag: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  return refuseUsage(`${flag}: expected a whole number from 1 to ${max}, found "${text}"`);
}

function readSize(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)b?$/i.exec(text) ?? [];
  if (digits === undefined) {
    return refuseUsage(`${flag}: expected a size such as 64M or 2G, found "${text}"`);
  }
  const powers: Readonly<Record<string, number>> = { '': 0, k: 1, m: 2, g: 3 };
  return Number(digits) * 1024 ** (powers[unit.toLowerCase()] ?? 0);
}
