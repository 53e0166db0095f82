import { basename } from 'node:path';
import type { SealedDocument } from '../../../app/documents/sealed-document.ts';
import { defined } from '../../../base/defined.ts';
import { isInnsigliError, restated } from '../../../base/errors.ts';
import type { ResolvedConfig } from '../../../wire/config/config.ts';
import type { FlagSettings } from '../../../wire/config/layer.ts';
import type { SealXmlOptions, Toolkit } from '../../../wire/toolkit.types.ts';
import { type CommandContext, type ExitCode, refuseUsage } from '../../context.ts';
import {
  type AsicKind,
  containerKind,
  type DetachedFile,
  endingOf,
  type InputFile,
  isContainerName,
  parseDetached,
  siblingName,
} from '../../files/index.ts';
import { naming } from '../../named-error.ts';
import { counted, shownName } from '../../output/index.ts';
import { type OneDocument, requireOnePlace, runOneDocument } from './one-document.ts';
import { asUsage } from './seal.ts';

/** Options of `innsigli seal-xml`. */
export interface SealXmlCommandOptions {
  /** Paths, or one `-` for stdin; several only for a single signature over all of them. */
  readonly inputs: readonly string[];
  /** Further files, `FILE` or `NAME=FILE`, for a detached signature. */
  readonly detached: readonly string[];
  readonly output?: string | undefined;
  readonly inPlace: boolean;
  readonly force: boolean;
  readonly seal: SealXmlOptions;
  readonly container?: AsicKind | undefined;
  readonly form?: 'cades' | undefined;
  /** A single signature over the inputs as files. */
  readonly isOverFiles: boolean;
  /** An option applies to XML documents only. */
  readonly isXml: boolean;
  readonly settings: FlagSettings;
}

/** Signs one document, or several together, writes the result and reports what was done. */
export async function runSealXml(
  options: SealXmlCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { inPlace, force, settings, isOverFiles } = options;
  const named = namedInputs(options, context.io.cwd);
  requirePlace(options, named);
  const [first] = named;
  const isAlone = named.length === 1;
  const what = isAlone && first ? shownName(first.path) : counted(named.length, 'file');
  let container: AsicKind | undefined;
  const wanted: OneDocument = {
    ...{ command: 'seal-xml', settings, inPlace, force },
    paths: named.map(({ path }) => path),
    busy: `Signing ${what}`,
    beside: isOverFiles && options.container === undefined ? besideWords(options) : [],
    async output(inputs) {
      container = await containerFor(options, inputs);
      return outputName(options, container, inputs[0]);
    },
    async run(toolkit, inputs, config) {
      const [input] = inputs;
      const files = named.map(({ name }, index) => ({
        name,
        source: (inputs[index] ?? input).source,
      }));
      const signing = () => signAll(toolkit, files, container, options, config);
      try {
        return await (isAlone ? naming(input.name, signing) : signing());
      } catch (error) {
        const named = withContainerHint(error, options);
        throw options.seal.scheme === undefined ? named : asUsage(named);
      }
    },
  };
  return runOneDocument(wanted, context);
}

/** Adds to the error for a document that is not XML the option that signs files of any kind. */
function withContainerHint(
  error: unknown,
  { container, output = '' }: SealXmlCommandOptions,
): unknown {
  if (!isInnsigliError(error) || error.code !== 'xml.invalid') return error;
  const { message, hint: known } = error;
  // The error for a recognised document type already has a hint.
  if (container !== undefined || (known === undefined && !isContainerName(output))) return error;
  const other = message.endsWith(' a PDF') ? 'seal it with innsigli seal, or ' : '';
  const hint = `${other}put it in a container with --container asic-e`;
  return restated(error, { hint });
}

/** The inputs with the names by which a signature over files refers to them. */
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

/** The requested container, or the kind of the single input if it is a container. */
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
      refuseUsage('--in-place: expected an existing container, found a different file');
    }
    return container ?? found;
  });
}

function signAll(
  toolkit: Toolkit,
  files: readonly { readonly name: string; readonly source: InputFile['source'] }[],
  container: AsicKind | undefined,
  { seal, form, isOverFiles }: SealXmlCommandOptions,
  { level, digest }: Pick<ResolvedConfig, 'level' | 'digest'>,
): Promise<SealedDocument> {
  const sealOptions = { ...seal, level, digest };
  const [first] = files;
  if (!isOverFiles && container === undefined && first !== undefined) {
    return toolkit.sealXml(first.source, sealOptions);
  }
  const {
    packaging: _packaging,
    id: _id,
    parent: _parent,
    transform: _transform,
    ...common
  } = sealOptions;
  return toolkit.sealFiles(files, {
    ...common,
    ...defined({ container }),
    ...(form === undefined ? {} : { format: form }),
  });
}

function requirePlace(
  { inPlace, output, isOverFiles, container }: SealXmlCommandOptions,
  named: readonly DetachedFile[],
): void {
  const isStdin = named.some(({ path }) => path === '-');
  requireOnePlace(
    { inPlace, output },
    named.map(({ path }) => path),
  );
  if (inPlace && isOverFiles && (container === undefined || named.length > 1)) {
    refuseUsage('--in-place: expected a signature inside the file, found one over separate files');
  }
  if (named.length > 1 && isStdin) {
    refuseUsage('-: expected files only, found standard input among them');
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
