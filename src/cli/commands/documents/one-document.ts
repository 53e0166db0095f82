import type { SealedDocument } from '../../../app/documents/sealed-document.ts';
import { defined } from '../../../base/defined.ts';
import type { ResolvedConfig } from '../../../wire/config/config.ts';
import type { FlagSettings } from '../../../wire/config/layer.ts';
import type { Toolkit } from '../../../wire/toolkit.types.ts';
import {
  type CommandContext,
  type ExitCode,
  loadSealConfig,
  openToolkit,
  refuseUsage,
  requireOneStream,
  yieldToEventLoop,
} from '../../context.ts';
import type { InputFile, OutputPlan } from '../../files/index.ts';

/** At least one. */
export type Inputs = readonly [InputFile, ...InputFile[]];

/** One document, or several covered by one signature, that a command seals or augments. */
export interface OneDocument {
  readonly command: 'seal' | 'seal-xml' | 'archive';
  /** Paths, or one `-` for stdin. */
  readonly paths: readonly string[];
  readonly settings: FlagSettings;
  readonly inPlace: boolean;
  readonly force: boolean;
  /** Adds only a time-stamp. Default: false. */
  readonly timestampOnly?: boolean;
  /** Progress message, such as `Sealing a.pdf`. */
  readonly busy: string;
  /** Documents covered by a detached signature, for the command line that verifies the result. */
  readonly beside?: readonly string[];
  /** Reads further input, after the configuration and before the documents. */
  prepare?(): Promise<void>;
  /** Path of the result; `-` for stdout. */
  output(inputs: Inputs): string | Promise<string>;
  run(toolkit: Toolkit, inputs: Inputs, config: ResolvedConfig): Promise<SealedDocument>;
}

/** Rejects conflicting output options. @throws usage.invalid */
export function requireOnePlace(
  {
    inPlace = false,
    output,
  }: { readonly inPlace?: boolean | undefined; readonly output?: string | undefined },
  paths: readonly string[],
): void {
  if (!inPlace) return;
  if (output !== undefined) refuseUsage('expected --in-place or -o, found both');
  if (paths.includes('-')) refuseUsage('--in-place: expected a file, found standard input');
}

/** Seals or augments, writes the verified result and reports what was done. */
export async function runOneDocument(
  wanted: OneDocument,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console, globals } = context;
  const { command, paths, settings, inPlace, force, beside, timestampOnly = false } = wanted;
  const files = await import('../../files/index.ts');
  const config = await loadSealConfig(context, settings, { command, timestampOnly });
  await wanted.prepare?.();
  const inputs: InputFile[] = [];
  try {
    for (const path of paths) inputs.push(await files.readInput(path, io));
    const all = inputs as [InputFile];
    const output = await wanted.output(all);
    requireOneStream(output, context);
    const plans = all.map((one) => files.planOutput(output, one, { force, inPlace }, io));
    const [[plan], [input]] = [plans as [OutputPlan], all];
    const toolkit = await openToolkit(context, config);
    const startedMs = io.now();
    const outcome = await console
      .busy(wanted.busy, () => wanted.run(toolkit, all, config))
      .finally(() => toolkit.close());
    await yieldToEventLoop();
    files.writeOutput(plan, input, outcome, io);

    // Loaded after writing: sealing does not need the reporting code.
    const { printOutcome } = await import('../../report/index.ts');
    const elapsedMs = io.now() - startedMs;
    const given = { settings, globals, ...defined({ detached: beside }) };
    const written = { input, inputs: paths, output, outcome, elapsedMs, config, given };
    await printOutcome({ command, timestampOnly, ...written }, console);
    return 0;
  } finally {
    for (const input of inputs) files.closeInput(input);
  }
}
