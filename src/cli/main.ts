import { type Command, CommanderError } from 'commander';
import { InnsigliError, isInnsigliError } from '../base/errors.ts';
import type { ExitCode, Start } from './context.ts';
import { guardedIo } from './guarded-io.ts';
import { type CliIo, isBrokenPipe } from './io.ts';
import { helpWidth, type OutputMode, openConsole } from './output/index.ts';
import { processIo } from './process-io.ts';
import { buildProgram, globalsOf } from './program.ts';
import { usageError } from './usage-error.ts';
import { packageVersion } from './version.ts';

const unknownOption = 'commander.unknownOption';

/** Runs the command line of this process. Its exit code is set when the promise resolves. */
export async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), processIo());
}

/**
 * Runs one command line (`args` without the program) and returns its exit code. Never throws: every
 * error is printed with its registered code, and mapped to an exit code only here.
 */
export async function runCli(args: readonly string[], given: CliIo): Promise<number> {
  const io = guardedIo(given, args);
  let exitCode: ExitCode = 0;
  let console = openConsole(io, earlyMode(args));
  const start: Start = async (command, run) => {
    const globals = globalsOf(command);
    console = openConsole(io, { ...globals, colour: globals.color });
    exitCode = await run({ io, console, globals });
  };
  const version = packageVersion();
  const isJson = args.includes('--json');
  // A word that is actually an option value loads a command unnecessarily, which does no harm.
  const isWanted = (name: string) => args.includes(name) || args.includes('completion');
  const shown = isJson ? JSON.stringify({ v: 1, version }) : version;
  const program = await buildProgram(shown, start, isWanted);
  const command = commandOf(program, args);
  configureStreams(program, io, args);
  program.hook('preAction', async (_, action) => {
    if (!mayHaveKeys(action)) return;
    const globals = globalsOf(action);
    const { lengthenKeys } = await import('./short-keys.ts');
    await lengthenKeys(action, { io, console: openConsole(io, earlyMode(args)), globals });
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (isBrokenPipe(thrown)) return 0;
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    // A group without a subcommand: commander has printed the help of the group.
    if (
      thrown instanceof CommanderError &&
      thrown.code === 'commander.help' &&
      !console.mode.json
    ) {
      return 2;
    }
    // The option may belong to a different command, which only the full tree reveals.
    const isUnknown = thrown instanceof CommanderError && thrown.code === unknownOption;
    const whole = isUnknown ? await buildProgram(version, start) : program;
    const error = toInnsigliError(thrown, command, whole);
    await console.error(error, args.includes('--debug'));
    return error.kind.exitCode;
  }
}

/** The full name of the requested command, such as `process create`, if any. */
function commandOf(program: Command, args: readonly string[]): string | undefined {
  const names: string[] = [];
  let place = program;
  for (const word of args) {
    const child = place.commands.find((each) => each.name() === word);
    if (child === undefined) continue;
    names.push(word);
    place = child;
  }
  return names.length === 0 ? undefined : names.join(' ');
}

const keyArguments: ReadonlySet<string> = new Set([
  'process',
  'sequence',
  'flow',
  'message',
  'delivery',
]);

/** Commands without keys do not load the module for short keys. */
function mayHaveKeys(command: Command): boolean {
  const names = command.registeredArguments.map((argument) => argument.name());
  return (
    names.some((name) => keyArguments.has(name)) ||
    ['flow', 'flowKey', 'process'].some((name) => command.getOptionValue(name) !== undefined)
  );
}

// Errors of the command line itself occur before the options are parsed.
function earlyMode(args: readonly string[]): OutputMode {
  return {
    json: args.includes('--json'),
    quiet: false,
    verbose: false,
    colour: !args.includes('--no-color'),
  };
}

function configureStreams(program: Command, io: CliIo, args: readonly string[]): void {
  const colour = (stream: 'stdout' | 'stderr') =>
    io[stream].isTerminal && !io.env['NO_COLOR'] && !args.includes('--no-color');
  const output = {
    writeOut: (text: string) => io.stdout.write(text),
    // Only the help of a group without a subcommand is printed here, and it is not JSON.
    writeErr: (text: string) => (args.includes('--json') ? undefined : io.stderr.write(text)),
    // Printed by the caller, in the common format of all errors.
    outputError: () => undefined,
    getOutHasColors: () => colour('stdout'),
    getErrHasColors: () => colour('stderr'),
    getOutHelpWidth: () => helpWidth(io.stdout),
    getErrHelpWidth: () => helpWidth(io.stderr),
  };
  const visit = (command: typeof program): void => {
    command.configureOutput(output).exitOverride();
    for (const child of command.commands) visit(child);
  };
  visit(program);
}

function toInnsigliError(
  thrown: unknown,
  command: string | undefined,
  program: Command,
): InnsigliError {
  if (isInnsigliError(thrown)) return thrown;
  if (thrown instanceof CommanderError) return usageError(thrown, command, program);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new InnsigliError('internal.unexpected', message, {
    cause: thrown,
    hint: 'this is a bug in innsigli: run again with --debug and report the output',
  });
}
