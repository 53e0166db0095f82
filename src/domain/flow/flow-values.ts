import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';

/** A value passed to a flow: JSON. */
export type FlowValue =
  | string
  | number
  | boolean
  | null
  | readonly FlowValue[]
  | { readonly [name: string]: FlowValue };

/** Values by name. */
export type FlowValues = Readonly<Record<string, FlowValue>>;

/** Limits for the values of one document. */
export const valueLimits = {
  jsonCharacters: 256 * 1024,
  depth: 16,
  nodes: 10_000,
  textCharacters: 20_000,
} as const;

/** Member of `meta` that contains the values of a form as JSON text. */
export const fieldDataMember = 'pdfFieldData';

/**
 * Returns the values in the meta data of a process. If `pdfFieldData` exists: its JSON, combined
 * with the other members; otherwise all members as texts.
 *
 * @param withOthers false: members other than `pdfFieldData` are not values
 * @throws flow.values.invalid
 */
export function valuesFromMeta(
  meta: Readonly<Record<string, string>>,
  withOthers: boolean,
): FlowValues {
  const json = Object.hasOwn(meta, fieldDataMember) ? meta[fieldDataMember] : undefined;
  if (json === undefined) return requireValues(meta);
  const values = parseValues(json);
  if (!withOthers) return values;
  const { [fieldDataMember]: _, ...others } = meta;
  return requireValues({ ...others, ...values });
}

/** Parses the values in a JSON text. @throws flow.values.invalid */
export function parseValues(json: string): FlowValues {
  if (json.length > valueLimits.jsonCharacters) {
    return refuse(`expected at most ${valueLimits.jsonCharacters} characters`);
  }
  const value: unknown = attemptAny(() => JSON.parse(json));
  if (value === undefined) return refuse('expected JSON, found other text');
  return requireValues(value);
}

/** Validates `value` as an object of limited size and depth without dangerous names. */
export function requireValues(value: unknown): FlowValues {
  if (!isRecord(value)) return refuse('expected an object of values');
  let nodes = 0;
  const visit = (each: unknown, depth: number): void => {
    nodes += 1;
    if (nodes > valueLimits.nodes) refuse(`expected at most ${valueLimits.nodes} values`);
    if (depth > valueLimits.depth) refuse(`expected at most ${valueLimits.depth} levels`);
    if (typeof each === 'string' && each.length > valueLimits.textCharacters) {
      refuse(`expected texts of at most ${valueLimits.textCharacters} characters`);
    }
    if (typeof each === 'number' && !Number.isFinite(each)) refuse('expected finite numbers');
    if (typeof each !== 'object' || each === null) return;
    if (Object.hasOwn(each, '__proto__')) refuse('expected no member named __proto__');
    for (const child of Object.values(each)) visit(child, depth + 1);
  };
  visit(value, 0);
  return value as FlowValues;
}

/** Formats a value as a document shows it. Lists and objects show nothing. */
export function shownValue(value: FlowValue | undefined): string {
  if (value === undefined || value === null || typeof value === 'object') return '';
  return String(value);
}

/** Returns the value at `path`, dot-separated names, searching from the innermost of `scopes`. */
export function findValue(scopes: readonly FlowValues[], path: string): FlowValue | undefined {
  for (const scope of scopes) {
    // A name that itself contains dots takes precedence over a path.
    if (Object.hasOwn(scope, path)) return scope[path];
    let value: FlowValue | undefined = scope;
    for (const name of path.split('.')) {
      const isMember: boolean = isRecord(value) && Object.hasOwn(value, name);
      value = isMember ? (value as FlowValues)[name] : undefined;
    }
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Returns the location of a value among the values as a JSON pointer. @spec RFC 6901 §3 */
export function valuePointer(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Sets the value at `path`, dot-separated names. If part of the path is already a text, the whole
 * path is used as one name, as {@link findValue} reads it.
 */
export function putValue(values: Record<string, FlowValue>, path: string, value: FlowValue): void {
  const names = path.split('.');
  const last = names.pop() ?? path;
  let within: Record<string, FlowValue> = values;
  for (const name of names) {
    const next: unknown = Object.hasOwn(within, name) ? within[name] : {};
    if (!isRecord(next)) {
      values[path] = value;
      return;
    }
    within[name] = next as FlowValues;
    within = next as Record<string, FlowValue>;
  }
  within[last] = value;
}

function refuse(why: string): never {
  throw new InnsigliError('flow.values.invalid', `values: ${why}`);
}
