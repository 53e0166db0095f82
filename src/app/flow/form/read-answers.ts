import { isRecord } from '../../../base/input.ts';
import { isDay } from '../../../base/time/day.ts';
import { type FlowValue, type FlowValues, valueLimits } from '../../../domain/flow/index.ts';
import { isMailAddress } from '../../../domain/message/index.ts';
import type { FormQuestion, FormQuestions } from './form-questions.ts';

/** What is wrong with an answer. */
export type AnswerFault = 'missing' | 'unfit';

/** The values of a form, or what is wrong with its answers by their ids. */
export interface Answers {
  readonly values: FlowValues;
  readonly faults: ReadonlyMap<string, AnswerFault>;
}

type Values = Record<string, FlowValue>;

/** Value of a check box of a PDF, and of a box on the page, when it is checked. */
const checkedWord = 'checked';

/** The id of the answer to a question, or in row `row` of one. */
export function answerId(at: number, row?: number, column = 0): string {
  return row === undefined ? `q${at}` : `q${at}.${row}.${column}`;
}

/**
 * The values in the answers of a form, each a text by its {@link answerId}. An empty answer is no
 * value.
 */
export function readAnswers(questions: FormQuestions, given: ReadonlyMap<string, string>): Answers {
  const values: Values = {};
  const faults = new Map<string, AnswerFault>();
  const take = (question: FormQuestion, id: string, into: Values) => {
    const answer = readAnswer(question, given.get(id) ?? '');
    if (answer.fault !== undefined) faults.set(id, answer.fault);
    if (answer.value !== undefined) putValue(into, question, answer.value);
  };
  for (const [at, question] of questions.entries()) {
    if (question.kind !== 'rows') {
      take(question, answerId(at), values);
      continue;
    }
    const { name, columns, rowCount } = question;
    const rows: Values[] = [];
    for (let row = 0; row < rowCount; row += 1) {
      const ids = columns.map((_, column) => answerId(at, row, column));
      if (ids.every((id) => (given.get(id) ?? '').trim() === '')) continue;
      const member: Values = {};
      columns.forEach((each, column) => {
        take(each, answerId(at, row, column), member);
      });
      rows.push(member);
    }
    putValue(values, { name, isPath: true }, rows);
  }
  return { values, faults };
}

interface Answer {
  readonly value?: FlowValue;
  readonly fault?: AnswerFault;
}

function readAnswer(question: FormQuestion, given: string): Answer {
  const { kind, isRequired, options = [], lengthMax = valueLimits.textCharacters } = question;
  // Browsers send line ends of text areas as two characters.
  const text = given.replace(/\r\n?/g, '\n').trim();
  if (kind === 'boolean') return { value: text === checkedWord };
  if (kind === 'checkbox') {
    if (text === checkedWord) return { value: checkedWord };
    return isRequired ? { fault: 'missing' } : { value: '' };
  }
  if (text === '') return isRequired ? { fault: 'missing' } : {};
  return isFit(kind, text, options, lengthMax)
    ? { value: kind === 'number' || kind === 'integer' ? numberIn(text) : text }
    : { fault: 'unfit' };
}

function isFit(
  kind: FormQuestion['kind'],
  text: string,
  options: readonly string[],
  lengthMax: number,
): boolean {
  switch (kind) {
    case 'number':
      return Number.isFinite(numberIn(text));
    case 'integer':
      return Number.isSafeInteger(numberIn(text));
    case 'date':
      return isDay(text);
    case 'email':
      return isMailAddress(text);
    case 'choice':
      return options.includes(text);
    default:
      return [...text].length <= lengthMax && (kind === 'lines' || !text.includes('\n'));
  }
}

function numberIn(text: string): number {
  return /^[+-]?\d{1,20}([.,]\d{1,20})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
}

/** A name that is a text and an object: the whole name, with its dots, comes first. */
function putValue(
  values: Values,
  { name, isPath = false }: Pick<FormQuestion, 'name' | 'isPath'>,
  value: FlowValue,
): void {
  const path = isPath ? name.split('.') : [name];
  const last = path.pop() ?? name;
  let within: Values | undefined = values;
  for (const part of path) {
    const next: unknown = Object.hasOwn(within, part) ? within[part] : {};
    if (!isRecord(next)) {
      within = undefined;
      break;
    }
    within[part] = next as Values;
    within = next as Values;
  }
  if (within === undefined) values[name] = value;
  else within[last] = value;
}

/** The answers that values give, to fill a form with beforehand; those that do not fit are left. */
export function answersFrom(questions: FormQuestions, values: FlowValues): Map<string, string> {
  const given = new Map<string, string>();
  const put = (id: string, value: unknown) => {
    if (typeof value === 'boolean') given.set(id, value ? checkedWord : '');
    else if (typeof value === 'string' || typeof value === 'number') {
      given.set(id, String(value).slice(0, valueLimits.textCharacters));
    }
  };
  for (const [at, question] of questions.entries()) {
    const value = valueAt(values, question.name);
    if (question.kind !== 'rows') {
      put(answerId(at), value);
      continue;
    }
    const rows = Array.isArray(value) ? value.slice(0, question.rowCount) : [];
    for (const [row, member] of rows.entries()) {
      for (const [index, { name }] of question.columns.entries()) {
        const one = isRecord(member) ? valueAt(member as FlowValues, name) : member;
        put(answerId(at, row, index), one);
      }
    }
  }
  return given;
}

function valueAt(values: FlowValues, name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name];
  let value: unknown = values;
  for (const part of name.split('.')) {
    value = isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

/** The id of the answer at `pointer`, a JSON pointer into the values; undefined for none. */
export function answerAt(questions: FormQuestions, pointer: string): string | undefined {
  const [first = '', ...rest] = pointer.split('/').slice(1);
  const at = questions.findIndex(
    ({ name }) => name === first || name === [first, ...rest].join('.'),
  );
  const question = questions[at];
  if (question === undefined) return undefined;
  if (question.kind !== 'rows') return answerId(at);
  const [row = '0', ...path] = rest;
  const column = question.columns.findIndex(({ name }) => name === path.join('.'));
  return answerId(at, Number.parseInt(row, 10) || 0, Math.max(0, column));
}
