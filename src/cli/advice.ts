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
  /** Paths of documents that the signature is beside of. */
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

/** `innsigli verify …` for a shell: with those of the given flags that its answer depends on. */
export function verifyLine(given: GivenFlags, file: string): string {
  const flags = [...flagWords(given, judging), ...besideWords(given)];
  return ['innsigli verify', ...flags, shellWord(file)].join(' ');
}

/** `innsigli archive …` for a shell, as {@link verifyLine}; `more`: words for readers to fill. */
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

/** `innsigli seal …` for a shell, with the same configuration and data directory. */
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
  // `<(…)` of a shell and standard input are gone with the command that they were for.
  const lasting = pairs.filter(([, value]) => !/^-$|^\/(dev|proc\/self)\/fd\//.test(value));
  return lasting.flatMap(([flag, value]) => [flag, shellWord(value)]);
}

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
