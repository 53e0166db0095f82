import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { attemptAny } from '../../base/errors.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Name of the project's configuration file, looked for from the current folder upward. */
const projectFileName = 'innsigli.config.json';

/** The user's configuration file. @spec XDG Base Directory 0.8 */
export function userConfigFile(env: Environment): string {
  return join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'innsigli', 'config.json');
}

/** The data directory when nothing names one. @spec XDG Base Directory 0.8 */
export function defaultDataDir(env: Environment): string {
  return join(xdgFolder(env, 'XDG_DATA_HOME', join('.local', 'share')), 'innsigli');
}

/** The root certificate of the development trust in a data directory. */
export function developmentRootFile(dataDir: string): string {
  return join(dataDir, 'trust', 'root.pem');
}

/** The SQLite database of a data directory. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'innsigli.db');
}

/** The imported register of persons of a data directory. */
export function registerTableFile(dataDir: string): string {
  return join(dataDir, 'register', 'persons.table');
}

/** The key of a data directory to what is encrypted in its database. */
export function vaultKeyFile(dataDir: string): string {
  return join(dataDir, 'vault.key');
}

/** A project file that was found, and whether it is this user's. */
export interface FoundFile {
  readonly file: string;
  /**
   * True when the file, a link to it or its folder belongs to another user without power over this
   * one.
   */
  readonly isForeign: boolean;
}

/**
 * The nearest project configuration file at or above `cwd`. The search ends at a folder of another
 * user, at the home folder, and at the boundary of the file system: files above belong to no
 * project. Folders are compared by their real paths.
 */
export function findProjectFile(
  cwd: string,
  home: string,
  isThere: (file: string) => boolean = existsSync,
): FoundFile | undefined {
  let folder = realFolder(cwd);
  const last = realFolder(home);
  const { dev } = statSync(folder, { throwIfNoEntry: false }) ?? {};
  for (;;) {
    const entry = statSync(folder, { throwIfNoEntry: false });
    if (entry === undefined || entry.dev !== dev) return undefined;
    const file = join(folder, projectFileName);
    const isForeign = isOfOther(entry);
    if (isThere(file)) return { file, isForeign: isForeign || isOfSomebodyElse(file) };
    const parent = dirname(folder);
    if (isForeign || folder === last || parent === folder) return undefined;
    folder = parent;
  }
}

function realFolder(path: string): string {
  return attemptAny(() => realpathSync(path)) ?? resolve(path);
}

/** True if another user owns the file; for a link, both the link and the file count. */
function isOfSomebodyElse(file: string): boolean {
  return isOfOther(lstatSync(file)) || isOfOther(statSync(file));
}

/** Neither the user nor the superuser. */
function isOfOther({ uid }: { readonly uid: number }): boolean {
  const own = process.getuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

/** `path` made absolute against `base`; with `home` a leading `~/` is the home folder. */
export function absolutePath(path: string, base: string, home?: Environment): string {
  if (home !== undefined && path.startsWith('~/')) return join(homeFolder(home), path.slice(2));
  return resolve(base, path);
}

/** The home folder of the user: `/` of one whom the system does not know, as in containers. */
export function homeFolder(env: Environment): string {
  const named = env['HOME'];
  if (named && isAbsolute(named)) return named;
  // That of the password file: os.homedir() takes an empty or relative HOME for one.
  return attemptAny(() => userInfo().homedir) ?? '/';
}

// The specification says to ignore relative paths.
function xdgFolder(env: Environment, variable: string, fallback: string): string {
  const folder = env[variable];
  return folder && isAbsolute(folder) ? folder : join(homeFolder(env), fallback);
}
