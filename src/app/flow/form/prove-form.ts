import { isInnsigliError } from '../../../base/errors.ts';
import {
  type FlowValue,
  type FlowValues,
  putValue,
  rootPlace,
  type SchemaPlace,
} from '../../../domain/flow/index.ts';
import { exampleWord, type SampleRoom, sampleOf, sampleRoom } from '../schema/sample-value.ts';
import {
  checkedWord,
  type FormQuestion,
  type FormQuestions,
  type RowsQuestion,
} from './question.ts';
import { answerId, answersFrom, isFit, readAnswers } from './read-answers.ts';

/** Fields and characters of a form at most: more are no page that a person fills in. */
const pageMax = { fields: 2_000, characters: 500_000 } as const;

/** Answers on which other questions depend that are tried out, each with a document. */
const variantsMax = 60;

/** Why a form is no page that a person fills in; undefined when it is one. */
export function sizeFault(questions: FormQuestions): string | undefined {
  const count = (sizeOf: (question: FormQuestion) => number) =>
    questions.reduce((sum, each) => sum + onPage(each, sizeOf), 0);
  const [fields, characters] = [count(() => 1), count(charactersOf)];
  if (fields > pageMax.fields) {
    return `expected at most ${pageMax.fields} fields to fill in, found ${fields}`;
  }
  if (characters <= pageMax.characters) return undefined;
  return `expected at most ${pageMax.characters} characters of questions, found ${characters}`;
}

/**
 * Why a form could be filled in in vain; undefined when it can be sent: answers like those of a
 * person, made up from what schema and document say, are read as the page reads them and taken.
 *
 * @param schema parsed
 * @param take takes values as those of a process are taken: throws where they do not fit
 */
export async function formFault(
  questions: FormQuestions,
  schema: unknown,
  take: (values: FlowValues) => Promise<void>,
): Promise<string | undefined> {
  const variants = variantsOf(questions);
  if (variants.length > variantsMax) {
    return `expected at most ${variantsMax} answers on which others depend`;
  }
  for (const forced of [new Map<string, string>(), ...variants]) {
    const fault = await faultOfVariant(questions, schema, forced, take);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/**
 * The answers on which it depends what else is asked, each in turn: made up or not, with the
 * questions behind them or without.
 */
function variantsOf(questions: FormQuestions): readonly ReadonlyMap<string, string>[] {
  const tested = new Map<string, Set<string>>();
  for (const { tests } of questions.flatMap(({ askedIf = [] }) => askedIf)) {
    for (const { name, values } of tests) {
      const known = tested.get(name) ?? new Set();
      tested.set(name, known);
      for (const value of values) known.add(value === true ? checkedWord : String(value));
    }
  }
  return [...tested].flatMap(([name, values]) => {
    const at = questions.findIndex((question) => question.name === name);
    const question = questions[at];
    if (question === undefined || question.kind === 'rows') return [];
    const { kind, options = [], isRequired } = question;
    const isBox = kind === 'boolean' || kind === 'checkbox';
    const fit = [...values].filter((text) =>
      isBox ? text === checkedWord : isFit(question, text),
    );
    const other = options.find((each) => !values.has(each));
    const none = isRequired ? [] : [''];
    const all = [...fit, ...(other === undefined ? [] : [other]), ...none];
    return all.map((text) => new Map([[answerId(at), text]]));
  });
}

async function faultOfVariant(
  questions: FormQuestions,
  schema: unknown,
  forced: ReadonlyMap<string, string>,
  take: (values: FlowValues) => Promise<void>,
): Promise<string | undefined> {
  let fault: string | undefined;
  // All answers; then those that are required; then short ones, where fields are small.
  for (const isShort of [false, true]) {
    for (const isWhole of [true, false]) {
      const found = await faultOf(questions, schema, { isShort, isWhole, forced }, take);
      if (found === undefined) return undefined;
      fault ??= found;
    }
  }
  return fault;
}

/** What a question comes to on the page: one in rows stands in each of them. */
function onPage(
  question: FormQuestion | RowsQuestion,
  sizeOf: (question: FormQuestion) => number,
): number {
  if (question.kind !== 'rows') return sizeOf(question);
  return question.rowMost * question.columns.reduce((sum, each) => sum + sizeOf(each), 0);
}

function charactersOf({ label, help = '', preset = '', options = [] }: FormQuestion): number {
  const own = label.length + help.length + preset.length;
  // Each option stands there twice: as value and as text.
  return options.reduce((sum, each) => sum + 2 * each.length, own);
}

interface ExampleOptions {
  /** Texts that may say anything are one letter. */
  readonly isShort: boolean;
  /** Answers that may be left out are there, too. */
  readonly isWhole: boolean;
  /** These answers stand in the place of those that are made up. */
  readonly forced: ReadonlyMap<string, string>;
}

/** How the answer of a question is made up. */
interface ExampleContext extends Pick<ExampleOptions, 'isShort'> {
  readonly room: SampleRoom;
  /** Above 0: another value than those before, where the elements of a list have to differ. */
  readonly variant: number;
}

async function faultOf(
  questions: FormQuestions,
  schema: unknown,
  options: ExampleOptions,
  take: (values: FlowValues) => Promise<void>,
): Promise<string | undefined> {
  const given = exampleAnswers(questions, schema, options);
  const { values, faults } = readAnswers(questions, given);
  const [first] = faults;
  if (first !== undefined) {
    const [id, kind] = first;
    const name = questions[Number.parseInt(id.slice(1), 10)]?.name ?? id;
    const why = kind === 'missing' ? 'takes no answer' : 'does not take the answer of its example';
    return `${name.slice(0, 100)} ${why}`;
  }
  try {
    await take(values);
    return undefined;
  } catch (error) {
    if (!isInnsigliError(error) || error.code.startsWith('store.')) throw error;
    if (error.code.startsWith('service.') || error.code.startsWith('blob.')) throw error;
    return error.message;
  }
}

function exampleAnswers(
  questions: FormQuestions,
  schema: unknown,
  { isShort, isWhole, forced }: ExampleOptions,
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
      putValue(
        values,
        question.name,
        Array.from({ length: count }, (_, at) =>
          rowOf(question, place?.items, { ...context, variant: isUnique ? at : 0 }),
        ),
      );
    } else if (isWhole || question.isRequired) {
      put(values, question, exampleOf(question, place, context));
    }
  }
  const given = answersFrom(questions, values);
  // Answers that a form comes with may be taken out again.
  for (const [at, { kind, ...question }] of questions.entries()) {
    if (kind === 'rows' || isWhole || ('isRequired' in question && question.isRequired)) continue;
    given.delete(answerId(at));
  }
  for (const [id, text] of forced) given.set(id, text);
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
  const path = isPath === true || kind === 'rows' ? name.split('.') : [name];
  return path.reduce<SchemaPlace | undefined>((place, part) => place?.member(part), root);
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

/** A further value of the same kind: whether it fits, the proof says. */
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
