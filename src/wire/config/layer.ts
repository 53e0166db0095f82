import { delimiter } from 'node:path';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { findSimilar } from '../../base/text/index.ts';
import type { Origin, SettingValue } from './config.ts';
import type { Environment } from './paths.ts';
import { otherVariables, type Setting, type SettingPath, settings } from './settings.table.ts';
import { parseText, ValueProblem } from './values.ts';

/** Stands for standard input in place of a path. */
export const STDIN = '-';

/** Validated settings from one source. */
export interface Layer {
  readonly kind: Origin['kind'];
  readonly values: ReadonlyMap<SettingPath, { value: SettingValue; origin: Origin }>;
}

/** Settings given as flags, as text. Repeatable flags have lists. */
export type FlagSettings = { readonly [path in SettingPath]?: string | readonly string[] };

/**
 * Reads the layer of the command line.
 *
 * @throws usage.invalid
 */
export function readFlagLayer(flags: FlagSettings, cwd: string): Layer {
  const values = new Map<SettingPath, { value: SettingValue; origin: Origin }>();
  for (const setting of settings as readonly (Setting & { path: SettingPath })[]) {
    const given = flags[setting.path];
    if (given === undefined) continue;
    const texts = typeof given === 'string' ? [given] : given;
    const isStdin = setting.stdin === true && given === STDIN;
    const value = isStdin ? given : parseText(setting, texts, { folder: cwd });
    const name = setting.flag ?? setting.path;
    if (value instanceof ValueProblem) throw textError('usage.invalid', name, value);
    values.set(setting.path, { value, origin: { kind: 'flag', name } });
  }
  return { kind: 'flag', values };
}

/**
 * Reads the layer of the environment. Lists of paths are split like PATH, lists of addresses at
 * white space. An empty variable counts as not set.
 *
 * @throws config.invalid
 */
export function readEnvironmentLayer(env: Environment, cwd: string): Layer {
  const values = new Map<SettingPath, { value: SettingValue; origin: Origin }>();
  for (const setting of settings as readonly (Setting & { path: SettingPath })[]) {
    const text = env[setting.variable];
    if (text === undefined || text === '') continue;
    const texts = splitVariable(setting, text);
    const value = parseText(setting, texts, { folder: cwd, home: env });
    if (value instanceof ValueProblem) throw textError('config.invalid', setting.variable, value);
    const origin: Origin = { kind: 'environment', name: setting.variable };
    values.set(setting.path, { value, origin });
  }
  return { kind: 'environment', values };
}

/** Warnings about variables that look like settings but are not. */
export function checkEnvironment(env: Environment): readonly string[] {
  const known = new Set<string>([
    ...settings.map((setting) => setting.variable),
    ...Object.keys(otherVariables),
  ]);
  const warnings: string[] = [];
  for (const name of Object.keys(env)) {
    if (!name.startsWith('INNSIGLI_') || known.has(name)) continue;
    if (/PASSWORD|SECRET|PASSPHRASE|PIN$/.test(name)) {
      const instead = name.includes('TSA')
        ? 'INNSIGLI_TSA_PASSWORD_FILE'
        : 'INNSIGLI_PASSWORD_FILE';
      warnings.push(
        `${name} is ignored, because other programs can read the environment: use a file with ` +
          `${instead}`,
      );
      continue;
    }
    const similar = findSimilar(name, known);
    const question = similar === undefined ? '' : `; did you mean ${similar}?`;
    warnings.push(`${name} is not a variable of innsigli and is ignored${question}`);
  }
  return warnings;
}

function splitVariable(setting: Setting, text: string): readonly string[] {
  if (setting.kind === 'paths') return text.split(delimiter).filter((path) => path !== '');
  if (setting.kind === 'names') return text.split(/[\s,]+/).filter((name) => name !== '');
  if (setting.kind === 'authorities' || setting.kind === 'sources') {
    return text.split(/\s+/).filter((url) => url !== '');
  }
  return [text];
}

function textError(
  code: 'usage.invalid' | 'config.invalid',
  name: string,
  problem: ValueProblem,
): InnsigliError {
  const { expected, found } = problem;
  const isVariable = code === 'config.invalid';
  const change = isVariable ? `change the environment variable ${name}, or unset it` : undefined;
  const hint = problem.hint ?? change;
  return new InnsigliError(code, `${name}: expected ${expected}, found ${found}`, {
    details: { name, expected, found },
    ...defined({ hint }),
  });
}
