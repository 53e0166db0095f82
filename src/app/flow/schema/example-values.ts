import { isRecord } from '../../../base/input.ts';
import {
  type DocumentTemplate,
  type FlowValue,
  type FlowValues,
  partsOf,
  type TemplateBlock,
} from '../../../domain/flow/index.ts';
import type { FormField } from '../form/form-fields.ts';

type Values = Record<string, FlowValue>;

const word = 'Example';

/**
 * Values with which every field of a form is filled.
 *
 * @param schema published schema of the flow, parsed: its example for a field takes precedence
 */
export function formExample(fields: readonly FormField[], schema?: unknown): FlowValues {
  return Object.fromEntries(
    fields
      .filter(({ name }) => name !== '__proto__')
      .map((field) => [field.name, sampleOf(memberOf(schema, field.name)) ?? ofField(field)]),
  );
}

/**
 * Values for every handle of a template, and for what the schema requires besides.
 *
 * @param more further texts with handles, such as that of the file name
 */
export function templateExample(
  { title, blocks }: DocumentTemplate,
  more: readonly string[],
  schema?: unknown,
): FlowValues {
  const values: Values = {};
  const lists = blocks.flatMap((block) => ('each' in block ? (block.each ?? []) : []));
  for (const block of blocks) {
    const texts = textsOf(block);
    if (!('each' in block) || block.each === undefined) {
      put(values, texts, schema);
      continue;
    }
    const items = memberOf(memberOf(schema, block.each), undefined);
    const [known] = [values[block.each]].flat();
    const member: Values = isRecord(known) ? { ...known } : {};
    put(member, texts, items);
    values[block.each] = [member];
  }
  const conditions = blocks.flatMap(({ when }) => (when === undefined ? [] : [`{{${when}}}`]));
  put(values, [title, ...more, ...conditions], schema, lists);
  return { ...(isRecord(schema) ? requiredOf(schema) : {}), ...values };
}

function textsOf(block: TemplateBlock): readonly string[] {
  switch (block.type) {
    case 'list':
      return block.items;
    case 'values':
      return block.rows.flatMap(({ name, text }) => [name, text]);
    case 'table':
      return block.columns.map(({ text }) => text);
    case 'pageBreak':
      return [];
    default:
      return [block.text];
  }
}

/** Adds a value for every handle of `texts`; a name with dots is a path. */
function put(
  values: Values,
  texts: readonly string[],
  schema: unknown,
  taken: readonly string[] = [],
): void {
  for (const name of texts.flatMap((text) => partsOf(text).names)) {
    const path = name.split('.');
    if (path.includes('__proto__') || taken.includes(name)) continue;
    const last = path.pop() as string;
    let within: Values | undefined = values;
    let place = schema;
    for (const part of path) {
      const next: unknown = Object.hasOwn(within, part) ? within[part] : {};
      if (!isRecord(next)) {
        within = undefined;
        break;
      }
      within[part] = next as Values;
      within = next as Values;
      place = memberOf(place, part);
    }
    // A name that is a text and an object: the whole name, with its dots, comes first.
    const [into, key] = within === undefined ? [values, name] : [within, last];
    if (!Object.hasOwn(into, key)) into[key] = sampleOf(memberOf(place, last)) ?? word;
  }
}

function ofField({ kind, options = [], lengthMax }: FormField): string {
  if (kind === 'checkbox') return 'checked';
  if (kind === 'text') return word.slice(0, lengthMax);
  return options[0] ?? '';
}

/** The schema of a member, or of the elements of a list. */
function memberOf(schema: unknown, name: string | undefined): unknown {
  if (!isRecord(schema)) return undefined;
  if (name === undefined) return schema['items'];
  const { properties } = schema;
  return isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

const byFormat: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T10:00:00Z',
  email: 'anna@example.com',
  uri: 'https://example.com/',
};

/** A value that the schema names itself, or one of its type; undefined where any text will do. */
function sampleOf(schema: unknown): FlowValue | undefined {
  if (!isRecord(schema)) return undefined;
  const { examples, default: usual, const: only, enum: words, type, format, minimum } = schema;
  const lists = [examples, words].map((each) => (Array.isArray(each) ? each[0] : undefined));
  const told = [lists[0], usual, only, lists[1]].find((each) => each !== undefined);
  if (told !== undefined) return told as FlowValue;
  if (type === 'number' || type === 'integer') return typeof minimum === 'number' ? minimum : 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [sampleOf(schema['items']) ?? word];
  if (type === 'object' || isRecord(schema['properties'])) return requiredOf(schema);
  return typeof format === 'string' ? byFormat[format] : undefined;
}

function requiredOf(schema: Readonly<Record<string, unknown>>): FlowValues {
  const { required } = schema;
  const names = (Array.isArray(required) ? required : []).filter(
    (name): name is string => typeof name === 'string' && name !== '__proto__',
  );
  return Object.fromEntries(
    names.map((name) => [name, sampleOf(memberOf(schema, name)) ?? word] as const),
  );
}
