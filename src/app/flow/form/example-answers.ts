import {
  type FlowValue,
  putValue,
  rootPlace,
  type SchemaPlace,
} from '../../../domain/flow/index.ts';
import { exampleWord, type SampleRoom, sampleOf, sampleRoom } from '../schema/sample-value.ts';
import {
  checkedWord,
  type FormQuestion,
  type FormQuestions,
  placeOn,
  type RowsQuestion,
} from './question.ts';
import { answerId, answersFrom } from './read-answers.ts';

/** Options of the generated answers. */
export interface ExampleOptions {
  /** Free texts consist of one letter. */
  readonly isShort: boolean;
  /** Include optional answers. */
  readonly isWhole: boolean;
}

/** Options for generating the answer to one question. */
interface ExampleContext extends Pick<ExampleOptions, 'isShort'> {
  readonly room: SampleRoom;
  /** Above 0: a value that differs from the previous ones, for lists with unique elements. */
  readonly variant: number;
}

/** Generates plausible answers from a parsed schema. */
export function exampleAnswers(
  questions: FormQuestions,
  schema: unknown,
  { isShort, isWhole }: ExampleOptions,
): ReadonlyMap<string, string> {
  const root = rootPlace(schema);
  const context = { isShort, room: sampleRoom(), variant: 0 };
  const values: Record<string, FlowValue> = {};
  for (const question of questions) {
    const place = placeAt(root, question);
    if (question.kind === 'rows') {
      const isUnique = place?.node['uniqueItems'] === true;
      const least = Number(place?.node['minItems'] ?? 0);
      const count = Math.max(isWhole ? 1 : 0, Math.min(least, question.rowMost));
      const rows = Array.from({ length: count }, (_, at) =>
        rowOf(question, place?.items, { ...context, variant: isUnique ? at : 0 }),
      );
      putValue(values, question.name, rows);
    } else if (isWhole || question.isRequired) {
      put(values, question, exampleOf(question, place, context));
    }
  }
  const given = answersFrom(questions, values);
  // The person may clear preset optional answers.
  for (const [at, { kind, ...question }] of questions.entries()) {
    if (kind === 'rows' || isWhole || ('isRequired' in question && question.isRequired)) continue;
    given.delete(answerId(at));
  }
  return given;
}

function rowOf(
  { columns, isScalar }: RowsQuestion,
  items: SchemaPlace | undefined,
  context: ExampleContext,
): FlowValue {
  const row: Record<string, FlowValue> = {};
  for (const column of columns) {
    const place = isScalar === true ? items : placeAt(items, column);
    put(row, column, exampleOf(column, place, context));
  }
  return row;
}

function placeAt(
  root: SchemaPlace | undefined,
  { name, isPath, kind }: Pick<FormQuestion, 'name' | 'isPath'> & { readonly kind: string },
): SchemaPlace | undefined {
  return placeOn(root, isPath === true || kind === 'rows' ? name.split('.') : [name]);
}

function put(
  values: Record<string, FlowValue>,
  { name, isPath }: FormQuestion,
  value: FlowValue,
): void {
  if (isPath === true) putValue(values, name, value);
  else values[name] = value;
}

function exampleOf(
  question: FormQuestion,
  place: SchemaPlace | undefined,
  { isShort, room, variant }: ExampleContext,
): FlowValue {
  const { kind, options = [], lengthMax } = question;
  if (kind === 'checkbox') return checkedWord;
  if (kind === 'choice') return options[variant % Math.max(1, options.length)] ?? '';
  const sample = variant > 0 ? variantOf(question, place, room, variant) : sampleOf(place, room);
  if (sample !== undefined && typeof sample !== 'object') return sample;
  if (kind === 'number' || kind === 'integer') return 1;
  if (kind === 'boolean') return true;
  return (isShort ? 'A' : exampleWord).slice(0, lengthMax);
}

const DAY_MS = 86_400_000;

/** Another value of the same kind. Whether it is valid is tested later. */
function variantOf(
  { kind, lengthMax = Number.POSITIVE_INFINITY }: FormQuestion,
  place: SchemaPlace | undefined,
  room: SampleRoom,
  variant: number,
): FlowValue | undefined {
  const first = sampleOf(place, room);
  const { examples, multipleOf } = place?.node ?? {};
  const own = Array.isArray(examples) ? examples[variant] : undefined;
  if (own !== undefined) return own as FlowValue;
  if (kind === 'boolean') return variant % 2 === 0;
  if (kind === 'number' || kind === 'integer') {
    const step = typeof multipleOf === 'number' ? multipleOf : 1;
    return (typeof first === 'number' ? first : 1) + variant * step;
  }
  if (kind === 'date') {
    const day = Date.parse(typeof first === 'string' ? first : '2026-01-31');
    return new Date(day + variant * DAY_MS).toISOString().slice(0, 10);
  }
  if (kind === 'email') return `anna${variant}@example.com`;
  if (place?.node['pattern'] !== undefined) return first;
  const text = typeof first === 'string' ? first : exampleWord;
  const mark = String.fromCharCode(0x61 + (variant % 26));
  return `${mark}${text}`.slice(0, Math.max(1, Math.min(text.length, lengthMax)));
}
