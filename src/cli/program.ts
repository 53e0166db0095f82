import { Command, Help, Option } from 'commander';
import type { Declared } from './command/index.ts';
import type { GlobalOptions, Start } from './context.ts';

/** A command of the first level: its entry in the list of commands, and how it is loaded. */
export interface CommandEntry {
  readonly name: string;
  /** Heading in the list. */
  readonly group: string;
  /** Arguments as shown in the list. */
  readonly args?: string;
  readonly summary: string;
  /** Loads the definition with its options, when the command is used or its help is requested. */
  readonly load: () => Promise<Declared>;
}

/** Every command, in the order of the list. */
export const commandList: readonly CommandEntry[] = [
  {
    name: 'seal',
    group: 'Documents:',
    args: '[inputs...]',
    summary: 'seal a PDF (PAdES B-B … B-LTA)',
    load: async () => (await import('./commands/documents/seal.ts')).seal,
  },
  {
    name: 'seal-xml',
    group: 'Documents:',
    args: '[inputs...]',
    summary: 'sign XML (XAdES B-B … B-LTA), or any files in a container',
    load: async () => (await import('./commands/documents/seal-xml.ts')).sealXml,
  },
  {
    name: 'archive',
    group: 'Documents:',
    args: '[inputs...]',
    summary: 'augment a signed document to B-LTA, or renew it',
    load: async () => (await import('./commands/documents/archive.ts')).archive,
  },
  {
    name: 'verify',
    group: 'Documents:',
    args: '[inputs...]',
    summary: 'verify signed documents',
    load: async () => (await import('./commands/documents/verify.ts')).verify,
  },
  {
    name: 'process',
    group: 'Signing:',
    summary: 'manage documents under signature',
    load: async () => (await import('./commands/process/group.ts')).process,
  },
  {
    name: 'sequence',
    group: 'Signing:',
    summary: 'manage documents signed together',
    load: async () => (await import('./commands/sequence/group.ts')).sequence,
  },
  {
    name: 'sign',
    group: 'Signing:',
    args: '<process> <signee>',
    summary: 'sign as a signee',
    load: async () => (await import('./commands/documents/sign.ts')).sign,
  },
  {
    name: 'auth',
    group: 'Signing:',
    summary: 'log persons in by electronic identity',
    load: async () => (await import('./commands/auth/group.ts')).auth,
  },
  {
    name: 'remind',
    group: 'Signing:',
    args: '[process] [signee]',
    summary: 'remind a signee to sign',
    load: async () => (await import('./commands/remind/remind.ts')).remind,
  },
  {
    name: 'message',
    group: 'Signing:',
    summary: 'list and retry mails and text messages',
    load: async () => (await import('./commands/message/group.ts')).message,
  },
  {
    name: 'webhook',
    group: 'Signing:',
    summary: 'report events to other systems',
    load: async () => (await import('./commands/webhook/group.ts')).webhook,
  },
  {
    name: 'activity',
    group: 'Service:',
    summary: 'read and verify the activity log',
    load: async () => (await import('./commands/activity/group.ts')).activity,
  },
  {
    name: 'flow',
    group: 'Signing:',
    summary: 'manage flows: types of processes and their documents',
    load: async () => (await import('./commands/flow/group.ts')).flow,
  },
  {
    name: 'template',
    group: 'Signing:',
    summary: 'manage custom mail texts',
    load: async () => (await import('./commands/template/group.ts')).template,
  },
  {
    name: 'compliance',
    group: 'Persons:',
    summary: 'record the compliance of persons and businesses',
    load: async () => (await import('./commands/compliance/group.ts')).compliance,
  },
  {
    name: 'screen',
    group: 'Persons:',
    summary: 'screen persons against lists',
    load: async () => (await import('./commands/screen/group.ts')).screen,
  },
  {
    name: 'register',
    group: 'Persons:',
    summary: 'import the register of persons',
    load: async () => (await import('./commands/register/group.ts')).register,
  },
  {
    name: 'serve',
    group: 'Service:',
    summary: 'serve the HTTP interface',
    load: async () => (await import('./commands/service/serve.ts')).serve,
  },
  {
    name: 'worker',
    group: 'Service:',
    summary: 'run due jobs: seal, send, remind, expire',
    load: async () => (await import('./commands/service/worker.ts')).worker,
  },
  {
    name: 'company',
    group: 'Service:',
    summary: 'manage companies and their API keys',
    load: async () => (await import('./commands/company/group.ts')).company,
  },
  {
    name: 'init',
    group: 'This machine:',
    summary: 'create the development trust and the first company',
    load: async () => (await import('./commands/program/init.ts')).init,
  },
  {
    name: 'trust',
    group: 'This machine:',
    summary: 'manage trust profiles: named anchors and trusted lists',
    load: async () => (await import('./commands/trust/group.ts')).trust,
  },
  {
    name: 'doctor',
    group: 'This machine:',
    summary: 'check that sealing and the service will work',
    load: async () => (await import('./commands/program/doctor.ts')).doctor,
  },
  {
    name: 'store',
    group: 'This machine:',
    summary: 'check and maintain database and stored contents',
    load: async () => (await import('./commands/store/group.ts')).store,
  },
  {
    name: 'config',
    group: 'This machine:',
    summary: 'show the configuration',
    load: async () => (await import('./commands/program/config-explain.ts')).config,
  },
  {
    name: 'tsa',
    group: 'Service:',
    summary: 'run the embedded time-stamp authority',
    load: async () => (await import('./commands/service/tsa-serve.ts')).tsa,
  },
  {
    name: 'completion',
    group: 'This machine:',
    args: '<shell> [kind] [of]',
    summary: 'print a completion script',
    load: async () => (await import('./commands/program/completion.ts')).completion,
  },
  {
    name: 'help',
    group: 'This machine:',
    args: '[name...]',
    summary: 'show help on a command or topic',
    load: async () => (await import('./commands/program/help.ts')).help,
  },
];

/**
 * Builds the command tree, from which help, man pages and completions are generated. Defining all
 * commands takes a third of the startup time, so unused ones are listed by name only.
 *
 * @param isWanted commands that get their options and subcommands. Default: all
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
      // Excludes options of commands between this one and the program, which lists its own itself.
      visibleGlobalOptions: (of) =>
        of === program ? [] : program.options.filter(({ hidden }) => !hidden),
    })
    .exitOverride();
  addGlobalOptions(program);
  for (const { name, group, args = '', summary, load } of commandList) {
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

// Commander's description, with a mark for required options.
function optionDescription(option: Option): string {
  const usual = new Help().optionDescription(option);
  return option.mandatory ? `${usual} (required)` : usual;
}

// Nearly all commands have options, so commander's `[options]` is omitted.
function subcommandTerm(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}...` : argument.name();
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...args].join(' ');
}

/** The global options of a parsed command. */
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
  const quiet = new Option('-q, --quiet', 'print only results, warnings and errors');
  program
    .addOption(new Option('--json', 'print results and errors as JSON'))
    .addOption(quiet.conflicts('verbose'))
    .addOption(new Option('-v, --verbose', 'print more details'))
    .option('--no-input', 'never prompt')
    .option('--no-color', 'no colour, like NO_COLOR')
    .addOption(new Option('--offline', 'make every network access an error'))
    .option('--data-dir <folder>', 'data directory, like INNSIGLI_HOME')
    .option('--config <file>', 'configuration file instead of the project file')
    .option('--company <key>', 'company of the signing service, like INNSIGLI_COMPANY')
    .addOption(new Option('--debug', 'show the stack trace of an error'));
}
