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

/** Maximum number of fields and characters of a form: no person fills in more than that. */
const pageMax = { fields: 2_000, characters: 500_000 } as const;

/** Maximum number of answers that affect which other questions are asked; each is tested. */
const variantsMax = 60;

/** Maximum number of fields read while variants are tested; each is tested at least once. */
const fieldsReadMax = 150_000;

/** Returns the reason that a form is too large to be filled in; undefined if it is not. */
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

/** Tests for values of a form. */
export interface FormTrial {
  /** Processes values like a process does, document included; throws if they are invalid. */
  take(values: FlowValues): Promise<void>;
  /** Why each set of values would be rejected, as far as it depends on which are present. */
  findFaults(all: readonly FlowValues[]): Promise<readonly (string | undefined)[]>;
}

/** All answers, then only the required ones; then both with short texts, for small fields. */
const attempts = [false, true].flatMap((isShort) =>
  [true, false].map((isWhole) => ({ isShort, isWhole })),
);

/**
 * Returns the reason that a completed form could be rejected; undefined if it can be submitted.
 * Plausible answers are generated from schema and document, parsed like those from the page, and
 * processed.
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
    // The answers that just succeeded are also the first to be tried with each variant.
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
    // One fault suffices as the reason, so variants beyond the limit are not tried again.
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
    kind === 'missing' ? 'accepts no answer' : 'does not accept the answer of its example';
  return { values, fault: `${name.slice(0, 100)} ${why}` };
}

/** The fault of the values; rethrows errors that do not concern them. */
function faultOf(error: unknown): string {
  if (!isInnsigliError(error) || error.code.startsWith('store.')) throw error;
  if (error.code.startsWith('service.') || error.code.startsWith('blob.')) throw error;
  return error.message;
}

/** The size of a question on the page: a column counts once per row. */
function onPage(
  question: FormQuestion | RowsQuestion,
  sizeOf: (question: FormQuestion) => number,
): number {
  if (question.kind !== 'rows') return sizeOf(question);
  return question.rowMost * question.columns.reduce((sum, each) => sum + sizeOf(each), 0);
}

function charactersOf({ label, help = '', preset = '', options = [] }: FormQuestion): number {
  const own = label.length + help.length + preset.length;
  // Each option occurs twice: as value and as text.
  return options.reduce((sum, each) => sum + 2 * each.length, own);
}

/**
 * The answers that affect which other questions are asked, one at a time, so that dependent
 * questions are both asked and not asked. Of answers that all conditions treat alike, one is
 * included.
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

/** For each question name, the answers that conditions compare, with the tests that accept each. */
function testedAnswers(questions: FormQuestions): ReadonlyMap<string, Map<string, string[]>> {
  const tested = new Map<string, Map<string, string[]>>();
  let count = 0;
  // Several questions may share one condition.
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

/** An answer per kind that conditions distinguish, one that none compares, and an empty one. */
function answersOf(
  question: FormQuestion,
  tests: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const { kind, options = [], isRequired } = question;
  const isBox = kind === 'boolean' || kind === 'checkbox';
  const kinds = new Map<string, string>();
  for (const [text, takers] of tests) {
    const fits = isBox ? text === checkedWord : isFit(question, text);
    // A part of a document shown only if a value is set is not shown for the number 0.
    const group = `${takers.join(' ')}${text === '0' ? ' 0' : ''}`;
    if (fits && !kinds.has(group)) kinds.set(group, text);
  }
  const other = options.find((each) => !tests.has(each));
  return [...kinds.values(), ...(other === undefined ? [] : [other]), ...(isRequired ? [] : [''])];
}
