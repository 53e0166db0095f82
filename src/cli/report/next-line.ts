import type { GlobalOptions } from '../context.ts';
import { shellWord } from '../output/index.ts';

/** Place of a command: flags that the next command needs, too. */
export type Place = Pick<GlobalOptions, 'config' | 'dataDir' | 'company'>;

/**
 * A command for a shell, in the same configuration, data directory and company as this one.
 *
 * @param words the words after `innsigli`; those of users are quoted already
 */
export function commandLine(words: string, { config, dataDir, company }: Place): string {
  const flags = [
    ['--config', config],
    ['--data-dir', dataDir],
    ['--company', company],
  ] as const;
  const given = flags.flatMap(([flag, value]) =>
    value === undefined ? [] : [`${flag} ${shellWord(value)}`],
  );
  return ['innsigli', words, ...given].join(' ');
}

/** The next step with its reason; the command is the end of the line, ready to be copied. */
export function nextLine(why: string, words: string, place: Place): string {
  return `Next, to ${why}: ${commandLine(words, place)}`;
}
