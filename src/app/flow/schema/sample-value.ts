import {
  type FlowValue,
  type FlowValues,
  patternExample,
  type SchemaPlace,
} from '../../../domain/flow/index.ts';

/** Example text if any text is valid. */
export const exampleWord = 'Example';

/** Maximum number of elements and levels of an example. */
const itemsMax = 20;
const depthMax = 8;
/** Budget of values, and of characters of texts and patterns, for all samples of one document. */
const roomMax = 100_000;

/**
 * Remaining budget for samples. A short schema may require nested lists, or the same long text
 * repeatedly; once the budget is used up, no more samples are created.
 */
export interface SampleRoom {
  left: number;
}

/** The initial budget for the samples of one document. */
export function sampleRoom(): SampleRoom {
  return { left: roomMax };
}

const byFormat: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T10:00:00Z',
  email: 'anna@example.com',
  uri: 'https://example.com/',
  uuid: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
};

/** An example, default, choice or typed value of the schema; undefined if any text is valid. */
export function sampleOf(
  place: SchemaPlace | undefined,
  room: SampleRoom,
  depth = 0,
): FlowValue | undefined {
  if (place === undefined || depth > depthMax || room.left <= 0) return undefined;
  const { node, choices, types: [type] = [] } = place;
  const { examples, default: usual } = node;
  const own = Array.isArray(examples) ? examples[0] : undefined;
  const told = [own, usual, choices?.[0]].find((each) => each !== undefined);
  room.left -= 1;
  if (told === undefined && type === 'array') return listOf(place, room, depth);
  if (told === undefined && (type === 'object' || 'properties' in node)) {
    return requiredOf(place, room, depth);
  }
  const sample = told === undefined ? simpleOf(node, type, room) : (told as FlowValue);
  room.left -= sample === undefined ? 0 : JSON.stringify(sample).length;
  return sample;
}

function simpleOf(
  node: SchemaPlace['node'],
  type: string | undefined,
  room: SampleRoom,
): FlowValue | undefined {
  const { format, pattern, minLength, maxLength } = node;
  if (type === 'number' || type === 'integer') return numberOf(node, type);
  if (type === 'boolean') return true;
  if (typeof format === 'string' && format in byFormat) return byFormat[format];
  if (typeof pattern === 'string') {
    room.left -= pattern.length;
    const matching = patternExample(pattern);
    if (matching !== undefined) return padded(matching, minLength, undefined);
  }
  const isBound = typeof minLength === 'number' || typeof maxLength === 'number';
  return isBound ? padded(exampleWord, minLength, maxLength) : undefined;
}

/** Values for all members that the schema requires of an object. */
export function requiredOf(place: SchemaPlace, room: SampleRoom, depth = 0): FlowValues {
  const names = [...place.required].filter((name) => name !== '__proto__');
  return Object.fromEntries(
    names.map(
      (name) => [name, sampleOf(place.member(name), room, depth + 1) ?? exampleWord] as const,
    ),
  );
}

function listOf(
  { node: { minItems }, items }: SchemaPlace,
  room: SampleRoom,
  depth: number,
): readonly FlowValue[] {
  const count = typeof minItems === 'number' ? Math.min(Math.max(1, minItems), itemsMax) : 1;
  const length = room.left > 0 ? count : 1;
  return Array.from({ length }, () => sampleOf(items, room, depth + 1) ?? exampleWord);
}

function padded(text: string, minLength: unknown, maxLength: unknown): string {
  const most = typeof maxLength === 'number' ? maxLength : text.length;
  const least = typeof minLength === 'number' ? Math.min(minLength, 20_000) : 0;
  const last = text.slice(-1) || 'e';
  return text.slice(0, Math.max(least, most)).padEnd(least, last);
}

/** A valid number: 1 if it is valid, otherwise one close to the bounds. */
function numberOf(node: SchemaPlace['node'], type: 'number' | 'integer'): number {
  const bound = (name: string, other: number) => {
    const value = node[name];
    return typeof value === 'number' ? value : other;
  };
  const least = bound('minimum', Number.NEGATIVE_INFINITY);
  const above = bound('exclusiveMinimum', Number.NEGATIVE_INFINITY);
  const most = Math.min(bound('maximum', Infinity), bound('exclusiveMaximum', Infinity));
  const step = Math.abs(bound('multipleOf', type === 'integer' ? 1 : 0));
  const fits = (value: number) => value >= least && value > above && value <= most;
  const start = [1, 0, least, Math.ceil(above), above + 1, above + 0.5, Math.floor(most), most - 1]
    .filter(Number.isFinite)
    .flatMap((value) => (step === 0 ? [value] : [Math.ceil(value / step) * step]));
  return start.find((value) => fits(value) && value !== node['exclusiveMaximum']) ?? 1;
}
