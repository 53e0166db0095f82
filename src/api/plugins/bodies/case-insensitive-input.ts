import type { TSchema } from '@sinclair/typebox';
import { invalid } from '../../../base/input.ts';
import { limits } from '../../../base/limits.ts';
import { isMark } from './json-documents.ts';

/** Depth of a body that is followed; schemas are not deeper. */
const DEPTH_MAX = 12;

/**
 * `value` in the names and words of `schema`: members and enumerated words are found in any letter
 * case, words by their published integers too; members that the schema does not have and those that
 * are null are left out. Values of a wrong type stay unchanged, for the validation to report.
 *
 * @param named schemas that `$ref` names
 * @throws validation.error for a list or map that is longer than the schema allows
 */
export function bindCaseInsensitive(
  schema: TSchema,
  value: unknown,
  named: ReadonlyMap<string, TSchema>,
  path = '',
  depth = 0,
): unknown {
  const shape = resolveShape(schema, named);
  if (depth > DEPTH_MAX || value === null || value === undefined) return value ?? undefined;
  if (typeof value === 'string' || typeof value === 'number') {
    requireShortText(shape, value, path);
    return bindScalar(shape, value);
  }
  if (Array.isArray(value)) return bindList(shape, value, named, path, depth);
  if (typeof value === 'object' && shape['type'] === 'object') {
    return bindObject(shape, value as Record<string, unknown>, named, path, depth);
  }
  return value;
}

/** The schema that `schema` refers to, or itself. */
export function resolveShape(schema: TSchema, named: ReadonlyMap<string, TSchema>): TSchema {
  const target = schema['$ref'];
  if (typeof target !== 'string') return schema;
  return named.get(target.replace(/#$/, '')) ?? schema;
}

// Before anything looks at it: no text but a document is as long as a body may be.
function requireShortText(shape: TSchema, value: string | number, path: string): void {
  const { contentEncoding, maxLength = 0 } = shape as {
    readonly contentEncoding?: string;
    readonly maxLength?: number;
  };
  const most = Math.max(limits.textCharacters, maxLength);
  if (typeof value === 'number' || contentEncoding !== undefined || value.length <= most) return;
  invalid(path, `expected at most ${most} characters, found ${value.length}`);
}

// An empty text is no word and no switch: then nothing was said.
function bindScalar(shape: TSchema, value: string | number): unknown {
  const { enum: words, 'x-enum-integers': integers = [] } = shape as {
    readonly enum?: readonly string[];
    readonly 'x-enum-integers'?: readonly number[];
  };
  if (words === undefined && (shape['type'] !== 'boolean' || typeof value === 'number'))
    return value;
  const wanted = String(value).trim().toLowerCase();
  if (words !== undefined) {
    if (wanted === '') return undefined;
    const at = words.findIndex((word) => word.toLowerCase() === wanted);
    return words[at] ?? words[integers.findIndex((each) => String(each) === wanted)] ?? value;
  }
  if (wanted === '') return undefined;
  return wanted === 'true' || (wanted === 'false' ? false : value);
}

function bindList(
  shape: TSchema,
  value: readonly unknown[],
  named: ReadonlyMap<string, TSchema>,
  path: string,
  depth: number,
): unknown {
  const { items, maxItems } = shape as { items?: TSchema; maxItems?: number };
  if (items === undefined) return value;
  if (maxItems !== undefined && value.length > maxItems) {
    invalid(path, `expected at most ${maxItems} elements, found ${value.length}`);
  }
  return value.map(
    (item, at) => bindCaseInsensitive(items, item, named, `${path}[${at}]`, depth + 1) ?? item,
  );
}

function bindObject(
  shape: TSchema,
  value: Readonly<Record<string, unknown>>,
  named: ReadonlyMap<string, TSchema>,
  path: string,
  depth: number,
): Record<string, unknown> {
  const properties = shape['properties'] as Record<string, TSchema> | undefined;
  if (properties === undefined) return bindMap(shape, value, path);
  const names = canonicalNames(properties);
  const bound: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(value)) {
    const name = names.get(given.toLowerCase());
    if (name === undefined || member === null || member === undefined) continue;
    // Two spellings of one name: the exact one counts.
    if (name !== given && Object.hasOwn(value, name)) continue;
    const below = path === '' ? name : `${path}.${name}`;
    const found = bindCaseInsensitive(properties[name] as TSchema, member, named, below, depth + 1);
    if (found !== undefined) bound[name] = found;
  }
  return bound;
}

// The names of a map belong to the caller.
function bindMap(
  shape: TSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Record<string, unknown> {
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  const { maxProperties } = shape as { maxProperties?: number };
  if (maxProperties !== undefined && entries.length > maxProperties) {
    invalid(path, `expected at most ${maxProperties} members, found ${entries.length}`);
  }
  // Documents are taken by the name of their member; a map has names of its own, and short texts.
  if (entries.some(([, member]) => typeof member === 'string' && isMark(member))) {
    invalid(path, 'expected no document, found one in base64');
  }
  return Object.fromEntries(entries);
}

const known = new WeakMap<object, ReadonlyMap<string, string>>();

function canonicalNames(properties: Readonly<Record<string, TSchema>>) {
  const found = known.get(properties);
  if (found !== undefined) return found;
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  for (const [name, { 'x-aliases': aliases = [] }] of Object.entries(properties)) {
    for (const alias of aliases as readonly string[]) {
      if (!names.has(alias)) names.set(alias, name);
    }
  }
  known.set(properties, names);
  return names;
}
