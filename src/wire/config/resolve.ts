import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import type { RevocationMode } from '../../base/revocation-mode.ts';
import { type LoginBounds, usualLoginBounds } from '../../domain/login-bounds.ts';
import { usualCodeBounds } from '../../domain/signing/index.ts';
import type {
  ExplainedConfig,
  ExplainedSetting,
  KeyConfig,
  Origin,
  ResolvedConfig,
  SealDigest,
  ServiceConfig,
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
import type { SettingValue } from './values.ts';

/** What decides the configuration. */
export interface ConfigSources {
  readonly flags: FlagSettings;
  /** `--config`: read instead of the project file. */
  readonly configFile?: string;
  readonly env: Environment;
  /** Absolute path of the current folder. */
  readonly cwd: string;
}

const defaultTsaTimeoutMs = 10_000;

/** Where signing pages are when nobody says it. */
export const defaultFrontEnd = 'http://127.0.0.1:8080';
const notSet: Origin = { kind: 'default', name: '' };

/**
 * The configuration with the origin of every value: flags before environment before project file
 * before user file before defaults. The members of `key` and the credentials of `tsa` hold
 * together: those of a lower layer than the one that chose the key or the authority are left out,
 * so that a password never goes with a foreign key or to a foreign address.
 *
 * @throws usage.invalid for flags, config.invalid for everything else
 */
export function resolveConfig(sources: ConfigSources): ExplainedConfig {
  const { env, cwd } = sources;
  const named = sources.configFile ?? (env['INNSIGLI_CONFIG'] || undefined);
  const found = named === undefined ? findProjectFile(cwd, homeFolder(env)) : undefined;
  // A file in a folder that all may write to, such as /tmp, says what somebody else wants.
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
  const isKeyRefused = config.key.kind === 'development' && ignored.some(isKeyChoice);
  const refused = isKeyRefused && project !== undefined ? { keyRefusedFrom: project } : {};
  return {
    config: { ...config, ...refused },
    ...told,
    ...defined({ foreign }),
  };
}

/** What a project file that was found decides, and its user may not expect. */
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
  if (isLower) effects.push(`level ${level.value} in place of ${usual}`);
  return effects;
}

/**
 * The layer of the project file. One that was only found, not named, may have come with the very
 * documents that are to be checked: it does not decide whom to trust, chooses no key, and sends no
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
  // What the user has switched on stays on.
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

function isKeyChoice(path: string): boolean {
  return path === 'key.file' || path === 'key.p12';
}

/**
 * The configuration that an object in the form of a configuration file gives; nothing is read from
 * the environment or from files.
 *
 * @param cwd what relative paths stand against
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
  const values: readonly (readonly [SettingPath, SettingValue])[] = [
    ['dataDir', defaultDataDir(env)],
    ['offline', false],
    ['production', false],
    ['allowPrivateAddresses', false],
    ['simulatedPersons', 'reserved'],
    ['level', 'B-LTA'],
    ['digest', 'sha256'],
    ['key.development', 'rsa'],
    ['tsa', []],
    ['tsaTimeoutMs', defaultTsaTimeoutMs],
    ['trust', []],
    ['trustProfiles', []],
    ['validationData', []],
    ['revocation', 'require'],
    ['databaseConnections', 10],
    ['databaseConnectTimeoutMs', 5000],
    ['databaseQueryTimeoutMs', 15_000],
    ['frontEnd', defaultFrontEnd],
    ['mail.from', 'innsigli@localhost'],
    ['logins.open', usualLoginBounds.open],
    ['logins.inTenMinutes', usualLoginBounds.inTenMinutes],
    ['logins.aDay', usualLoginBounds.aDay],
    ['logins.aDayByClient', usualLoginBounds.aDayByClient],
    ['logins.strangersInTenMinutes', usualLoginBounds.strangersInTenMinutes],
    ['logins.strangersADay', usualLoginBounds.strangersADay],
    ['logins.aMinuteOfFlow', usualLoginBounds.aMinuteOfFlow],
    ['logins.boundTestNumbers', usualLoginBounds.boundsTestNumbers],
    ['codes.anHour', usualCodeBounds.anHour],
    ['codes.aDay', usualCodeBounds.aDay],
  ];
  return {
    kind: 'default',
    values: new Map(values.map(([path, value]) => [path, { value, origin: notSet }])),
  };
}

function buildConfig(merged: Merged): ResolvedConfig {
  const get = <T>(path: SettingPath): T => merged.get(path)?.value as T;
  const proxy = get<string | undefined>('proxy');
  const pdfPasswordFile = get<string | undefined>('pdfPasswordFile');
  const algorithmPolicy = get<string | undefined>('algorithmPolicy');
  return {
    dataDir: get('dataDir'),
    offline: get('offline'),
    production: get('production'),
    allowPrivateAddresses: get('allowPrivateAddresses'),
    key: buildKey(merged),
    ...defined({ pdfPasswordFile }),
    tsa: buildAuthorities(merged),
    tsaTimeoutMs: get('tsaTimeoutMs'),
    ...defined({ proxy }),
    trust: get('trust'),
    trustProfiles: get('trustProfiles'),
    validationData: get('validationData'),
    revocation: get<RevocationMode>('revocation'),
    ...defined({ algorithmPolicy }),
    level: get<SealLevel>('level'),
    digest: get<SealDigest>('digest'),
    service: buildService(merged),
  };
}

function buildService(merged: Merged): ServiceConfig {
  const find = (path: SettingPath) => merged.get(path)?.value as string | undefined;
  const count = (path: SettingPath) => merged.get(path)?.value as number;
  const member = <Name extends string>(name: Name, path: SettingPath) => {
    const value = find(path);
    return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: string };
  };
  return {
    ...(find('clock.noted') === undefined
      ? {}
      : { goesByNotedTime: merged.get('clock.noted')?.value === true }),
    ...member('database', 'database'),
    databaseLimits: {
      connections: count('databaseConnections'),
      connectTimeoutMs: count('databaseConnectTimeoutMs'),
      queryTimeoutMs: count('databaseQueryTimeoutMs'),
    },
    ...member('company', 'company'),
    frontEnd: (find('frontEnd') ?? '').replace(/\/+$/, ''),
    simulatedPersons: find('simulatedPersons') as ServiceConfig['simulatedPersons'],
    mail: {
      from: find('mail.from') ?? '',
      ...member('server', 'mail.server'),
      ...member('user', 'mail.user'),
      ...member('passwordFile', 'mail.passwordFile'),
    },
    sms: { ...member('gateway', 'sms.gateway'), ...member('tokenFile', 'sms.tokenFile') },
    logins: buildLogins(merged),
    codes: { anHour: count('codes.anHour'), aDay: count('codes.aDay') },
    webhookNetworks: (find('webhooks.networks') ?? '').split(/[\s,]+/).filter(Boolean),
  };
}

function buildLogins(merged: Merged): LoginBounds {
  const get = <T>(path: SettingPath): T => merged.get(path)?.value as T;
  return {
    open: get('logins.open'),
    inTenMinutes: get('logins.inTenMinutes'),
    aDay: get('logins.aDay'),
    aDayByClient: get('logins.aDayByClient'),
    strangersInTenMinutes: get('logins.strangersInTenMinutes'),
    strangersADay: get('logins.strangersADay'),
    aMinuteOfFlow: get('logins.aMinuteOfFlow'),
    boundsTestNumbers: get('logins.boundTestNumbers'),
  };
}

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

// In the environment a certificate or password file may stand ready for later; as a flag it is
// a mistake.
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
    const hint = `add ${owner} with a file, or leave out ${name}`;
    throw conflict(origin, `${name}: expected ${owner} beside it, found ${found}`, hint);
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
