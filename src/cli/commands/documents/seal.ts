import type { Command } from 'commander';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import type { FlagSettings } from '../../../wire/config/layer.ts';
import type { SealOptions } from '../../../wire/toolkit.types.ts';
import {
  addBatchOptions,
  batchHelp,
  meansBatch,
  type ParsedBatchOptions,
  readBatchOptions,
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
  addKeyOptions,
  addTimestampOptions,
  addTrustOptions,
  digestOption,
  levelOption,
  revocationHelp,
  type SettingOptions,
  settingsFrom,
} from '../../options.ts';
import { shownName } from '../../output/index.ts';
import { addVisibleOptions, readVisible, type VisibleOptions } from '../../visible-options.ts';

/** What `innsigli seal` was asked for. */
export interface SealCommandOptions {
  /** A path, or `-` for stdin. */
  readonly input: string;
  /** A path, or `-` for stdout; absent: beside the input. */
  readonly output?: string;
  readonly inPlace: boolean;
  readonly force: boolean;
  readonly seal: SealOptions;
  readonly look: VisibleOptions;
  readonly settings: FlagSettings;
}

interface ParsedOptions extends SettingOptions, VisibleOptions, ParsedBatchOptions {
  readonly output?: string;
  readonly force?: boolean;
  readonly reason?: string;
  readonly location?: string;
  readonly name?: string;
  readonly contact?: string;
  readonly field?: string;
  readonly certify?: string;
  readonly pss?: boolean;
  readonly ignorePermissions?: boolean;
}

/** Adds `seal` to the command tree. */
export function defineSeal(program: Command, start: Start): void {
  const command = program
    .command('seal')
    .summary('seal a PDF (PAdES B-B … B-LTA)')
    .description('Seal a PDF. The input stays as it is; the result starts with its exact bytes.')
    .argument('[inputs...]', 'PDF to seal, or - for stdin; files, folders, patterns for a batch')
    .optionsGroup('Result:')
    .option('-o, --output <file>', 'result, or - for stdout (default: NAME.sealed.pdf)')
    .option('--in-place', 'replace the input by the longer result')
    .option('-f, --force', 'replace an existing output')
    .optionsGroup('Signature:')
    .addOption(levelOption())
    .option('--reason <text>', 'reason shown by viewers')
    .option('--location <text>', 'place shown by viewers')
    .option('--name <text>', 'name of the signer shown by viewers')
    .option('--contact <text>', 'how to reach the signer')
    .option('--field <name>', 'signature field to use or make')
    .option('--certify <permission>', 'certify: p1 no changes, p2 forms, p3 comments too')
    .addOption(digestOption())
    .option('--pss', 'RSA-PSS signature instead of PKCS #1 v1.5');
  addDocumentOptions(command).option(
    '--ignore-permissions',
    'make a field although an encrypted PDF permits to fill fields only',
  );
  addTrustOptions(addTimestampOptions(addKeyOptions(addVisibleOptions(command))));
  addBatchOptions(command, 'seal');
  documentCommand(command, {
    text: [
      'Without a key option the key of the development trust seals, which only you trust. ' +
        'Without --tsa the embedded time-stamp authority answers. A level that cannot be ' +
        'reached is an error. The result is verified before it is written.',
      revocationHelp,
      ...batchHelp,
    ],
    examples: [
      ['innsigli seal agreement.pdf', 'seal to B-LTA with the development key'],
      ['innsigli seal a.pdf --p12 seal.p12 --password-file pw', 'seal with your own key'],
      ['innsigli seal a.pdf --level b-t --tsa https://tsa.example', 'ask a time-stamp authority'],
      ['innsigli seal a.pdf --visible --image logo.png --qr', 'with a drawn seal'],
      ['innsigli seal - -o - < a.pdf > b.pdf', 'in a pipe'],
      ['innsigli seal letters --out-dir sealed --resume', 'a folder, however often interrupted'],
    ],
    exits: [
      [0, 'sealed, verified and written'],
      [1, 'a file cannot be read or written'],
      [2, 'wrong usage, or the output exists'],
      [3, 'several documents, and some failed'],
      [4, 'a password is missing or wrong'],
      [5, 'there is no such file'],
      [6, 'the document forbids another signature, or another batch is at work'],
      [7, 'the document cannot be sealed: no PDF, cut off, damaged and signed'],
      [8, 'the time-stamp authority or the network failed'],
      [10, 'key, certificate or configuration problem'],
      [130, 'interrupted'],
    ],
  });
  command.action((inputs: string[], options: ParsedOptions, self: Command) =>
    start(self, async (context) => {
      if (inputs.length > 1 || meansBatch(inputs, options, context.io.cwd)) {
        const { seal, look } = readOptions('', options);
        const visible = await readVisible(look, context.io.cwd);
        const wishes = { ...seal, ...(visible === undefined ? {} : { visible }) };
        const { runBatch } = await import('../../batch/index.ts');
        return runBatch(readBatchOptions('seal', inputs, options, { seal: wishes }), context);
      }
      return runSeal(readOptions(requireInput(inputs), options), context);
    }),
  );
}

/** Seals one document, writes it and says what was done. */
export async function runSeal(
  options: SealCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console, globals } = context;
  const files = await import('../../files/index.ts');
  const { closeInput, planOutput, readInput, siblingName, writeOutput } = files;
  const { inPlace, force } = options;
  if (inPlace && options.output !== undefined) refuseUsage('expected --in-place or -o, found both');
  if (inPlace && options.input === '-') {
    refuseUsage('--in-place: expected a file, found standard input');
  }
  const { config } = await loadConfig(context, options.settings, 'sealing');
  const output =
    options.output ??
    (inPlace || options.input === '-' ? options.input : siblingName(options.input, 'sealed'));
  if (output === '-' && globals.json) refuseJsonToStdout();

  const visible = await readVisible(options.look, io.cwd);
  const input = await readInput(options.input, io);
  try {
    const plan = planOutput(output, input, { force, inPlace }, io);
    const toolkit = await openToolkit(context, config);
    const startedMs = io.now();
    const wishes = {
      ...options.seal,
      ...(visible === undefined ? {} : { visible }),
      level: config.level,
      digest: config.digest,
    };
    const outcome = await console
      .busy(`Sealing ${shownName(options.input)}`, () =>
        naming(options.input, () => toolkit.seal(input.source, wishes)),
      )
      .catch((error: unknown) => {
        throw wishes.scheme === undefined ? error : asUsage(error);
      })
      .finally(() => toolkit.close());
    await yieldToEventLoop();
    writeOutput(plan, input, outcome, io);

    const { sayOutcome } = await import('../../report/index.ts');
    const elapsedMs = io.now() - startedMs;
    const given = { settings: options.settings, globals };
    await sayOutcome(
      { command: 'seal', input, output, outcome, elapsedMs, config, given },
      console,
    );
    return 0;
  } finally {
    closeInput(input);
  }
}

/** The error, or what it means to a user: a scheme that the key cannot do is a wrong option. */
export function asUsage(error: unknown): unknown {
  if (!isInnsigliError(error) || error.code !== 'algorithm.unsupported') return error;
  const { details, cause } = error;
  if (details['keyType'] === undefined) return error;
  const message = `--pss: expected an RSA key, found one of type ${details['keyType']}`;
  return new InnsigliError('usage.invalid', message, { details, cause, hint: 'leave out --pss' });
}

/** Refuses the JSON document and a result on the same stream. @throws usage.invalid */
export function refuseJsonToStdout(): never {
  return refuseUsage('--json and a document cannot both go to stdout', 'name a file with -o');
}

function readOptions(input: string, options: ParsedOptions): SealCommandOptions {
  const { reason, location, name, contact, field, output } = options;
  const certify = options.certify === undefined ? undefined : readPermission(options.certify);
  return {
    input,
    ...(output === undefined ? {} : { output }),
    inPlace: options.inPlace === true,
    force: options.force === true,
    seal: {
      ...(reason === undefined ? {} : { reason }),
      ...(location === undefined ? {} : { location }),
      ...(name === undefined ? {} : { name }),
      ...(contact === undefined ? {} : { contact }),
      ...(field === undefined ? {} : { field }),
      ...(certify === undefined ? {} : { certify }),
      ...(options.ignorePermissions === true ? { ignorePermissions: true } : {}),
      ...(options.pss === true ? { scheme: 'rsa-pss' as const } : {}),
    },
    look: options,
    settings: settingsFrom(options),
  };
}

function readPermission(text: string): 1 | 2 | 3 {
  const digit = /^p?([123])$/i.exec(text)?.[1];
  if (digit === '1') return 1;
  if (digit === '2') return 2;
  if (digit === '3') return 3;
  return refuseUsage(`--certify: expected p1, p2 or p3, found "${text}"`);
}
