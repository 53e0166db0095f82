import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { osErrorText, systemCode } from '../../base/os-errors.ts';
import { findSimilar } from '../../base/text/index.ts';
import type { Origin, SettingValue } from './config.ts';
import type { Layer } from './layer.ts';
import type { Environment } from './paths.ts';
import { type Setting, type SettingPath, settings } from './settings.table.ts';
import { type PathBase, parseJsonValue, ValueProblem } from './values.ts';

const fileBytesMax = 1024 * 1024;

/**
 * Reads the layer of one configuration file. Relative paths are resolved against its folder.
 *
 * @throws config.invalid with the JSON path of the first problem
 */
export function readFileLayer(kind: 'project' | 'user', file: string, env: Environment): Layer {
  const root = parseObject(file, readText(file));
  return readObjectLayer(kind, file, root, { folder: dirname(file), home: env });
}

/**
 * Reads the layer of an object structured like a configuration file.
 *
 * @param file name of the object in messages
 * @throws config.invalid with the JSON path of the first problem
 */
export function readObjectLayer(
  kind: 'project' | 'user' | 'given',
  file: string,
  root: Record<string, unknown>,
  base: PathBase,
): Layer {
  const values = new Map<SettingPath, { value: SettingValue; origin: Origin }>();
  for (const [path, at, json] of flatten(file, root)) {
    const setting = settings.find((one) => one.path === path) as Setting & { path: SettingPath };
    const value = parseJsonValue(setting, json, base, at);
    if (value instanceof ValueProblem) throw problemError(file, value);
    values.set(setting.path, { value, origin: { kind, name: file } });
  }
  return { kind, values };
}

function readText(file: string): string {
  try {
    const entry = statSync(file);
    if (!entry.isFile()) throw problemError(file, new ValueProblem('$', 'a regular file', file));
    const { size } = entry;
    if (size > fileBytesMax) {
      throw problemError(file, new ValueProblem('$', `at most ${fileBytesMax} bytes`, size));
    }
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    const reason = systemCode(cause) ?? 'unknown';
    const message = `the configuration file ${file} cannot be read: ${osErrorText(reason)}`;
    throw new InnsigliError('config.invalid', message, { cause, details: { file, reason } });
  }
}

function parseObject(file: string, text: string): Record<string, unknown> {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (cause) {
    const place = lineAndColumn(text, (cause as Error).message);
    throw new InnsigliError(
      'config.invalid',
      `${file}: expected JSON, found a syntax error${place}`,
      {
        cause,
        details: { file },
        hint: 'JSON has no comments and no trailing commas',
      },
    );
  }
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    throw problemError(file, new ValueProblem('$', 'an object', root));
  }
  return root as Record<string, unknown>;
}

function lineAndColumn(text: string, message: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return ` in line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}

// Yields [setting path, JSON path, value] and rejects keys that are not in the table.
function* flatten(
  file: string,
  root: Record<string, unknown>,
): Generator<readonly [string, string, unknown]> {
  const paths = (settings as readonly Setting[])
    .filter((setting) => setting.fileless !== true)
    .map((setting) => setting.path);
  const inGroups = paths.filter((path) => path.includes('.'));
  const groups = new Set(inGroups.map((path) => path.slice(0, path.indexOf('.'))));
  for (const [key, value] of Object.entries(root)) {
    if (key === '$schema') continue;
    if (!groups.has(key)) {
      const names = [...paths.filter((path) => !path.includes('.')), ...groups];
      if (!names.includes(key)) throw unknownKey(file, `$.${key}`, key, names);
      yield [key, `$.${key}`, value];
      continue;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw problemError(file, new ValueProblem(`$.${key}`, 'an object', value));
    }
    const own = paths.filter((path) => path.startsWith(`${key}.`));
    const names = own.map((path) => path.slice(key.length + 1));
    for (const [member, inner] of Object.entries(value)) {
      if (!names.includes(member)) throw unknownKey(file, `$.${key}.${member}`, member, names);
      yield [`${key}.${member}`, `$.${key}.${member}`, inner];
    }
  }
}

function unknownKey(
  file: string,
  at: string,
  key: string,
  names: readonly string[],
): InnsigliError {
  const isSecret = /^(password|passphrase|secret|pin)$/i.test(key);
  const similar = findSimilar(key, names);
  const hint = isSecret
    ? 'secrets are not allowed in configuration files: refer to a file with "passwordFile"'
    : similar === undefined
      ? `known here: ${names.join(', ')}`
      : `did you mean "${similar}"?`;
  const message = `${file}: ${at} is not a setting`;
  return new InnsigliError('config.invalid', message, { details: { file, at }, hint });
}

function problemError(file: string, problem: ValueProblem): InnsigliError {
  const { at, expected, found, hint } = problem;
  const message = `${file}: ${at}: expected ${expected}, found ${found}`;
  return new InnsigliError('config.invalid', message, {
    details: { file, at, expected, found },
    ...defined({ hint }),
  });
}
