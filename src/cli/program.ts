import { Command, Option } from 'commander';
import { defineArchive } from './commands/archive.ts';
import { defineCompletion } from './commands/completion.ts';
import { defineConfig } from './commands/config-explain.ts';
import { defineDoctor } from './commands/doctor.ts';
import { defineHelp } from './commands/help.ts';
import { defineInit } from './commands/init.ts';
import { defineSeal } from './commands/seal.ts';
import { defineSealXml } from './commands/seal-xml.ts';
import { defineTsa } from './commands/tsa-serve.ts';
import { defineVerify } from './commands/verify.ts';
import type { GlobalOptions, Start } from './context.ts';

/** The whole command tree: help, man pages and completions are made from it. */
export function buildProgram(version: string, start: Start): Command {
  const program = new Command('innsigli')
    .description('Seal, archive and verify documents: PAdES, XAdES and ASiC, offline.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false, minWidthToWrap: 24 })
    .exitOverride();
  addGlobalOptions(program);
  for (const define of [
    defineSeal,
    defineSealXml,
    defineArchive,
    defineVerify,
    defineInit,
    defineDoctor,
    defineConfig,
    defineTsa,
    defineCompletion,
    defineHelp,
  ]) {
    define(program, start);
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
    .addOption(new Option('--debug', 'show the stack of an error'));
}
