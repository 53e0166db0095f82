import type { Command } from 'commander';
import { isCoreError } from '../../base/errors.ts';
import type { VerificationReport } from '../../verify/report.ts';
import type { FlagSettings } from '../../wire/config-layer.ts';
import type { NamedDocument, Toolkit } from '../../wire/toolkit.types.ts';
import {
  addBatchOptions,
  batchHelp,
  meansBatch,
  type ParsedBatchOptions,
  readBatchOptions,
  refuseDetached,
  requireInput,
} from '../batch-options.ts';
import { documentCommand } from '../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  letSignalsIn,
  loadConfig,
  openToolkit,
  type Start,
} from '../context.ts';
import { namedError } from '../named-error.ts';
import {
  addDocumentOptions,
  addTrustOption,
  collect,
  type SettingOptions,
  settingsFrom,
} from '../options.ts';
import { shownName } from '../output/index.ts';
import type { Verified } from '../report/index.ts';

/** What `innsigli verify` was asked for. */
export interface VerifyCommandOptions {
  /** Paths; `-` for stdin. */
  readonly inputs: readonly string[];
  /** Paths of documents that detached signatures refer to. */
  readonly detached: readonly string[];
  readonly settings: FlagSettings;
}

interface ParsedOptions extends SettingOptions, ParsedBatchOptions {
  readonly detached?: readonly string[];
}

/** Adds `verify` to the command tree. */
export function defineVerify(program: Command, start: Start): void {
  const command = program
    .command('verify')
    .summary('judge every signature of signed documents')
    .description('Judge every signature and time-stamp of PDF, XML and ASiC containers.')
    .argument('[inputs...]', 'signed documents, or - for stdin; folders and patterns for a batch')
    .option(
      '--detached <file>',
      'document that a detached signature is over (repeatable)',
      collect,
    );
  addBatchOptions(addTrustOption(addDocumentOptions(command)), 'verify');
  documentCommand(command, {
    text: [
      'Says for each signature whether it is intact, what it covers, whether a path leads to a ' +
        'trust anchor, and which level it reaches, with the indications of ETSI EN 319 102-1.',
      'With a folder, a pattern or an option of a batch: one line for each document.',
      batchHelp[0],
    ],
    examples: [
      ['innsigli verify agreement.sealed.pdf', 'against the development trust'],
      ['innsigli verify a.pdf --trust roots/', 'against your own anchors'],
      ['innsigli verify --json *.pdf', 'for programs'],
      ['innsigli verify a.sig.xml --detached a.bin', 'a signature beside its document'],
      ['innsigli verify vault --jobs 4 --report judged.jsonl', 'everything in a folder'],
    ],
    exits: [
      [0, 'every signature is TOTAL-PASSED'],
      [1, 'a file cannot be read'],
      [2, 'wrong usage'],
      [3, 'several documents, and one could not be judged, being damaged for instance'],
      [4, 'a password is missing or wrong'],
      [5, 'there is no such file'],
      [7, 'a signature is TOTAL-FAILED, or there is none, or it is no document; outweighs 3'],
      [9, 'a signature is INDETERMINATE; 3 outweighs it'],
      [10, 'a trust anchor or the configuration cannot be read'],
    ],
  });
  command.action((inputs: string[], options: ParsedOptions, self: Command) =>
    start(self, async (context) => {
      if (meansBatch(inputs, options, context.io.cwd)) {
        if (options.detached !== undefined) refuseDetached();
        const { runBatch } = await import('../batch/index.ts');
        return runBatch(readBatchOptions('verify', inputs, options), context);
      }
      requireInput(inputs);
      const { detached = [] } = options;
      return runVerify({ inputs, detached, settings: settingsFrom(options) }, context);
    }),
  );
}

/** Verifies documents one after the other and prints a report for each. */
export async function runVerify(
  options: VerifyCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { talk, globals } = context;
  const files = await import('../files/index.ts');
  const { reportDocument, reportLines, uncoveredText } = await import('../report/index.ts');
  const { config } = await loadConfig(context, options.settings);
  const toolkit = await openToolkit(context, config);
  const style = await talk.style('stdout');
  const results: Verified[] = [];
  const detached = await files.readDetached(options.detached, context.io);
  for (const name of options.inputs) {
    const result = await verifyOne(name, detached, toolkit, context, files);
    await letSignalsIn();
    // One document that cannot be judged is an error like any other; of several it is a row.
    if ('error' in result && options.inputs.length === 1) throw namedError(name, result.error);
    results.push(result);
    if (talk.manner.json) {
      // For people it stands in the report.
      const text = 'report' in result ? uncoveredText(result.report) : undefined;
      if (text !== undefined) await talk.warn(`${shownName(name)}: ${text}`, 'document.uncovered');
      continue;
    }
    if ('error' in result) await talk.error(namedError(name, result.error), globals.debug);
    else {
      if (results.length > 1) talk.result('');
      talk.result(reportLines(name, result.report, style, talk.manner));
    }
  }
  if (talk.manner.json) talk.document(reportDocument(results));
  return exitCodeOf(results);
}

async function verifyOne(
  input: string,
  detached: readonly NamedDocument[],
  toolkit: Toolkit,
  { io, talk }: CommandContext,
  files: typeof import('../files/index.ts'),
): Promise<Verified> {
  try {
    const document = await files.readInput(input, io);
    try {
      const work = () => toolkit.verify(document.source, detached);
      return { input, report: await talk.busy(`Verifying ${shownName(input)}`, work) };
    } finally {
      files.closeInput(document);
    }
  } catch (error) {
    if (!isCoreError(error) || error.code === 'internal.unexpected') throw error;
    return { input, error };
  }
}

// «No» outweighs «cannot say» outweighs «not yet».
function exitCodeOf(results: readonly Verified[]): ExitCode {
  const reports = results.flatMap((result) => ('report' in result ? [result.report] : []));
  const isNo = (report: VerificationReport) =>
    report.signatures.length === 0 ||
    report.signatures.some((signature) => signature.indication === 'TOTAL-FAILED');
  if (reports.some(isNo)) return 7;
  if (reports.length < results.length) return 3;
  return reports.every((report) => report.indication === 'TOTAL-PASSED') ? 0 : 9;
}
