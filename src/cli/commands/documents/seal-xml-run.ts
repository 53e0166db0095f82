import { basename } from 'node:path';
import type { SealedDocument } from '../../../app/documents/sealed-document.ts';
import type { FlagSettings } from '../../../wire/config/layer.ts';
import type { SealXmlOptions, Toolkit } from '../../../wire/toolkit.types.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  refuseUsage,
  yieldToEventLoop,
} from '../../context.ts';
import {
  type AsicKind,
  closeInput,
  containerKind,
  type DetachedFile,
  endingOf,
  type InputFile,
  isContainerName,
  type OutputPlan,
  parseDetached,
  planOutput,
  readInput,
  siblingName,
  writeOutput,
} from '../../files/index.ts';
import { naming } from '../../named-error.ts';
import { counted, shownName } from '../../output/index.ts';
import { sayOutcome } from '../../report/index.ts';
import { asUsage, refuseJsonToStdout } from './seal.ts';

/** What `innsigli seal-xml` was asked for. */
export interface SealXmlCommandOptions {
  /** Paths, or one `-` for stdin; several only for one signature over all of them. */
  readonly inputs: readonly string[];
  /** More of them, `FILE` or `NAME=FILE`, for a signature beside them. */
  readonly detached: readonly string[];
  readonly output?: string | undefined;
  readonly inPlace: boolean;
  readonly force: boolean;
  readonly seal: SealXmlOptions;
  readonly container?: AsicKind | undefined;
  readonly form?: 'cades' | undefined;
  /** One signature over the inputs as files. */
  readonly isOverFiles: boolean;
  /** An option asks for what only an XML document can have. */
  readonly isXml: boolean;
  readonly settings: FlagSettings;
}

/** Signs one document, or several together, writes the result and says what was done. */
export async function runSealXml(
  options: SealXmlCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console, globals } = context;
  const { inPlace, force } = options;
  const named = namedInputs(options, io.cwd);
  requirePlace(options, named);
  const { config } = await loadConfig(context, options.settings, 'sealing');

  const inputs: InputFile[] = [];
  try {
    for (const { path } of named) inputs.push(await readInput(path, io));
    const [input] = inputs as [InputFile];
    const container = await containerFor(options, inputs);
    const output = outputName(options, container, input);
    if (output === '-' && globals.json) refuseJsonToStdout();
    const [plan] = inputs.map((one) => planOutput(output, one, { force, inPlace }, io)) as [
      OutputPlan,
    ];
    const toolkit = await openToolkit(context, config);
    const startedMs = io.now();
    const isAlone = inputs.length === 1;
    const what = isAlone ? shownName(input.name) : counted(inputs.length, 'file');
    const files = named.map(({ name }, index) => ({
      name,
      source: (inputs[index] ?? input).source,
    }));
    const signing = () => signAll(toolkit, files, container, options, config);
    const work = () => (isAlone ? naming(input.name, signing) : signing());
    const outcome = await console
      .busy(`Signing ${what}`, work)
      .catch((error: unknown) => {
        throw options.seal.scheme === undefined ? error : asUsage(error);
      })
      .finally(() => toolkit.close());
    await yieldToEventLoop();
    writeOutput(plan, input, outcome, io);

    const elapsedMs = io.now() - startedMs;
    const isBeside = options.isOverFiles && container === undefined;
    const detached = isBeside ? besideWords(options) : [];
    const given = { settings: options.settings, globals, detached };
    const paths = named.map(({ path }) => path);
    const written = { input, inputs: paths, output, outcome, elapsedMs, config, given };
    await sayOutcome({ command: 'seal-xml', ...written }, console);
    return 0;
  } finally {
    for (const input of inputs) closeInput(input);
  }
}

/** The inputs with the names by which a signature over files knows them. */
function namedInputs(
  { inputs, detached, isOverFiles, container }: SealXmlCommandOptions,
  cwd: string,
): readonly DetachedFile[] {
  const isBeside = isOverFiles && container === undefined;
  if (isBeside && inputs.includes('-')) parseDetached('-', cwd);
  return [
    ...inputs.map((path) => ({ name: path === '-' ? 'document' : basename(path), path })),
    ...detached.map((text) => parseDetached(text, cwd)),
  ];
}

function besideWords({ inputs, detached }: SealXmlCommandOptions): readonly string[] {
  return [...inputs, ...detached.filter((text) => !text.endsWith('=-'))];
}

/** The container that is asked for, or the one that the only input is. */
function containerFor(
  { container, isOverFiles, isXml, inPlace }: SealXmlCommandOptions,
  inputs: readonly InputFile[],
): Promise<AsicKind | undefined> {
  const [input] = inputs;
  if (input === undefined || inputs.length > 1) return Promise.resolve(container);
  if (container !== undefined && !inPlace) return Promise.resolve(container);
  if (container === undefined && (isOverFiles || isXml)) return Promise.resolve(undefined);
  return naming(input.name, async () => {
    const found = await containerKind(input.source);
    if (found === undefined && container !== undefined) {
      refuseUsage('--in-place: expected a container that is there, found another file');
    }
    return container ?? found;
  });
}

function signAll(
  toolkit: Toolkit,
  files: readonly { readonly name: string; readonly source: InputFile['source'] }[],
  container: AsicKind | undefined,
  { seal, form, isOverFiles }: SealXmlCommandOptions,
  { level, digest }: Pick<Parameters<typeof openToolkit>[1], 'level' | 'digest'>,
): Promise<SealedDocument> {
  const wishes = { ...seal, level, digest };
  const [first] = files;
  if (!isOverFiles && container === undefined && first !== undefined) {
    return toolkit.sealXml(first.source, wishes);
  }
  const {
    packaging: _packaging,
    id: _id,
    parent: _parent,
    transform: _transform,
    ...common
  } = wishes;
  return toolkit.sealFiles(files, {
    ...common,
    ...(container === undefined ? {} : { container }),
    ...(form === undefined ? {} : { format: form }),
  });
}

function requirePlace(
  { inPlace, output, isOverFiles, container }: SealXmlCommandOptions,
  named: readonly DetachedFile[],
): void {
  const isStdin = named.some(({ path }) => path === '-');
  if (inPlace && output !== undefined) refuseUsage('expected --in-place or -o, found both');
  if (inPlace && isStdin) refuseUsage('--in-place: expected a file, found standard input');
  if (inPlace && isOverFiles && (container === undefined || named.length > 1)) {
    refuseUsage('--in-place: only of a signature inside the document or container');
  }
  if (named.length > 1 && isStdin) {
    refuseUsage('-: expected files, found standard input among them');
  }
}

function outputName(
  { output, inPlace, isOverFiles }: SealXmlCommandOptions,
  container: AsicKind | undefined,
  { name: input }: InputFile,
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
