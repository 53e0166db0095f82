import type { FlowValue } from '../../../domain/flow/index.ts';
import { checkedWord, type FormQuestion, type FormQuestions } from './question.ts';
import { answerId, isFit } from './read-answers.ts';

/**
 * The answers on which it depends what else is asked, each in turn: made up or not, with the
 * questions behind them or without. Of answers that all conditions take for the same, one is there.
 */
export function variantsOf(questions: FormQuestions): readonly ReadonlyMap<string, string>[] {
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
