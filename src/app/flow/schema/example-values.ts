import { isRecord } from '../../../base/input.ts';
import {
  type DocumentTemplate,
  type FlowValue,
  type FlowValues,
  findValue,
  partsOf,
  putValue,
  rootPlace,
  type SchemaPlace,
  type TemplateBlock,
} from '../../../domain/flow/index.ts';
import type { FormField } from '../form/form-fields.ts';
import { placeOn } from '../form/question.ts';
import { exampleWord, requiredOf, type SampleRoom, sampleOf, sampleRoom } from './sample-value.ts';

type Values = Record<string, FlowValue>;

/**
 * Example values that fill every field of a form.
 *
 * @param schema parsed published schema of the flow: its example for a field takes precedence
 */
export function formExample(fields: readonly FormField[], schema?: unknown): FlowValues {
  const place = rootPlace(schema);
  const room = sampleRoom();
  return Object.fromEntries(
    fields
      .filter(({ name }) => name !== '__proto__')
      .map((field) => [field.name, sampleOf(place?.member(field.name), room) ?? ofField(field)]),
  );
}

/**
 * Example values for every placeholder of a template, and for everything else that the schema
 * requires.
 *
 * @param more further texts with placeholders, such as that of the file name
 */
export function templateExample(
  { title, blocks }: DocumentTemplate,
  more: readonly string[],
  schema?: unknown,
): FlowValues {
  const values: Values = {};
  const place = rootPlace(schema);
  const room = sampleRoom();
  const lists = blocks.flatMap((block) => ('each' in block ? (block.each ?? []) : []));
  for (const block of blocks) {
    const texts = textsOf(block);
    if (!('each' in block) || block.each === undefined) {
      put(values, texts, place, room);
      continue;
    }
    const items = place?.member(block.each)?.items;
    const [known] = [values[block.each]].flat();
    const member: Values = isRecord(known) ? { ...known } : {};
    put(member, texts, items, room);
    values[block.each] = [member];
  }
  // Column titles are outside the list that the table repeats its rows for.
  const heads = blocks.flatMap((block) =>
    block.type === 'table' ? block.columns.map((column) => column.title) : [],
  );
  const conditions = blocks.flatMap(({ when }) => (when === undefined ? [] : [`{{${when}}}`]));
  put(values, [title, ...heads, ...more, ...conditions], place, room, lists);
  return { ...(place === undefined ? {} : requiredOf(place, room)), ...values };
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

/** Adds a value for every placeholder of `texts`; a name with dots is a path. */
function put(
  values: Values,
  texts: readonly string[],
  schema: SchemaPlace | undefined,
  room: SampleRoom,
  taken: readonly string[] = [],
): void {
  for (const name of texts.flatMap((text) => partsOf(text).names)) {
    const path = name.split('.');
    if (path.includes('__proto__') || taken.includes(name)) continue;
    if (findValue([values], name) !== undefined) continue;
    putValue(values, name, sampleOf(placeOn(schema, path), room) ?? exampleWord);
  }
}

function ofField({ kind, options = [], lengthMax }: FormField): string {
  if (kind === 'checkbox') return 'checked';
  if (kind === 'text') return exampleWord.slice(0, lengthMax);
  return options[0] ?? '';
}
