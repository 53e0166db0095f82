import { isRecord } from '../../base/input.ts';
import type { FlowValue } from './flow-values.ts';
import { resolvePointer } from './schema-check.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * What a schema states about one value, with references and `allOf` merged and "or null" separated.
 * Used to ask for values and to generate examples; whether a value is valid is decided by the
 * validator.
 */
export interface SchemaPlace {
  /** Merged keywords: of conflicting bounds the narrowest, of other keywords the first. */
  readonly node: Node;
  /** Types without `null`; undefined if any type is allowed. */
  readonly types: readonly string[] | undefined;
  /** `null` is explicitly allowed. */
  readonly isNullable: boolean;
  /** The only allowed values, without null. */
  readonly choices: readonly FlowValue[] | undefined;
  readonly required: ReadonlySet<string>;
  /** The schema of a member; undefined if there is none. */
  member(name: string): SchemaPlace | undefined;
  /** The schema of the elements of a list. */
  readonly items: SchemaPlace | undefined;
  /** False for a member that is not allowed. */
  allows(name: string): boolean;
}

/** Maximum depth of nested references and of nested `allOf`. */
const DEPTH_MAX = 48;

/**
 * Maximum number of keywords, texts and parts examined in one schema. Thousands of names may share
 * thousands of parts: after the limit, nothing more is reported about the schema.
 */
const STEPS_MAX = 1_000_000;

/** A schema and its remaining steps. */
interface Root {
  readonly schema: unknown;
  steps: number;
}

/** The location of the root value of a parsed schema; undefined if the schema states nothing. */
export function rootPlace(schema: unknown): SchemaPlace | undefined {
  return placeOf({ schema, steps: STEPS_MAX }, [schema]);
}

function placeOf(root: Root, schemas: readonly unknown[]): SchemaPlace | undefined {
  const parts = schemas.flatMap((schema) => partsOf(root, schema, 0));
  for (const { enum: listed, required: names } of parts) {
    root.steps -= [listed, names].reduce((sum: number, each) => sum + lengthOf(each), 0);
  }
  if (parts.length === 0 || root.steps <= 0) return undefined;
  const lists = parts.flatMap(({ type }) => (type === undefined ? [] : [textsIn([type].flat())]));
  const types = lists.length === 0 ? undefined : lists.reduce(commonTypes);
  const words = parts.flatMap((part) => choicesOf(part) ?? []);
  const choices = words.length === 0 ? undefined : words.reduce(commonValues);
  const known = types !== undefined || choices !== undefined;
  let elements: { readonly place: SchemaPlace | undefined } | undefined;
  const members = new Map<string, SchemaPlace | undefined>();
  return {
    node: mergedNode(root, parts),
    types: types?.filter((type) => type !== 'null'),
    isNullable: known && (types?.includes('null') ?? true) && (choices?.includes(null) ?? true),
    choices: choices?.filter((each) => each !== null),
    required: new Set(parts.flatMap(({ required }) => textsIn(required))),
    member: (name) => {
      root.steps -= parts.length;
      if (root.steps <= 0) return undefined;
      if (!members.has(name)) members.set(name, placeOf(root, propertiesOf(parts, name)));
      return members.get(name);
    },
    get items() {
      elements ??= { place: placeOf(root, itemsOf(parts)) };
      return elements.place;
    },
    allows: (name) => {
      root.steps -= parts.length;
      return root.steps <= 0 || parts.every((part) => allowsMember(part, name));
    },
  };
}

function propertiesOf(parts: readonly Node[], name: string): readonly unknown[] {
  return parts.flatMap(({ properties }) =>
    isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
}

function itemsOf(parts: readonly Node[]): readonly unknown[] {
  return parts.map(({ items }) => items);
}

/** All schemas that apply where this one applies: itself, its reference and its `allOf`. */
function partsOf(root: Root, schema: unknown, depth: number): readonly Node[] {
  root.steps -= 1;
  if (!isRecord(schema) || depth > DEPTH_MAX || root.steps <= 0) return [];
  const { $ref, allOf, anyOf, oneOf } = schema;
  const referred = typeof $ref === 'string' ? [resolvePointer(root.schema, $ref)] : [];
  const all = [...referred, ...(Array.isArray(allOf) ? allOf : [])];
  const either = [anyOf, oneOf].flatMap((branches) => nonNullBranch(branches) ?? []);
  return [
    schema,
    ...all.flatMap((each) => partsOf(root, each, depth + 1)),
    ...either.flatMap((each) => partsOf(root, each, depth + 1).map(withNull)),
  ];
}

/** If one of two branches is only `null`, returns the other. */
function nonNullBranch(branches: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(branches) || branches.length !== 2) return undefined;
  const others = branches.filter((each) => !isRecord(each) || each['type'] !== 'null');
  return others.length === 1 ? others : undefined;
}

function withNull(part: Node): Node {
  const { type } = part;
  const words = choicesOf(part)?.[0];
  return {
    ...part,
    ...(type === undefined ? {} : { type: [...[type].flat(), 'null'] }),
    ...(words === undefined ? {} : { const: undefined, enum: [...words, null] }),
  };
}

/** The lists of allowed values in one schema; every list applies. */
function choicesOf({ const: only, enum: words }: Node): readonly FlowValue[][] | undefined {
  const lists = [
    ...(only === undefined ? [] : [[only as FlowValue]]),
    ...(Array.isArray(words) ? [words as FlowValue[]] : []),
  ];
  return lists.length === 0 ? undefined : [lists.reduce(commonValues)];
}

function commonValues(a: FlowValue[], b: FlowValue[]): FlowValue[] {
  const texts = new Set(b.map((each) => JSON.stringify(each)));
  return a.filter((each) => texts.has(JSON.stringify(each)));
}

function commonTypes(a: readonly string[], b: readonly string[]): readonly string[] {
  const has = (list: readonly string[], type: string) =>
    list.includes(type) || (type === 'integer' && list.includes('number'));
  return [...new Set([...a.filter((each) => has(b, each)), ...b.filter((each) => has(a, each))])];
}

const least = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems'];
const most = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems'];

function mergedNode(root: Root, parts: readonly Node[]): Node {
  const node: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      root.steps -= 1;
      const known = node[name];
      if (typeof known !== 'number' || typeof value !== 'number') node[name] ??= value;
      else if (least.includes(name)) node[name] = Math.min(known, value);
      else if (most.includes(name)) node[name] = Math.max(known, value);
    }
  }
  return node;
}

function allowsMember(part: Node, name: string): boolean {
  const { properties, additionalProperties, patternProperties } = part;
  const own =
    isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return own !== false;
  return additionalProperties !== false || isRecord(patternProperties);
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function textsIn(list: unknown): readonly string[] {
  return (Array.isArray(list) ? list : []).filter((each) => typeof each === 'string');
}
