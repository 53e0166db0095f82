import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import type { LoginBounds } from '../../domain/login-bounds.ts';
import type { CodeBounds } from '../../domain/signing/index.ts';
import type {
  ExplainedConfig,
  ExplainedSetting,
  KeyConfig,
  Origin,
  ResolvedConfig,
  ServiceConfig,
  SettingValue,
  TsaConfig,
} from './config.ts';
import { readFileLayer, readObjectLayer } from './file.ts';
import { secretPaths, trustPaths } from './guarded-settings.table.ts';
import { type FlagSettings, type Layer, readEnvironmentLayer, readFlagLayer } from './layer.ts';
import {
  defaultDataDir,
  type Environment,
  findProjectFile,
  homeFolder,
  userConfigFile,
} from './paths.ts';
import { type SettingPath, settings } from './settings.table.ts';

/** Sources of the configuration. */
export interface ConfigSources {
  readonly flags: FlagSettings;
  /** `--config`: read in place of the project file. */
  readonly configFile?: string;
  readonly env: Environment;
  /** Absolute path of the current folder. */
  readonly cwd: string;
}

const notSet: Origin = { kind: 'default', name: '' };

/**
 * Returns the configuration with the origin of every value. Precedence: flags, environment, project
 * file, user file, defaults. The members of `key` and the credentials of `tsa` belong together:
 * those from a layer below the one that selected the key or the authority are dropped, so that a
 * password is never used with a foreign key or sent to a foreign address.
 *
 * @throws usage.invalid for flags, config.invalid for everything else
 */
export function resolveConfig(sources: ConfigSources): ExplainedConfig {
  const { env, cwd } = sources;
  const named = sources.configFile ?? (env['INNSIGLI_CONFIG'] || undefined);
  const found = named === undefined ? findProjectFile(cwd, homeFolder(env)) : undefined;
  // Any user can place a file in a world-writable folder such as /tmp.
  const foreign = found?.isForeign === true ? found.file : undefined;
  const own = foreign === undefined ? found?.file : undefined;
  const project = named === undefined ? own : resolve(cwd, named);
  const user = userConfigFile(env);
  const hasUser = existsSync(user);
  const ignored: string[] = [];
  const isFound = named === undefined;
  const projectLayers =
    project === undefined ? [] : [readProjectLayer(project, isFound, env, ignored)];
  const above = [readFlagLayer(sources.flags, cwd), readEnvironmentLayer(env, cwd)];
  const below = [...(hasUser ? [readFileLayer('user', user, env)] : []), defaultLayer(env)];
  const merged = mergeLayers([...above, ...projectLayers, ...below]);
  const files = {
    ...defined({ project }),
    ...(hasUser ? { user } : {}),
  };
  const effects = isFound ? foundEffects(merged, mergeLayers([...above, ...below])) : [];
  const told = { settings: explain(merged), files, ignored, effects };
  const config = buildConfig(merged);
  const isKeyIgnored = ignored.some((path) => path === 'key.file' || path === 'key.p12');
  const isKeyRefused = config.key.kind === 'development' && isKeyIgnored;
  const refused = isKeyRefused && project !== undefined ? { keyRefusedFrom: project } : {};
  return {
    config: { ...config, ...refused },
    ...told,
    ...defined({ foreign }),
  };
}

/** Effects of a discovered project file that its user may not expect. */
function foundEffects(merged: Merged, without: Merged): readonly string[] {
  const effects: string[] = [];
  const tsa = merged.get('tsa');
  if (tsa?.origin.kind === 'project') {
    const urls = (tsa.value as readonly TsaConfig[]).map(({ url }) => url);
    effects.push(urls.length === 0 ? 'no tsa' : `tsa ${urls.join(', ')}`);
  }
  const level = merged.get('level');
  const usual = without.get('level')?.value as SealLevel;
  const isLower = level !== undefined && !reachesLevel(level.value as SealLevel, usual);
  if (isLower) effects.push(`level ${level.value} instead of ${usual}`);
  return effects;
}

/**
 * Reads the layer of the project file. A file that was discovered, not named, may have come with
 * the documents to be verified: it does not determine trust, selects no key and sends no
 * credentials.
 */
function readProjectLayer(
  file: string,
  isFound: boolean,
  env: Environment,
  ignored: string[],
): Layer {
  const layer = readFileLayer('project', file, env);
  if (!isFound) return layer;
  const values = new Map(layer.values);
  for (const path of [...secretPaths, ...trustPaths]) {
    if (values.delete(path)) ignored.push(path);
  }
  // A setting that the user has switched on stays on.
  for (const path of ['production', 'offline'] as const) {
    if (values.get(path)?.value !== false) continue;
    values.delete(path);
    ignored.push(path);
  }
  const tsa = values.get('tsa');
  const authorities = (tsa?.value ?? []) as readonly TsaConfig[];
  if (tsa !== undefined && authorities.some(({ username }) => username !== undefined)) {
    ignored.push('credentials of tsa');
    values.set('tsa', { ...tsa, value: authorities.map(({ url }) => ({ url })) });
  }
  return { kind: 'project', values };
}

/**
 * Returns the configuration of an object structured like a configuration file. Nothing is read from
 * the environment or from files.
 *
 * @param cwd base of relative paths
 * @throws config.invalid
 */
export function configFromObject(given: object, cwd: string): ResolvedConfig {
  const root = given as Record<string, unknown>;
  const layer = readObjectLayer('given', 'settings', root, { folder: cwd });
  return buildConfig(mergeLayers([layer, defaultLayer({})]));
}

type Merged = ReadonlyMap<SettingPath, { value: SettingValue; origin: Origin }>;

const keyChoices = ['key.development', 'key.file', 'key.p12'] as const;
const keyMembers = ['key.certificate', 'key.chain', 'key.passwordFile'] as const;
const tsaMembers = ['tsa.user', 'tsa.passwordFile'] as const;

function mergeLayers(layers: readonly Layer[]): Merged {
  const keyAt = layers.findIndex((layer) => keyChoices.some((path) => layer.values.has(path)));
  const tsaAt = layers.findIndex((layer) => layer.values.has('tsa'));
  const last: Partial<Record<SettingPath, number>> = {};
  for (const path of [...keyChoices, ...keyMembers]) last[path] = keyAt;
  for (const path of tsaMembers) last[path] = tsaAt;

  const merged = new Map<SettingPath, { value: SettingValue; origin: Origin }>();
  for (const [index, layer] of layers.entries()) {
    for (const [path, entry] of layer.values) {
      if (index <= (last[path] ?? layers.length) && !merged.has(path)) merged.set(path, entry);
    }
  }
  const chosen = keyChoices.filter((path) => merged.has(path));
  if (chosen.length > 1) {
    const names = chosen.map((path) => settingName(path, merged)).join(' and ');
    const origin = merged.get(chosen[0] ?? 'key.file')?.origin;
    throw conflict(origin, `${names}: expected one key, found ${chosen.length}`, 'use one of them');
  }
  return merged;
}

function defaultLayer(env: Environment): Layer {
  const values = new Map<SettingPath, { value: SettingValue; origin: Origin }>();
  for (const { path, ...setting } of settings) {
    const value: SettingValue | undefined = 'default' in setting ? setting.default : undefined;
    if (value !== undefined) values.set(path, { value, origin: notSet });
  }
  values.set('dataDir', { value: defaultDataDir(env), origin: notSet });
  return { kind: 'default', values };
}

/** Those of these settings that are set, each under the last segment of its path. */
function membersOf(merged: Merged, paths: readonly SettingPath[]): object {
  const set = paths.flatMap((path) => {
    const entry = merged.get(path);
    return entry === undefined ? [] : [[path.slice(path.indexOf('.') + 1), entry.value]];
  });
  return Object.fromEntries(set);
}

const inGroup = (group: string) => (path: SettingPath) => path.startsWith(`${group}.`);
const paths = settings.map(({ path }) => path);

function buildConfig(merged: Merged): ResolvedConfig {
  const plain = membersOf(merged, [
    ...(['dataDir', 'offline', 'production', 'allowPrivateAddresses', 'pdfPasswordFile'] as const),
    ...(['tsaTimeoutMs', 'proxy', 'trust', 'trustProfiles', 'validationData'] as const),
    ...(['revocation', 'algorithmPolicy', 'level', 'digest'] as const),
  ]);
  const key = buildKey(merged);
  const tsa = buildAuthorities(merged);
  return { ...plain, key, tsa, service: buildService(merged) } as ResolvedConfig;
}

function buildService(merged: Merged): ServiceConfig {
  const get = <T>(path: SettingPath): T => merged.get(path)?.value as T;
  const group = <Name extends keyof ServiceConfig>(name: Name) =>
    membersOf(merged, paths.filter(inGroup(name))) as ServiceConfig[Name];
  return {
    ...defined({ goesByNotedTime: get<boolean | undefined>('clock.noted') }),
    ...membersOf(merged, ['database', 'company', 'eid']),
    databaseLimits: {
      connections: get('databaseConnections'),
      connectTimeoutMs: get('databaseConnectTimeoutMs'),
      queryTimeoutMs: get('databaseQueryTimeoutMs'),
    },
    frontEnd: get<string>('frontEnd').replace(/\/+$/, ''),
    simulatedPersons: get('simulatedPersons'),
    simulator: group('simulator'),
    pages: group('pages'),
    screening: group('screening'),
    mail: group('mail'),
    sms: group('sms'),
    register: group('register'),
    logins: buildLogins(group('logins') as object as LoginSettings),
    codes: group('codes') as CodeBounds,
    webhookNetworks: (get<string | undefined>('webhooks.networks') ?? '')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}

type LoginSettings = Omit<LoginBounds, 'boundsTestNumbers'> & {
  readonly boundTestNumbers: boolean;
};

const buildLogins = ({ boundTestNumbers, ...bounds }: LoginSettings): LoginBounds => ({
  ...bounds,
  boundsTestNumbers: boundTestNumbers,
});

function buildKey(merged: Merged): KeyConfig {
  const get = (path: SettingPath) => merged.get(path)?.value as string | undefined;
  const passwordFile = get('key.passwordFile');
  const password = defined({ passwordFile });
  const keyFile = get('key.file');
  if (keyFile !== undefined) {
    const certificateFile = get('key.certificate');
    const chainFiles = (merged.get('key.chain')?.value ?? []) as readonly string[];
    const certificate = defined({ certificateFile });
    return { kind: 'pem', keyFile, ...certificate, chainFiles, ...password };
  }
  const p12 = get('key.p12');
  const found = p12 === undefined ? 'none' : '--p12';
  requireNone(merged, ['key.certificate', 'key.chain'], '--key', found);
  if (p12 !== undefined) return { kind: 'p12', file: p12, ...password };
  requireNone(merged, ['key.passwordFile'], '--key or --p12', 'none');
  return { kind: 'development', seal: get('key.development') === 'ec' ? 'ec' : 'rsa' };
}

// A certificate or password file may be set for later in the environment; a flag is a mistake.
function requireNone(
  merged: Merged,
  paths: readonly SettingPath[],
  owner: string,
  found: string,
): void {
  for (const path of paths) {
    const origin = merged.get(path)?.origin;
    if (origin?.kind !== 'flag') continue;
    const { name } = origin;
    const hint = `add ${owner} with a file, or omit ${name}`;
    throw conflict(origin, `${name}: expected ${owner} with it, found ${found}`, hint);
  }
}

function buildAuthorities(merged: Merged): readonly TsaConfig[] {
  const authorities = merged.get('tsa')?.value as readonly TsaConfig[];
  const username = merged.get('tsa.user')?.value as string | undefined;
  const passwordFile = merged.get('tsa.passwordFile')?.value as string | undefined;
  if (username === undefined && passwordFile === undefined) return authorities;
  const entry = merged.get(username === undefined ? 'tsa.passwordFile' : 'tsa.user');
  if (username === undefined || passwordFile === undefined) {
    throw conflict(entry?.origin, 'expected both a user and a password file for the authority');
  }
  const [only] = authorities;
  if (only === undefined || authorities.length > 1) {
    const count = authorities.length;
    throw conflict(entry?.origin, `expected one authority for the credentials, found ${count}`);
  }
  return [{ url: only.url, username, passwordFile }];
}

function settingName(path: SettingPath, merged: Merged): string {
  const origin = merged.get(path)?.origin;
  const isFile = origin?.kind === 'project' || origin?.kind === 'user';
  return isFile ? `${origin.name}: $.${path}` : (origin?.name ?? path);
}

function conflict(
  origin: Origin | undefined,
  message: string,
  hint = 'see the source of each value with innsigli config explain',
): InnsigliError {
  const isFlag = origin?.kind === 'flag';
  return new InnsigliError(isFlag ? 'usage.invalid' : 'config.invalid', message, { hint });
}

function explain(merged: Merged): readonly ExplainedSetting[] {
  return settings.map(({ path }) => {
    const entry = merged.get(path);
    return { path, value: entry?.value ?? null, origin: entry?.origin ?? notSet };
  });
}
