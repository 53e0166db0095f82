// Writes man/ from the command tree. Run: node scripts/run-ts.mjs scripts/man.ts
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command, Option } from 'commander';
import { findCommandDoc } from '../src/cli/command/index.ts';
import { exitCodes, topics } from '../src/cli/guide/index.ts';
import { buildProgram } from '../src/cli/program.ts';

/** Width of text that is not filled, without the page margin. */
const literalWidth = 72;

/**
 * Returns every man page by file name, without dates or versions: the same tree gives the same
 * bytes.
 */
export async function manPages(): Promise<ReadonlyMap<string, string>> {
  const program = await buildProgram('0', () => Promise.resolve());
  const commands = pagedCommands(program);
  const pages = new Map([['innsigli.1', mainPage(program, commands)]]);
  for (const command of commands) {
    pages.set(`${pageName(command)}.1`, commandPage(command, program));
  }
  return pages;
}

/** Commands with a page: all except groups, which only list their commands. */
function pagedCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => {
    const isGroup = child.commands.length > 0 && child.registeredArguments.length === 0;
    return [...(isGroup ? [] : [child]), ...pagedCommands(child)];
  });
}

function wordsOf(command: Command): readonly string[] {
  return command.parent === null ? [command.name()] : [...wordsOf(command.parent), command.name()];
}

function pageName(command: Command): string {
  return wordsOf(command).join('-');
}

function mainPage(program: Command, commands: readonly Command[]): string {
  return page('innsigli', [
    ...section('NAME', ['innsigli \\- seal, archive and verify documents']),
    ...section('SYNOPSIS', ['.B innsigli', '.RI [ options ] " command"']),
    ...section('DESCRIPTION', [roff(program.description())]),
    ...section(
      'COMMANDS',
      commands.flatMap((command) => [
        '.TP',
        `.BR ${roff(pageName(command))} (1)`,
        roff(command.summary()),
      ]),
    ),
    ...section('OPTIONS', optionLines(program.options)),
    ...section('CONFIGURATION', literal(topics['configuration']?.lines(literalWidth) ?? [])),
    ...section('ENVIRONMENT', literal(topics['environment']?.lines(literalWidth) ?? [])),
    ...section('OUTPUT', literal(topics['output']?.lines(literalWidth) ?? [])),
    ...section('EXIT STATUS', exitLines(exitCodes)),
  ]);
}

function commandPage(command: Command, program: Command): string {
  const doc = findCommandDoc(command);
  const words = wordsOf(command).join(' ');
  const paragraphs = [command.description(), ...(doc?.help ?? [])];
  return page(pageName(command), [
    ...section('NAME', [`${roff(pageName(command))} \\- ${roff(command.summary())}`]),
    ...section('SYNOPSIS', [`.B ${roff(words)}`, roff(command.usage())]),
    ...section(
      'DESCRIPTION',
      paragraphs.flatMap((text, index) => (index === 0 ? [roff(text)] : ['.PP', roff(text)])),
    ),
    ...section(
      'ARGUMENTS',
      command.registeredArguments.flatMap((argument) => [
        '.TP',
        `.I ${roff(argument.name())}`,
        roff(withChoices(argument.description, argument.argChoices)),
      ]),
    ),
    ...section('OPTIONS', optionLines(command.options)),
    ...section('GLOBAL OPTIONS', optionLines(program.options)),
    ...section(
      'EXAMPLES',
      Object.entries(doc?.examples ?? {}).flatMap(([line, meaning]) => [
        '.TP',
        `.B ${roff(line)}`,
        roff(meaning),
      ]),
    ),
    ...section('EXIT STATUS', exitLines(Object.entries(doc?.exits ?? {}))),
    ...section('SEE ALSO', ['.BR innsigli (1)']),
  ]);
}

function page(name: string, lines: readonly string[]): string {
  const title = `.TH "${roff(name.toUpperCase())}" 1 "" "innsigli" "innsigli manual"`;
  return `${[title, ...lines].join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`.SH ${title}`, ...lines];
}

function optionLines(options: readonly Option[]): readonly string[] {
  return options.flatMap((option) => {
    if (option.hidden) return [];
    const isDefaultShown = typeof option.defaultValue === 'string';
    const usual = isDefaultShown ? ` (default: ${String(option.defaultValue)})` : '';
    const suffix = option.mandatory ? ' (required)' : usual;
    const text = withChoices(option.description, option.argChoices);
    return ['.TP', `.B ${roff(option.flags)}`, roff(`${text}${suffix}`)];
  });
}

function withChoices(text: string, choices: readonly string[] | undefined): string {
  return choices === undefined ? text : `${text}: ${choices.join(', ')}`;
}

function exitLines(codes: readonly (readonly [number | string, string])[]): readonly string[] {
  return codes.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, roff(meaning)]);
}

function literal(lines: readonly string[]): readonly string[] {
  return ['.nf', ...lines.map(roff), '.fi'];
}

// Escapes backslashes, typed hyphens, and dots or quotes at the start of a line.
function roff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

if (process.argv[1]?.endsWith('man.ts')) {
  const folder = join(process.cwd(), 'man');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of await manPages()) writeFileSync(join(folder, name), text);
}
