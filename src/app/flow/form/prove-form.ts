import { isInnsigliError } from '../../../base/errors.ts';
import type { FlowValue, FlowValues } from '../../../domain/flow/index.ts';
import { exampleAnswers } from './example-answers.ts';
import {
  checkedWord,
  type FormQuestion,
  type FormQuestions,
  type RowsQuestion,
} from './question.ts';
import { answerId, isFit, readAnswers } from './read-answers.ts';

/** Fields and characters of a form at most: more are no page that a person fills in. */
const pageMax = { fields: 2_000, characters: 500_000 } as const;

/** Answers on which it depends in different ways what else is asked: each is tried out. */
const variantsMax = 60;

/** Fields that are read while they are tried, for a form that is taken at once the second time. */
const fieldsReadMax = 150_000;

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

/** How values of a form are tried. */
export interface FormTrial {
  /** Takes values as those of a process are, with a document: throws where they do not fit. */
  take(values: FlowValues): Promise<void>;
  /** Why each of several values would not be taken, as far as it depends on which are there. */
  findFaults(all: readonly FlowValues[]): Promise<readonly (string | undefined)[]>;
}

/** All answers; then those that are required; then short ones, where fields are small. */
const attempts = [false, true].flatMap((isShort) =>
  [true, false].map((isWhole) => ({ isShort, isWhole })),
);

/**
 * Why a form could be filled in in vain; undefined when it can be sent: answers like those of a
 * person, made up from what schema and document say, are read as the page reads them and taken.
 *
 * @param schema parsed
 */
export async function formFault(
  questions: FormQuestions,
  schema: unknown,
  trial: FormTrial,
): Promise<string | undefined> {
  const variants = variantsOf(questions);
  if (variants.length > variantsMax) {
    return `expected at most ${variantsMax} answers that others depend on`;
  }
  const given = attempts.map((options) => exampleAnswers(questions, schema, options));
  let fault: string | undefined;
  for (const [at, answers] of given.entries()) {
    const read = valuesIn(questions, answers);
    const found = read.fault ?? (await trial.take(read.values).then(() => undefined, faultOf));
    // What fits at once is tried first with each variant, too.
    if (found === undefined) return faultOfVariants(questions, given.slice(at), variants, trial);
    fault ??= found;
  }
  return fault;
}

type Answers = ReadonlyMap<string, string>;

async function faultOfVariants(
  questions: FormQuestions,
  given: readonly Answers[],
  variants: readonly Answers[],
  { findFaults }: FormTrial,
): Promise<string | undefined> {
  let left = Math.max(variants.length, Math.floor(fieldsReadMax / Math.max(1, questions.length)));
  let open = variants;
  let first: string | undefined;
  for (const answers of given) {
    // The first one says what is wrong: others need not be tried again and again.
    const tried = open.slice(0, left);
    left -= tried.length;
    const read = tried.map((forced) => valuesIn(questions, new Map([...answers, ...forced])));
    const fit = read.flatMap(({ values, fault }) => (fault === undefined ? [values] : []));
    const failed = (error: unknown) => Array<string | undefined>(fit.length).fill(faultOf(error));
    const found = fit.length === 0 ? [] : [...(await findFaults(fit).catch(failed))];
    const faults = read.map(({ fault }) => fault ?? found.shift());
    first = faults.find((each) => each !== undefined);
    open = open.filter((_, at) => at >= tried.length || faults[at] !== undefined);
    if (open.length === 0) return undefined;
  }
  return first ?? 'too many of its answers are conditions of others to try all combinations';
}

function valuesIn(
  questions: FormQuestions,
  given: Answers,
): { readonly values: FlowValues; readonly fault?: string } {
  const { values, faults } = readAnswers(questions, given);
  const [first] = faults;
  if (first === undefined) return { values };
  const [id, kind] = first;
  const name = questions[Number.parseInt(id.slice(1), 10)]?.name ?? id;
  const why =
    kind === 'missing' ? 'accepts no answer' : 'does not accept the answer of its ' + 'example';
  return { values, fault: `${name.slice(0, 100)} ${why}` };
}

/** What is wrong with the values; throws what says nothing of them. */
function faultOf(error: unknown): string {
  if (!isInnsigliError(error) || error.code.startsWith('store.')) throw error;
  if (error.code.startsWith('service.') || error.code.startsWith('blob.')) throw error;
  return error.message;
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

/**
 * The answers on which it depends what else is asked, each in turn: made up or not, with the
 * questions behind them or without. Of answers that all conditions take for the same, one is there.
 */
function variantsOf(questions: FormQuestions): readonly ReadonlyMap<string, string>[] {
  const places = new Map(questions.map(({ name }, at) => [name, at]));
  return [...testedAnswers(questions)].flatMap(([name, tests]) => {
    const at = places.get(name) ?? -1;
    const question = questions[at];
    if (question === undefined || question.kind === 'rows') return [];
    return answersOf(question, tests).map((text) => new Map([[answerId(at), text]]));
  });
}

/** By the names of questions, each answer that conditions compare with the tests that take it. */
function testedAnswers(questions: FormQuestions): ReadonlyMap<string, Map<string, string[]>> {
  const tested = new Map<string, Map<string, string[]>>();
  let count = 0;
  // What several questions depend on is one condition.
  const conditions = new Set(questions.flatMap(({ askedIf = [] }) => askedIf));
  for (const { tests } of conditions) {
    for (const { name, values } of tests) {
      count += 1;
      const known = tested.get(name) ?? new Map<string, string[]>();
      tested.set(name, known);
      for (const text of new Set(values.map(answerTo))) {
        const takers = known.get(text) ?? [];
        known.set(text, takers);
        takers.push(String(count));
      }
    }
  }
  return tested;
}

function answerTo(value: FlowValue): string {
  return value === true ? checkedWord : String(value);
}

/** One answer of each kind that conditions tell apart, one that none compares, and none. */
function answersOf(
  question: FormQuestion,
  tests: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const { kind, options = [], isRequired } = question;
  const isBox = kind === 'boolean' || kind === 'checkbox';
  const kinds = new Map<string, string>();
  for (const [text, takers] of tests) {
    const fits = isBox ? text === checkedWord : isFit(question, text);
    // A part of a document that is there only with a value is not there with the number 0.
    const group = `${takers.join(' ')}${text === '0' ? ' 0' : ''}`;
    if (fits && !kinds.has(group)) kinds.set(group, text);
  }
  const other = options.find((each) => !tests.has(each));
  return [...kinds.values(), ...(other === undefined ? [] : [other]), ...(isRequired ? [] : [''])];
}
