import type { Command } from 'commander';

/** What help and the man page say beyond arguments and options. */
export interface CommandDoc {
  /** Paragraphs for the man page and the long help. */
  readonly text?: readonly string[];
  /** Command lines with one line of explanation. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** Exit codes with the meaning that they have for this command. */
  readonly exits: readonly (readonly [code: number, meaning: string])[];
}

const docs = new WeakMap<Command, CommandDoc>();

/** Adds text, examples and exit codes to the help of `command`. */
export function documentCommand(command: Command, doc: CommandDoc): Command {
  docs.set(command, doc);
  return command.addHelpText('after', () => `\n${helpSections(doc).join('\n\n')}`);
}

/** What {@link documentCommand} was given. */
export function findCommandDoc(command: Command): CommandDoc | undefined {
  return docs.get(command);
}

function helpSections(doc: CommandDoc): readonly string[] {
  const width = Math.max(...doc.examples.map(([line]) => line.length));
  const examples = doc.examples.map(([line, meaning]) => `  ${line.padEnd(width)}  ${meaning}`);
  const exits = doc.exits.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`);
  return [
    ...(doc.text ?? []).map((paragraph) => wrap(paragraph, 78)),
    `Examples:\n${examples.join('\n')}`,
    `Exit codes:\n${exits.join('\n')}`,
  ];
}

function wrap(text: string, columns: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
