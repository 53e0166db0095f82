import { Command, Help, Option } from 'commander';
import { commandList } from './command-list.table.ts';
import type { GlobalOptions, Start } from './context.ts';

/**
 * The command tree: help, man pages and completions are made from it. Defining all commands costs
 * a third of the time of the start, so those that are not wanted stand in the list by name only.
 *
 * @param isWanted commands that shall have their options and subcommands; all when left out
 */
export async function buildProgram(
  version: string,
  start: Start,
  isWanted: (name: string) => boolean = () => true,
): Promise<Command> {
  const program: Command = new Command('innsigli');
  program
    .description('Seal, archive and verify documents: PAdES, XAdES and ASiC, offline.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({
      showGlobalOptions: true,
      sortSubcommands: false,
      minWidthToWrap: 24,
      subcommandTerm,
      optionDescription,
      // Options of a command between this one and the program are not its own.
      visibleGlobalOptions: () => program.options.filter(({ hidden }) => !hidden),
    })
    .exitOverride();
  addGlobalOptions(program);
  for (const { name, group, args, summary, load } of commandList) {
    if (isWanted(name)) (await load())(program, start);
    else program.command(args === '' ? name : `${name} ${args}`);
    program.commands
      .find((each) => each.name() === name)
      ?.summary(summary)
      .helpGroup(group);
  }
  program.addHelpText(
    'after',
    `
Start here:
  innsigli seal agreement.pdf
  innsigli verify agreement.sealed.pdf

Topics of innsigli help:
  configuration, environment, exit-codes, output`,
  );
  return program;
}

// What commander would say, and which options cannot be left out.
function optionDescription(option: Option): string {
  const usual = new Help().optionDescription(option);
  return option.mandatory ? `${usual} (required)` : usual;
}

// Nearly all commands have options: saying so in each line would say nothing.
function subcommandTerm(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...args].join(' ');
}

/** The global options of a command that was parsed. */
export function globalsOf(command: Command): GlobalOptions {
  const { json, quiet, verbose, debug, ...rest } =
    command.optsWithGlobals<Partial<GlobalOptions>>();
  return {
    input: true,
    color: true,
    ...rest,
    json: json === true,
    quiet: quiet === true,
    verbose: verbose === true,
    debug: debug === true,
  };
}

function addGlobalOptions(program: Command): void {
  const quiet = new Option('-q, --quiet', 'only results, warnings and errors');
  program
    .addOption(new Option('--json', 'results and errors as JSON'))
    .addOption(quiet.conflicts('verbose'))
    .addOption(new Option('-v, --verbose', 'say more'))
    .option('--no-input', 'never ask questions')
    .option('--no-color', 'no colour, as NO_COLOR')
    .addOption(new Option('--offline', 'make every network access an error'))
    .option('--data-dir <folder>', 'data directory, as INNSIGLI_HOME')
    .option('--config <file>', 'configuration file instead of the project file')
    .option('--company <key>', 'company of the signing service, as INNSIGLI_COMPANY')
    .addOption(new Option('--debug', 'show the stack of an error'));
}
