import type { Command } from 'commander';
import { layTable, wrapText } from '../output/index.ts';
import { sharedMap } from '../shared-map.ts';

/** Text of help and man page beyond arguments and options. */
export interface CommandDoc {
  /** Paragraphs for the man page and the long help. */
  readonly help: readonly string[];
  /** Command lines with descriptions. */
  readonly examples: Readonly<Record<string, string>>;
  /** Meanings of exit codes for this command. */
  readonly exits: Readonly<Record<number, string>>;
}

const docs = sharedMap<Command, CommandDoc>('command-docs');

/** Adds text, examples and exit codes to the help of `command`. */
export function documentCommand(command: Command, doc: CommandDoc): Command {
  docs.set(command, doc);
  return command.addHelpText('after', ({ error }) => {
    const { getOutHelpWidth, getErrHelpWidth } = command.configureOutput();
    const width = (error ? getErrHelpWidth : getOutHelpWidth)?.() ?? 80;
    return `\n${helpSections(doc, width).join('\n\n')}`;
  });
}

/** The documentation given to {@link documentCommand}. */
export function findCommandDoc(command: Command): CommandDoc | undefined {
  return docs.get(command);
}

function helpSections(doc: CommandDoc, width: number): readonly string[] {
  const exits = Object.entries(doc.exits).map(
    ([code, meaning]) => [code.padStart(3), meaning] as const,
  );
  return [
    ...doc.help.map((paragraph) => wrapText(paragraph, width).join('\n')),
    ['Examples:', ...layTable(Object.entries(doc.examples), width)].join('\n'),
    ['Exit codes:', ...layTable(exits, width)].join('\n'),
  ];
}
