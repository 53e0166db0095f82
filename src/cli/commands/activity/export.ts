import { appendFileSync, closeSync, fsyncSync, lstatSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hexOf } from '../../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { osReason, systemCode } from '../../../base/os-errors.ts';
import { createFile, giveName } from '../../../wire/documents.ts';
import { command } from '../../command/index.ts';
import { unwritable, writePart } from '../../files/index.ts';
import { printable } from '../../output/index.ts';
import { activityQuery, filterNames, filterOptions } from './options.ts';

/** Number of characters buffered before a write. */
const portionCharacters = 64 * 1024;

/** Writes the log to a file or to stdout. */
export const activityExport = command('activity export', {
  summary: 'export the log with its chain',
  description: 'Export the log with all data needed to verify its chain.',
  options: {
    ...filterOptions,
    '--format <format>': { text: 'jsonl or csv', choices: ['jsonl', 'csv'], default: 'jsonl' },
    '--anonymous': 'omit personal data; the chain still verifies',
    '--by <e-mail>': { text: 'who exports', default: 'System' },
    '-o, --output <file>': 'file (default: stdout)',
    '-f, --force': 'replace an existing file',
  },
  help: [
    'JSON Lines contain rows with hashes, personal values with salts, and daily roots with their ' +
      'time-stamps. The export is logged in each process it contains.',
  ],
  examples: {
    'innsigli activity export -o log.jsonl': 'the last 30 days',
    'innsigli activity export --format csv --anonymous': 'for a spreadsheet',
  },
  exits: {
    0: 'exported, and logged',
    1: 'the file cannot be written',
    2: 'an option is invalid, or the file exists',
  },
  names: filterNames,
  call: async ({ activity }, { format, anonymous, by, output, force, ...filter }, context) => {
    const { io, console } = context;
    const lines = activity.export({
      filter: activityQuery(filter, io.now()),
      format,
      isAnonymous: anonymous === true,
      by,
    });
    if (output === undefined || output === '-') {
      for await (const text of portions(lines)) {
        writePart(io.stdout.isTerminal ? text : Buffer.from(text), io);
      }
    } else {
      const path = resolve(io.cwd, output);
      await writeFile(path, output, force === true, lines, io.random);
      console.note(`exported to ${printable(output)}`);
    }
    return undefined;
  },
});

async function* portions(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length < portionCharacters) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

// The file appears only when the export is complete: a truncated export leaves no file.
async function writeFile(
  path: string,
  name: string,
  force: boolean,
  lines: AsyncIterable<string>,
  random: (count: number) => Uint8Array,
): Promise<void> {
  let isMade = false;
  const temporary = join(dirname(path), `.innsigli-export-${hexOf(random(6))}.tmp`);
  try {
    requireReplaceable(path, name, force);
    // Personal data: accessible to the owner of the file only.
    const descriptor = createFile(temporary, 0o600);
    isMade = true;
    try {
      for await (const text of portions(lines)) appendFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    giveName(temporary, path, force ? 'replace' : 'new');
  } catch (error) {
    if (isMade) rmSync(temporary, { force: true });
    const code = systemCode(error);
    if (code === 'EEXIST') throw exists(name);
    if (isInnsigliError(error) || code === undefined) throw error;
    throw unwritable(name, osReason(error), { cause: error });
  }
}

/** Rejects the output before the log is read. Links are not followed, nor devices replaced. */
function requireReplaceable(path: string, name: string, force: boolean): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) throw unwritable(name, 'it is a folder');
  if (!force) throw exists(name);
  if (!stats.isFile()) throw unwritable(name, 'it is not a regular file');
}

function exists(name: string): InnsigliError {
  return new InnsigliError('usage.output.exists', `the output ${name} already exists`, {
    hint: 'choose a different name, or pass --force to replace it',
  });
}
