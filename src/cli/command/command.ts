import type { Argument, Command, Option } from 'commander';
import type { CompanyService } from '../../app/company-service.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import {
  type CommandContext,
  type ExitCode,
  refuseUsage,
  type ServiceContext,
  type Start,
} from '../context.ts';
import type { Console } from '../output/index.ts';
import { sharedMap } from '../shared-map.ts';
import { useService } from '../use-service.ts';
import type { Arguments, Given, Options, Spec } from './command.types.ts';
import { type CommandDoc, documentCommand } from './command-doc.ts';
import { withOptionNames } from './option-names.ts';
import { findWord } from './readers.ts';

/** Declaration of a command (options, help, work and output) or of a group (its commands). */
export interface Declaration<A, O, R> extends Partial<CommandDoc> {
  /** One line for command lists; for commands of the first level, the list of commands has it. */
  readonly summary?: string;
  readonly description: string;
  readonly args?: A;
  readonly options?: O;
  readonly commands?: readonly Declared[];
  /** Text of the spinner. */
  readonly busy?: string;
  /** Rejects contradictory options before anything is opened. */
  check?(given: Given<A, O>, context: CommandContext): void | Promise<void>;
  /** Option names of request members, for errors about these members. */
  names?(given: Given<A, O>): Readonly<Record<string, string>>;
  /** Works with the service of the company. Returns no object if everything was printed already. */
  call?(service: CompanyService, given: Given<A, O>, context: ServiceContext): Promise<R>;
  /** Works without the service. */
  run?(given: Given<A, O>, context: CommandContext, self: Command): Promise<R>;
  /**
   * Reverts what only the printed result reveals, if the result could not be printed, and returns a
   * clause that says so. Undefined if nothing is lost.
   */
  undo?(result: Printed<R>, context: CommandContext): Promise<string | undefined>;
  /**
   * True if the command is useful even after {@link undo}: when stdout leads nowhere, it continues
   * with a warning, where other commands refuse to run.
   */
  readonly isUsefulUnseen?: boolean;
  /** Returns the members that `--json` prints. Default: the result itself. */
  document?(result: Printed<R>, given: Given<A, O>): object;
  /** Prints the result for people. */
  text?(result: Printed<R>, context: CommandContext, given: Given<A, O>): void | Promise<void>;
  exit?(
    result: Printed<R>,
    given: Given<A, O>,
    context: CommandContext,
  ): Promise<ExitCode> | ExitCode;
}

type Printed<R> = Exclude<R, ExitCode | undefined>;

/** A declared command or group, which adds itself to the command tree. */
export type Declared = (parent: Command, start: Start) => void;

/** Declares a command; `name` is the full name, as in `webhook create`. */
export function command<
  const A extends Arguments = Record<never, string>,
  const O extends Options = Record<never, string>,
  R extends object | ExitCode | undefined = undefined,
>(name: string, declared: Declaration<A, O, R>): Declared {
  return (parent, start) => {
    const self = parent.command(name.slice(name.lastIndexOf(' ') + 1)).helpCommand(false);
    self.summary(declared.summary ?? '').description(declared.description);
    addFlags(self, declared);
    for (const below of declared.commands ?? []) below(self, start);
    if (declared.run === undefined && declared.call === undefined) return;
    const { help = [], examples = {}, exits = {} } = declared;
    documentCommand(self, { help, examples, exits });
    self.action(() => start(self, (context) => perform(name, declared, self, context)));
  };
}

async function perform<A extends Arguments, O extends Options, R>(
  name: string,
  declared: Declaration<A, O, R>,
  self: Command,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const given = readGiven(self, declared, context) as Given<A, O>;
  await declared.check?.(given, context);
  const isUnseen = declared.undo !== undefined && context.io.stdout.isNowhere === true;
  if (isUnseen && declared.isUsefulUnseen !== true) {
    throw unwritable('it is closed or the null device, and output shown only once would be lost');
  }
  const { busy, call } = declared;
  const work = async () =>
    call === undefined
      ? declared.run?.(given, context, self)
      : withOptionNames({ ...namesOf(self), ...declared.names?.(given) }, () =>
          useService(context, (service, own) => call(service, given, own)),
        );
  const result = await (busy === undefined ? work() : console.busy(busy, work));
  if (typeof result !== 'object') return (result as ExitCode | undefined) ?? 0;
  const printed = result as Printed<R>;
  const print = async () => {
    if (!console.mode.json) return declared.text?.(printed, context, given);
    const members = declared.document?.(printed, given) ?? result;
    console.document({ v: 1, command: name, ...members });
  };
  if (declared.undo === undefined) await print();
  else await printOrUndo(print, console, async () => declared.undo?.(printed, context));
  const lost = isUnseen ? await declared.undo?.(printed, context) : undefined;
  if (lost !== undefined) await console.warn(lost, 'output.unseen');
  return (await declared.exit?.(printed, given, context)) ?? 0;
}

/** Prints a result that is shown only once; if it could not be printed, the work is undone. */
async function printOrUndo(
  print: () => void | Promise<void>,
  console: Console,
  undo: () => Promise<string | undefined>,
): Promise<void> {
  try {
    await print();
  } catch (error) {
    const undone = isInnsigliError(error) ? await undo() : undefined;
    if (!isInnsigliError(error) || undone === undefined) throw error;
    throw new InnsigliError(error.code, `${error.message}; ${undone}`, { cause: error });
  }
  const undone = console.isUnread() ? await undo() : undefined;
  if (undone !== undefined) throw unwritable(`its reader has exited; ${undone}`);
}

function unwritable(why: string): InnsigliError {
  return new InnsigliError('io.output.unwritable', `stdout cannot be written: ${why}`, {
    details: { output: 'stdout' },
  });
}

function addFlags(self: Command, { args = {}, options = {} }: Flags): void {
  for (const [form, spec] of Object.entries(args)) {
    const { text, choices, offered = choices } = specOf(spec);
    const argument = self.createArgument(form, text);
    if (offered !== undefined) offeredOf.set(argument, offered);
    // Set for help and completion only: our reader validates it, with the usual messages.
    if (choices !== undefined) argument.argChoices = [...choices];
    self.addArgument(argument);
  }
  for (const [flags, spec] of Object.entries(options)) {
    const { text, choices, offered = choices, default: usual, ...more } = specOf(spec);
    if (!flags.includes('--')) self.optionsGroup(flags);
    else {
      const option = self.createOption(flags, text).makeOptionMandatory(more.required === true);
      option.hideHelp(more.hidden === true);
      // Shown without the quotes that commander puts around strings.
      if (usual !== undefined) option.default(usual, usual);
      if (choices !== undefined) option.argChoices = [...choices];
      if (offered !== undefined) offeredOf.set(option, offered);
      if (more.many)
        option.argParser((value, before: readonly string[] = []) => [...before, value]);
      self.addOption(option);
    }
  }
}

const offeredOf = sharedMap<Option | Argument, readonly string[]>('offered-words');

/** Completions for an argument or an option value; none for files and free text. */
export function offeredWords(taker: Option | Argument): readonly string[] {
  return offeredOf.get(taker) ?? [];
}

interface Flags {
  readonly args?: Arguments;
  readonly options?: Options;
}

function readGiven(self: Command, { args = {}, options = {} }: Flags, context: CommandContext) {
  const read = (spec: string | Spec | undefined, value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => read(spec, each, name));
    if (typeof spec !== 'object' || typeof value !== 'string') return value;
    if (spec.choices !== undefined) return findWord(spec.choices, value, name);
    return spec.read === undefined ? value : spec.read(value, name, context);
  };
  const given: Record<string, unknown> = {};
  const take = (member: string, value: unknown) => {
    if (value === undefined) return;
    if (given[member] !== undefined) refuseUsage(`--${member}: expected once, found twice`);
    given[member] = value;
  };
  Object.values(args).forEach((spec, index) => {
    const name = self.registeredArguments[index]?.name() ?? '';
    take(name, read(spec, self.processedArgs[index], name));
  });
  // A parent command may have an option of the same name, and then receives it.
  const values = self.optsWithGlobals();
  for (const option of self.options) {
    const name = option.attributeName();
    take(name, read(options[option.flags], values[name], option.long ?? ''));
  }
  return given;
}

function namesOf(self: Command): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...self.registeredArguments.map((argument) => [argument.name(), argument.name()]),
    ...self.options.map((option) => [option.attributeName(), option.long ?? '']),
  ]);
}

function specOf(spec: string | Spec): Spec {
  return typeof spec === 'string' ? { text: spec } : spec;
}
