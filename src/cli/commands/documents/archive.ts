import type { Command } from 'commander';
import type { FlagSettings } from '../../../wire/config/layer.ts';
import {
  addBatchOptions,
  batchHelp,
  meansBatch,
  type ParsedBatchOptions,
  readBatchOptions,
  refuseDetached,
  requireInput,
} from '../../batch-options.ts';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  refuseUsage,
  type Start,
  yieldToEventLoop,
} from '../../context.ts';
import { naming } from '../../named-error.ts';
import {
  addDocumentOptions,
  addTimestampOptions,
  addTrustOptions,
  collect,
  detachedHelp,
  revocationHelp,
  type SettingOptions,
  settingsFrom,
} from '../../options.ts';
import { shownName } from '../../output/index.ts';
import { refuseJsonToStdout } from './seal.ts';

/** What `innsigli archive` was asked for. */
export interface ArchiveCommandOptions {
  readonly input: string;
  readonly output?: string;
  readonly inPlace: boolean;
  readonly force: boolean;
  /** Paths of documents that detached signatures refer to. */
  readonly detached: readonly string[];
  readonly settings: FlagSettings;
}

interface ParsedOptions extends SettingOptions, ParsedBatchOptions {
  readonly output?: string;
  readonly inPlace?: boolean;
  readonly force?: boolean;
  readonly detached?: readonly string[];
}

/** Adds `archive` to the command tree. */
export function defineArchive(program: Command, start: Start): void {
  const command = program
    .command('archive')
    .summary('bring a signed document to B-LTA, or renew it')
    .description('Bring a signed document to B-LTA; run it again to renew the archive time-stamp.')
    .argument('[inputs...]', 'PDF, XML or container, or - for stdin; folders, patterns for a batch')
    .option(
      '-o, --output <file>',
      'result, or - for stdout (default: NAME.archived, its ending kept)',
    )
    .option('--in-place', 'replace the input by the longer result')
    .option('-f, --force', 'replace an existing output')
    .option('--detached <file>', detachedHelp, collect);
  addTrustOptions(addTimestampOptions(addDocumentOptions(command)));
  addBatchOptions(command, 'archive');
  documentCommand(command, {
    text: [
      'Adds certificates and revocation data for every signature and time-stamp, and a new ' +
        'archive time-stamp over all of it. Earlier signatures stay as they are.',
      'Anchors of --trust, or of the configuration, replace the development root, unless its ' +
        'authority makes the time-stamps.',
      revocationHelp,
      ...batchHelp,
    ],
    examples: [
      ['innsigli archive signed.pdf', 'writes signed.archived.pdf'],
      ['innsigli archive signed.archived.pdf', 'writes signed.archived-2.pdf'],
      ['innsigli archive signed.pdf --in-place', 'renew a file of an archive'],
      ['innsigli archive vault --in-place --resume', 'renew all of it, however often interrupted'],
    ],
    exits: [
      [0, 'archived, verified and written'],
      [2, 'wrong usage, or the output exists'],
      [3, 'several documents, and some failed'],
      [6, 'the document forbids changes, or another batch is at work'],
      [7, 'no signature, or one that is not intact'],
      [8, 'authority, revocation data or network failed'],
      [10, 'configuration or trust problem'],
    ],
  });
  command.action((inputs: string[], options: ParsedOptions, self: Command) =>
    start(self, async (context) => {
      if (inputs.length > 1 || meansBatch(inputs, options, context.io.cwd)) {
        if (options.detached !== undefined) refuseDetached();
        const { runBatch } = await import('../../batch/index.ts');
        return runBatch(readBatchOptions('archive', inputs, options), context);
      }
      return runArchive(readOptions(requireInput(inputs), options), context);
    }),
  );
}

function readOptions(input: string, options: ParsedOptions): ArchiveCommandOptions {
  const { output } = options;
  return {
    input,
    ...(output === undefined ? {} : { output }),
    inPlace: options.inPlace === true,
    force: options.force === true,
    detached: options.detached ?? [],
    settings: settingsFrom(options),
  };
}

/** Archives one document, writes it and says what was done. */
export async function runArchive(
  options: ArchiveCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console, globals } = context;
  const { inPlace, force } = options;
  if (inPlace && options.output !== undefined) refuseUsage('expected --in-place or -o, found both');
  if (inPlace && options.input === '-') {
    refuseUsage('--in-place: expected a file, found standard input');
  }
  const files = await import('../../files/index.ts');
  const { archivedName, closeInput, planOutput, readDetached, readInput, writeOutput } = files;
  const { config } = await loadConfig(context, options.settings, 'sealing');
  const detached = await readDetached(options.detached, [options.input], io);
  const input = await readInput(options.input, io);
  try {
    const isSame = inPlace || options.input === '-';
    const output = options.output ?? (isSame ? options.input : archivedName(input));
    if (output === '-' && globals.json) refuseJsonToStdout();
    const plan = planOutput(output, input, { force, inPlace }, io);
    const toolkit = await openToolkit(context, config);
    const startedMs = io.now();
    const outcome = await console
      .busy(`Archiving ${shownName(options.input)}`, () =>
        naming(options.input, () => toolkit.augment(input.source, detached)),
      )
      .finally(() => toolkit.close());
    await yieldToEventLoop();
    writeOutput(plan, input, outcome, io);

    const { sayOutcome } = await import('../../report/index.ts');
    const elapsedMs = io.now() - startedMs;
    const given = { settings: options.settings, globals, detached: options.detached };
    await sayOutcome(
      { command: 'archive', input, output, outcome, elapsedMs, config, given },
      console,
    );
    return 0;
  } finally {
    closeInput(input);
  }
}
