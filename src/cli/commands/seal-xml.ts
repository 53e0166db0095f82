import { basename } from 'node:path';
import type { Command } from 'commander';
import type { FlagSettings } from '../../wire/config-layer.ts';
import type { SealOutcome, SealXmlOptions, Toolkit } from '../../wire/toolkit.types.ts';
import {
  addBatchOptions,
  batchHelp,
  meansBatch,
  type ParsedBatchOptions,
  readBatchOptions,
  requireInput,
} from '../batch-options.ts';
import { documentCommand } from '../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  letSignalsIn,
  loadConfig,
  openToolkit,
  refuseUsage,
  type Start,
} from '../context.ts';
import type { InputFile, OutputPlan } from '../files/index.ts';
import { naming } from '../named-error.ts';
import {
  addKeyOptions,
  addTimestampOptions,
  addTrustOption,
  digestOption,
  levelOption,
  revocationHelp,
  type SettingOptions,
  settingsFrom,
} from '../options.ts';
import { counted, shownName } from '../output/index.ts';
import {
  addXmlOptions,
  isOverFiles,
  type ParsedXmlOptions,
  readXmlOptions,
} from '../xml-options.ts';
import { asUsage, refuseJsonToStdout } from './seal.ts';

/** What `innsigli seal-xml` was asked for. */
export interface SealXmlCommandOptions {
  /** Paths, or one `-` for stdin; several only for one signature over all of them. */
  readonly inputs: readonly string[];
  readonly output?: string;
  readonly inPlace: boolean;
  readonly force: boolean;
  readonly seal: SealXmlOptions;
  readonly container?: 'asic-s' | 'asic-e';
  readonly form?: 'cades';
  /** One signature over the inputs as files, see {@link isOverFiles}. */
  readonly isOverFiles: boolean;
  readonly settings: FlagSettings;
}

interface ParsedOptions extends SettingOptions, ParsedXmlOptions, ParsedBatchOptions {
  readonly output?: string;
}

/** Adds `seal-xml` to the command tree. */
export function defineSealXml(program: Command, start: Start): void {
  const command = program
    .command('seal-xml')
    .summary('sign XML (XAdES B-B … B-LTA), or any files in a container')
    .description('Sign an XML document, or any files in an ASiC container, as a seal does.')
    .argument('[inputs...]', 'XML to sign, or - for stdin; files, folders, patterns for a batch')
    .option('-o, --output <file>', 'result, or - for stdout (default: NAME.sealed.xml)')
    .option('--in-place', 'replace the input by the signed document')
    .option('-f, --force', 'replace an existing output')
    .addOption(levelOption())
    .addOption(digestOption());
  addTrustOption(addTimestampOptions(addKeyOptions(addXmlOptions(command))));
  addBatchOptions(command, 'seal-xml');
  documentCommand(command, {
    text: [
      'An enveloped signature (the default) is put at the end of the root element, and nothing ' +
        'else changes: the result without it is the input, byte for byte. It leaves out all ' +
        'signatures of the document, so that others can sign after it; --transform enveloped ' +
        'leaves out itself only, for programs that know nothing else, and then nobody can.',
      'An e-invoice in UBL gets it into an extension, the place that its schemas have for it.',
      'An enveloping signature holds the document; a detached one stands in a file of its own ' +
        'and names the documents. A container holds documents and signature: asic-s one ' +
        'document, asic-e any number. Both take files of any kind, and several at once.',
      revocationHelp,
      ...batchHelp,
    ],
    examples: [
      ['innsigli seal-xml invoice.xml', 'sign to B-LTA with the development key'],
      ['innsigli seal-xml a.xml --level b-b --id body', 'sign one element'],
      ['innsigli seal-xml a.xml --packaging detached -o a.sig.xml', 'leave the document alone'],
      ['innsigli seal-xml a.pdf b.csv --container asic-e -o ab.asice', 'sign two files together'],
      ['innsigli seal-xml invoices --out-dir signed --resume', 'a folder'],
    ],
    exits: [
      [0, 'signed, verified and written'],
      [1, 'a file cannot be read or written'],
      [2, 'wrong usage, or the output exists'],
      [3, 'several documents, and some failed'],
      [4, 'a password is missing or wrong'],
      [5, 'there is no such file'],
      [6, 'another signature would break an earlier one, or another batch is at work'],
      [7, 'the document cannot be signed: not well-formed, not UTF-8, with a DTD'],
      [8, 'the time-stamp authority or the network failed'],
      [10, 'key, certificate or configuration problem'],
      [130, 'interrupted'],
    ],
  });
  command.action((inputs: string[], options: ParsedOptions, self: Command) =>
    start(self, async (context) => {
      const seal = await readXmlOptions(options, context.io.cwd);
      const isOne = isOverFiles(options);
      const isBatch = meansBatch(inputs, options, context.io.cwd);
      if (isOne && isBatch) refuseUsage('one signature over several files is no batch: name them');
      if (isBatch || (inputs.length > 1 && !isOne)) {
        const { runBatch } = await import('../batch/index.ts');
        const batch = readBatchOptions('seal-xml', inputs, options, { sealXml: seal });
        return runBatch(batch, context);
      }
      requireInput(inputs);
      return runSealXml(readOptions(inputs, options, seal), context);
    }),
  );
}

function readOptions(
  inputs: readonly string[],
  options: ParsedOptions,
  seal: SealXmlOptions,
): SealXmlCommandOptions {
  const { output, container } = options;
  return {
    inputs,
    ...(output === undefined ? {} : { output }),
    inPlace: options.inPlace === true,
    force: options.force === true,
    seal,
    ...(container === undefined ? {} : { container }),
    ...(options.cades === true ? { form: 'cades' as const } : {}),
    isOverFiles: isOverFiles(options),
    settings: settingsFrom(options),
  };
}

/** Signs one document, or several together, writes the result and says what was done. */
export async function runSealXml(
  options: SealXmlCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, talk, globals } = context;
  const files = await import('../files/index.ts');
  const { inPlace, force } = options;
  const [first = ''] = options.inputs;
  requirePlace(options);
  const { config } = await loadConfig(context, options.settings);
  const output = outputName(options, first, files);
  if (output === '-' && globals.json) refuseJsonToStdout();

  const inputs: InputFile[] = [];
  try {
    for (const name of options.inputs) inputs.push(await files.readInput(name, io));
    const [input] = inputs as [InputFile];
    const [plan] = inputs.map((one) => files.planOutput(output, one, { force, inPlace }, io)) as [
      OutputPlan,
    ];
    const toolkit = await openToolkit(context, config);
    const startedMs = io.now();
    const isAlone = inputs.length === 1;
    const what = isAlone ? shownName(first) : counted(inputs.length, 'file');
    const signing = () => signAll(toolkit, inputs, options, config);
    const work = () => (isAlone ? naming(first, signing) : signing());
    const outcome = await talk
      .busy(`Signing ${what}`, work)
      .catch((error: unknown) => {
        throw options.seal.scheme === undefined ? error : asUsage(error);
      })
      .finally(() => toolkit.close());
    await letSignalsIn();
    files.writeOutput(plan, input, outcome, io);

    const { sayOutcome } = await import('../report/index.ts');
    const elapsedMs = io.now() - startedMs;
    const isBeside = options.isOverFiles && options.container === undefined;
    const detached = isBeside ? options.inputs.filter((name) => name !== '-') : [];
    const given = { settings: options.settings, globals, detached };
    const written = { input, inputs: options.inputs, output, outcome, elapsedMs, config, given };
    await sayOutcome({ command: 'seal-xml', ...written }, talk);
    return 0;
  } finally {
    for (const input of inputs) files.closeInput(input);
  }
}

function signAll(
  toolkit: Toolkit,
  inputs: readonly InputFile[],
  { seal, container, form, isOverFiles }: SealXmlCommandOptions,
  { level, digest }: Pick<Parameters<typeof openToolkit>[1], 'level' | 'digest'>,
): Promise<SealOutcome> {
  const wishes = { ...seal, level, digest };
  if (!isOverFiles) {
    return toolkit.sealXml((inputs[0] as InputFile).source, wishes);
  }
  const { packaging: _packaging, id: _id, into: _into, transform: _transform, ...common } = wishes;
  const documents = inputs.map(({ name, source }) => ({ name: documentName(name), source }));
  return toolkit.sealFiles(documents, {
    ...common,
    ...(container === undefined ? {} : { container }),
    ...(form === undefined ? {} : { form }),
  });
}

/** The name by which a signature knows a document: without its folder. */
function documentName(name: string): string {
  return name === '-' ? 'document' : basename(name);
}

function requirePlace({ inPlace, output, inputs, isOverFiles }: SealXmlCommandOptions): void {
  if (inPlace && output !== undefined) refuseUsage('expected --in-place or -o, found both');
  if (inPlace && inputs.includes('-')) {
    refuseUsage('--in-place: expected a file, found standard input');
  }
  if (inPlace && isOverFiles) {
    refuseUsage('--in-place: only of a signature inside the document');
  }
  if (inputs.length > 1 && inputs.includes('-')) {
    refuseUsage('-: expected files, found standard input among them');
  }
}

function outputName(
  { output, inPlace, container, isOverFiles }: SealXmlCommandOptions,
  input: string,
  { siblingName, endingOf, isContainerName }: typeof import('../files/index.ts'),
): string {
  if (output !== undefined) return output;
  if (inPlace || input === '-') return input;
  const ending = endingOf(input);
  if (container !== undefined) {
    if (isContainerName(input)) return siblingName(input, 'sealed');
    return `${input.slice(0, input.length - ending.length)}.${container.replace('-', '')}`;
  }
  if (isOverFiles) return `${input}.sig.xml`;
  const isXml = ending === '' || ending.toLowerCase() === '.xml';
  return isXml ? siblingName(input, 'sealed', '.xml') : `${input}.sealed.xml`;
}
