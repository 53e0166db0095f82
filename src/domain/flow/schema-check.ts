import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import { parsePattern } from './linear-pattern.ts';

/** Limits of a schema. The cost of validation grows with each of them. */
const schemaLimits = {
  characters: 256 * 1024,
  depth: 48,
  nodes: 10_000,
  /** Members of one `properties`: a validator recurses once for each. */
  properties: 1_500,
  /** Nodes after every reference is expanded. */
  expandedNodes: 50_000,
  /** Limited because a reference is resolved every time it is encountered. */
  refCharacters: 1_000,
  versionCharacters: 64,
} as const;

/** A schema that a validator may compile. */
interface CheckedSchema {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly draft: 'draft-07' | '2020-12';
}

const drafts: Readonly<Record<string, CheckedSchema['draft']>> = {
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'http://json-schema.org/draft-06/schema': 'draft-07',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};

/** Keywords that are asynchronous, resolved at run time or refer to data outside the schema. */
const refusedKeywords = ['$async', '$dynamicRef', '$recursiveRef', '$data'];

/**
 * Parses `text` as a JSON Schema of limited size. Its references are internal and acyclic, and its
 * patterns match in linear time.
 *
 * @throws flow.schema.invalid
 */
export function checkSchemaText(text: string): CheckedSchema {
  if (text.length > schemaLimits.characters) {
    return refuse(`expected at most ${schemaLimits.characters} characters`);
  }
  const root: unknown = attemptAny(() => JSON.parse(text));
  if (root === undefined) return refuse('expected JSON, found other text');
  if (!isRecord(root)) return refuse('expected an object');
  checkNodes(root);
  const expanded = countExpandedNodes(root, root, new Map(), new Set());
  if (expanded > schemaLimits.expandedNodes) {
    return refuse(`expected at most ${schemaLimits.expandedNodes} nodes with references replaced`);
  }
  const { $schema, $id: _, ...schema } = root;
  return { schema, draft: draftOf($schema) };
}

/** Validates `version` as the name of a schema version. @throws flow.schema.invalid */
export function requireSchemaVersion(version: string): string {
  const isName = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(version);
  if (isName && version.length <= schemaLimits.versionCharacters) return version;
  const max = schemaLimits.versionCharacters;
  return refuse(`version: expected 1 to ${max} letters, digits, dots, dashes or underscores`);
}

function draftOf(uri: unknown): CheckedSchema['draft'] {
  if (uri === undefined) return 'draft-07';
  const name = typeof uri === 'string' ? uri.replace(/#$/, '') : '';
  const draft = Object.hasOwn(drafts, name) ? drafts[name] : undefined;
  return draft ?? refuse(`$schema: expected ${Object.keys(drafts).join(' or ')}`);
}

function checkNodes(root: Readonly<Record<string, unknown>>): void {
  let nodes = 0;
  const visit = (value: unknown, depth: number): void => {
    nodes += 1;
    if (nodes > schemaLimits.nodes) refuse(`expected at most ${schemaLimits.nodes} nodes`);
    if (depth > schemaLimits.depth) refuse(`expected at most ${schemaLimits.depth} levels`);
    if (typeof value !== 'object' || value === null) return;
    if (isRecord(value)) checkObject(value, value === root);
    for (const child of Object.values(value)) visit(child, depth + 1);
  };
  visit(root, 0);
}

function checkObject(node: Readonly<Record<string, unknown>>, isRoot: boolean): void {
  if (Object.hasOwn(node, '__proto__')) refuse('expected no member named __proto__');
  const keyword = refusedKeywords.find((each) => Object.hasOwn(node, each));
  if (keyword !== undefined) refuse(`expected a schema without ${keyword}`);
  if (!isRoot && typeof node['$id'] === 'string') refuse('expected $id at the top only');
  const { $ref, pattern, patternProperties, properties } = node;
  if (typeof $ref === 'string' && !/^#\//.test($ref)) {
    refuse(`$ref: expected #/… inside this schema, found ${JSON.stringify($ref.slice(0, 60))}`);
  }
  if (typeof $ref === 'string' && $ref.length > schemaLimits.refCharacters) {
    refuse(`$ref: expected at most ${schemaLimits.refCharacters} characters`);
  }
  if (typeof pattern === 'string') checkPattern(pattern);
  if (isRecord(patternProperties)) Object.keys(patternProperties).forEach(checkPattern);
  const count = isRecord(properties) ? Object.keys(properties).length : 0;
  if (count <= schemaLimits.properties) return;
  refuse(`expected at most ${schemaLimits.properties} members of properties, found ${count}`);
}

function checkPattern(source: string): void {
  const parsed = parsePattern(source);
  if (typeof parsed === 'string')
    refuse(`pattern ${JSON.stringify(source.slice(0, 60))} ${parsed}`);
}

/** Counts the nodes of `value` with every reference expanded. A cycle is rejected. */
function countExpandedNodes(
  value: unknown,
  root: unknown,
  known: Map<object, number>,
  open: Set<object>,
): number {
  if (typeof value !== 'object' || value === null) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (open.has(value)) return refuse('expected references without a cycle');
  open.add(value);
  let weight = 1;
  for (const child of Object.values(value)) weight += countExpandedNodes(child, root, known, open);
  const ref = isRecord(value) ? value['$ref'] : undefined;
  if (typeof ref === 'string')
    weight += countExpandedNodes(resolvePointer(root, ref), root, known, open);
  open.delete(value);
  known.set(value, weight);
  return weight;
}

/** The value that `#/a/b` refers to in `root`. @spec RFC 6901 §4, §6 */
export function resolvePointer(root: unknown, ref: string): unknown {
  let value = root;
  for (const part of ref.slice(2).split('/')) {
    const name = decodePart(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    if (!isMember) return refuse(`$ref: ${JSON.stringify(ref.slice(0, 60))} refers to nothing`);
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

function decodePart(part: string): string {
  const decoded = attemptAny(() => decodeURIComponent(part));
  return decoded ?? refuse(`$ref: ${JSON.stringify(part.slice(0, 60))} is not well-formed`);
}

function refuse(why: string): never {
  throw new InnsigliError('flow.schema.invalid', `schema: ${why}`);
}
