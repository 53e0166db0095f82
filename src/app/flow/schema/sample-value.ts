import {
  type FlowValue,
  type FlowValues,
  patternExample,
  type SchemaPlace,
} from '../../../domain/flow/index.ts';

/** A text where any will do. */
export const exampleWord = 'Example';

/** Elements and levels of an example at most. */
const itemsMax = 20;
const depthMax = 8;

const byFormat: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T10:00:00Z',
  email: 'anna@example.com',
  uri: 'https://example.com/',
  uuid: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
};

/** A value that the schema names itself, or one of its type; undefined where any text will do. */
export function sampleOf(place: SchemaPlace | undefined, depth = 0): FlowValue | undefined {
  if (place === undefined || depth > depthMax) return undefined;
  const { node, choices, types: [type] = [] } = place;
  const { examples, default: usual, format, pattern, minLength, maxLength } = node;
  const own = Array.isArray(examples) ? examples[0] : undefined;
  const told = [own, usual, choices?.[0]].find((each) => each !== undefined);
  if (told !== undefined) return told as FlowValue;
  if (type === 'number' || type === 'integer') return numberOf(node, type);
  if (type === 'boolean') return true;
  if (type === 'array') return listOf(place, depth);
  if (type === 'object' || 'properties' in node) return requiredOf(place, depth);
  if (typeof format === 'string' && format in byFormat) return byFormat[format];
  const matching = typeof pattern === 'string' ? patternExample(pattern) : undefined;
  if (matching !== undefined) return padded(matching, minLength, undefined);
  const isBound = typeof minLength === 'number' || typeof maxLength === 'number';
  return isBound ? padded(exampleWord, minLength, maxLength) : undefined;
}

/** Values for all that the schema requires of an object. */
export function requiredOf(place: SchemaPlace, depth = 0): FlowValues {
  const names = [...place.required].filter((name) => name !== '__proto__');
  return Object.fromEntries(
    names.map((name) => [name, sampleOf(place.member(name), depth + 1) ?? exampleWord] as const),
  );
}

function listOf({ node: { minItems }, items }: SchemaPlace, depth: number): readonly FlowValue[] {
  const count = typeof minItems === 'number' ? Math.min(Math.max(1, minItems), itemsMax) : 1;
  return Array.from({ length: count }, () => sampleOf(items, depth + 1) ?? exampleWord);
}

function padded(text: string, minLength: unknown, maxLength: unknown): string {
  const most = typeof maxLength === 'number' ? maxLength : text.length;
  const least = typeof minLength === 'number' ? Math.min(minLength, 20_000) : 0;
  const last = text.slice(-1) || 'e';
  return text.slice(0, Math.max(least, most)).padEnd(least, last);
}

/** The least number that fits, from 1 where that does. */
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
