import type { FlagSettings } from '../wire/config/layer.ts';
import {
  type Setting,
  type SettingPath,
  settings as settingTable,
} from '../wire/config/settings.table.ts';
import type { GlobalOptions } from './context.ts';
import { shellWord } from './output/index.ts';

/** Options that the user gave on the command line, as written. */
export interface GivenFlags {
  readonly settings: FlagSettings;
  readonly globals: Pick<GlobalOptions, 'config' | 'dataDir'>;
  /** Paths of documents covered by a detached signature. */
  readonly detached?: readonly string[];
}

const opening: readonly SettingPath[] = [
  'pdfPasswordFile',
  'trust',
  'trustProfiles',
  'validationData',
  'algorithmPolicy',
];
const judging: readonly SettingPath[] = [...opening, 'revocation'];
const stamping: readonly SettingPath[] = [
  ...opening,
  'tsa',
  'tsa.user',
  'tsa.passwordFile',
  'tsaTimeoutMs',
  'proxy',
];

/** The shell command `innsigli verify …`, with the given flags that affect its result. */
export function verifyLine(given: GivenFlags, file: string): string {
  const flags = [...flagWords(given, judging), ...besideWords(given)];
  return ['innsigli verify', ...flags, shellWord(file)].join(' ');
}

/** The command `innsigli archive …`, like {@link verifyLine}; `more`: placeholders to fill in. */
export function archiveLine(
  given: GivenFlags,
  file: string,
  inPlace: boolean,
  more: readonly string[] = [],
): string {
  const place = [...(inPlace ? ['--in-place'] : []), ...more];
  const flags = [...flagWords(given, stamping), ...besideWords(given)];
  return ['innsigli archive', ...place, ...flags, shellWord(file)].join(' ');
}

/** The shell command `innsigli seal …`, with the same configuration and data directory. */
export function sealLine(globals: GivenFlags['globals'], file: string): string {
  return ['innsigli seal', ...flagWords({ settings: {}, globals }, []), shellWord(file)].join(' ');
}

function besideWords({ detached = [] }: GivenFlags): readonly string[] {
  return detached.flatMap((name) => ['--detached', shellWord(name)]);
}

function flagWords(given: GivenFlags, paths: readonly SettingPath[]): readonly string[] {
  const { config, dataDir } = given.globals;
  const pairs: (readonly [string, string])[] = [];
  if (config !== undefined) pairs.push(['--config', config]);
  if (dataDir !== undefined) pairs.push(['--data-dir', dataDir]);
  for (const { path, flag } of settingTable as readonly (Setting & { path: SettingPath })[]) {
    if (flag === undefined || !paths.includes(path)) continue;
    for (const value of [given.settings[path] ?? []].flat()) pairs.push([flag, value]);
  }
  // `<(…)` of a shell and standard input do not outlive their command.
  const lasting = pairs.filter(([, value]) => !/^-$|^\/(dev|proc\/self)\/fd\//.test(value));
  return lasting.flatMap(([flag, value]) => [flag, shellWord(value)]);
}

/** Flags of a command that the next command needs, too. */
export type Place = Pick<GlobalOptions, 'config' | 'dataDir' | 'company'>;

/**
 * A shell command for the same configuration, data directory and company as this one.
 *
 * @param words the words after `innsigli`; user input must already be quoted
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

/** The next step with its reason. The command ends the line, ready to be copied. */
export function nextLine(why: string, words: string, place: Place): string {
  return `Next, to ${why}: ${commandLine(words, place)}`;
}
