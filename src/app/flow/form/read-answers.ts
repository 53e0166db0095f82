import { isRecord } from '../../../base/input.ts';
import { isDay } from '../../../base/time/day.ts';
import {
  type FlowValue,
  type FlowValues,
  findValue,
  putValue,
  valueLimits,
} from '../../../domain/flow/index.ts';
import { isMailAddress } from '../../../domain/message/index.ts';
import {
  type AskCondition,
  checkedWord,
  type FormQuestion,
  type FormQuestions,
} from './question.ts';

/** Fault of an answer. */
export type AnswerFault = 'missing' | 'unfit';

/** The values of a form, and the faults of its answers by id. */
export interface Answers {
  readonly values: FlowValues;
  readonly faults: ReadonlyMap<string, AnswerFault>;
}

type Values = Record<string, FlowValue>;

/** The id of the answer to a question, or to a column of it in row `row`. */
export function answerId(at: number, row?: number, column = 0): string {
  return row === undefined ? `q${at}` : `q${at}.${row}.${column}`;
}

/**
 * Converts the answers of a form, texts by {@link answerId}, to values. An empty answer is no
 * value, nor is an answer to a question that the other answers exclude.
 */
export function readAnswers(questions: FormQuestions, given: ReadonlyMap<string, string>): Answers {
  const asked = askedQuestions(questions, given);
  const values: Values = {};
  const faults = new Map<string, AnswerFault>();
  const take = (question: FormQuestion, id: string, into: Values) => {
    const answer = readAnswer(question, given.get(id) ?? '');
    if (answer.fault !== undefined) faults.set(id, answer.fault);
    if (answer.value === undefined) return;
    const { name, isPath } = question;
    if (isPath === true && name.includes('.')) putValue(into, name, answer.value);
    else into[name] = answer.value;
  };
  for (const [at, question] of questions.entries()) {
    if (!asked.has(at)) continue;
    if (question.kind !== 'rows') {
      take(question, answerId(at), values);
      continue;
    }
    const { name, columns, rowMost, isScalar } = question;
    const rows: FlowValue[] = [];
    for (let row = 0; row < rowMost; row += 1) {
      const ids = columns.map((_, column) => answerId(at, row, column));
      if (ids.every((id) => (given.get(id) ?? '').trim() === '')) continue;
      const member: Values = {};
      columns.forEach((each, column) => {
        take(each, answerId(at, row, column), member);
      });
      rows.push(isScalar === true ? (member['value'] ?? '') : member);
    }
    putValue(values, name, rows);
  }
  return { values, faults };
}

/** Indices of the questions that are asked given these answers. */
export function askedQuestions(
  questions: FormQuestions,
  given: ReadonlyMap<string, string>,
): ReadonlySet<number> {
  const places = new Map(questions.map(({ name }, at) => [name, at]));
  const known = new Map<number, boolean>();
  const isAsked = (at: number): boolean => {
    const before = known.get(at);
    if (before !== undefined) return before;
    // In a cycle, which no form has, nothing is asked.
    known.set(at, false);
    const asked = (questions[at]?.askedIf ?? []).every((condition) => isMet(condition));
    known.set(at, asked);
    return asked;
  };
  const isMet = ({ tests, isNegated }: AskCondition): boolean =>
    tests.every(({ name, values, orNone }) => {
      const value = valueAt(places.get(name));
      return value === undefined ? orNone === true : values.some((each) => each === value);
    }) !==
    (isNegated === true);
  const valueAt = (at = -1): FlowValue | undefined => {
    const question = questions[at];
    if (question === undefined || question.kind === 'rows' || !isAsked(at)) return undefined;
    return readAnswer(question, given.get(answerId(at)) ?? '').value;
  };
  return new Set([...questions.keys()].filter(isAsked));
}

interface Answer {
  readonly value?: FlowValue;
  readonly fault?: AnswerFault;
}

function readAnswer(question: FormQuestion, given: string): Answer {
  const { kind, isRequired, isNullable, isNumeric, isPath, preset } = question;
  // Browsers send line breaks of text areas as CR LF.
  const whole = given.includes('\r') ? given.replace(/\r\n?/g, '\n') : given;
  // An option may start or end with spaces.
  const text = kind === 'choice' ? whole : whole.trim();
  if (kind === 'boolean') {
    const value = text === checkedWord;
    return isRequired && !value ? { fault: 'missing' } : { value };
  }
  if (text === '') {
    if (isRequired) return { fault: 'missing' };
    if (isNullable === true) return { value: null };
    // A field of a form keeps its preset value unless it is cleared.
    const isEmptied = kind === 'checkbox' || (preset !== undefined && isPath !== true);
    return isEmptied ? { value: '' } : {};
  }
  if (!isFit(question, text)) return { fault: 'unfit' };
  const isNumber = kind === 'number' || kind === 'integer' || isNumeric === true;
  return { value: isNumber ? Number(text.replace(',', '.')) : text };
}

/** True for a text that is a valid answer to the question. */
export function isFit({ kind, options = [], lengthMax }: FormQuestion, text: string): boolean {
  if (kind === 'choice') return options.includes(text);
  if (kind === 'checkbox') return text === checkedWord;
  const most = lengthMax ?? valueLimits.textCharacters;
  // Counting characters is rarely necessary: there are never more of them than code units.
  if (text.length > most && [...text].length > most) return false;
  switch (kind) {
    case 'number':
      return isNumber(text);
    case 'integer':
      return isNumber(text) && Number.isSafeInteger(Number(text.replace(',', '.')));
    case 'date':
      return isDay(text);
    case 'email':
      return isMailAddress(text);
    default:
      return kind === 'lines' || !text.includes('\n');
  }
}

/** True for a number with at most 15 significant digits: more would be rounded. */
function isNumber(text: string): boolean {
  const [, whole = '', part = ''] = /^[+-]?(\d{1,20})(?:[.,](\d{1,20}))?$/.exec(text) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  return whole !== '' && digits.length <= 15;
}

/** A form's initial answers: those in the values, else the presets. Ignores unsuitable values. */
export function answersFrom(questions: FormQuestions, values: FlowValues): Map<string, string> {
  const given = new Map<string, string>();
  const put = (id: string, value: unknown, preset?: string) => {
    const text = answerOf(value) ?? preset;
    if (text !== undefined) given.set(id, text.slice(0, valueLimits.textCharacters));
  };
  for (const [at, question] of questions.entries()) {
    const value = findValue([values], question.name);
    if (question.kind !== 'rows') {
      put(answerId(at), value, question.preset);
      continue;
    }
    const rows = Array.isArray(value) ? value.slice(0, question.rowMost) : [];
    for (const [row, member] of rows.entries()) {
      for (const [index, { name }] of question.columns.entries()) {
        const one = isRecord(member) ? findValue([member as FlowValues], name) : member;
        put(answerId(at, row, index), one);
      }
    }
  }
  return given;
}

function answerOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? checkedWord : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The id of the answer at `pointer`, a JSON pointer into the values; undefined if none is. */
export function answerAt(questions: FormQuestions, pointer: string): string | undefined {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [first = ''] = path;
  const whole = path.join('.');
  const at = questions.findIndex(({ name, kind }) => {
    if (name === first || name === whole) return true;
    // For a list its rows; for an object that lacks a member its first question.
    return name.startsWith(`${whole}.`) || (kind === 'rows' && whole.startsWith(`${name}.`));
  });
  const question = questions[at];
  if (question === undefined) return undefined;
  if (question.kind !== 'rows') return answerId(at);
  const [row = '0', ...rest] = path.slice(question.name.split('.').length);
  const column = question.columns.findIndex(({ name }) => name === rest.join('.'));
  return answerId(at, Number.parseInt(row, 10) || 0, Math.max(0, column));
}
