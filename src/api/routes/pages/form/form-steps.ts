import { answerId, askedQuestions, type CustomerForm } from '../../../../app/flow/index.ts';
import type { StepFacts } from '../../../pages/index.ts';
import { personFields } from './form-persons.ts';

/** The last step: review before sending. */
export const reviewStep = 'review';

/** Step that asks whether to delete saved answers, and step that confirms the deletion. */
export const clearSteps = { asked: 'delete', done: 'deleted' } as const;

/** A step of a form that asks one question at a time. */
export interface FormStep extends StepFacts {
  readonly id: string;
}

/**
 * Returns the steps of a form, given the answers so far: one for each required person, one for the
 * optional persons, and one for each applicable question.
 */
export function stepsOf(
  form: CustomerForm,
  given: ReadonlyMap<string, string>,
): readonly FormStep[] {
  const { minAdditionalSignees, questions } = form;
  const places = [...personFields(form).keys()];
  const needed = places.filter((at) => at <= minAdditionalSignees);
  const others = places.filter((at) => at > minAdditionalSignees);
  const plain: readonly Omit<FormStep, 'at' | 'count'>[] = [
    ...needed.map((at) => ({ id: `p${at}`, persons: [at] })),
    ...(others.length === 0 ? [] : [{ id: 'others', persons: others }]),
    ...[...askedQuestions(questions, given)].map((question) => ({
      ...{ id: answerId(question), persons: [], question },
    })),
  ];
  return plain.map((step, index) => ({ ...step, at: index + 1, count: plain.length }));
}

/** True for the ID of a form field. */
export function isField(id: string): boolean {
  return /^(?:q\d|(?:name|email|phone|ssn)\d)/.test(id);
}

/** True for the ID of a field of the step. */
export function isOfStep({ id, persons }: FormStep, field: string): boolean {
  const [, at] = /^(?:name|email|phone|ssn)(\d{1,3})$/.exec(field) ?? [];
  if (at !== undefined) return persons.includes(Number(at));
  return field === id || field.startsWith(`${id}.`);
}

/** The first step that is not completed or has an error; else the review. */
export function openStep(
  steps: readonly FormStep[],
  passed: ReadonlySet<string>,
  faults: Iterable<string>,
): string {
  const wrong = [...faults];
  const isOpen = (step: FormStep) =>
    !passed.has(step.id) || wrong.some((field) => isOfStep(step, field));
  return steps.find(isOpen)?.id ?? reviewStep;
}

/** The answers without those to questions that do not apply, which are not stored. */
export function withoutUnasked(
  { questions }: CustomerForm,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const asked = askedQuestions(questions, given);
  if (asked.size === questions.length) return given;
  return new Map(
    [...given].filter(([id]) => {
      const at = questionAt(id);
      return at === undefined || asked.has(at);
    }),
  );
}

/** Answers, and the initial values of questions. */
interface Asking {
  readonly given: ReadonlyMap<string, string>;
  readonly begun: ReadonlyMap<string, string>;
  /** True for a question that was not asked before. */
  isNew(at: number): boolean;
}

/** The answers with the initial values of questions that have become applicable. */
export function withNewlyAsked(
  { questions }: CustomerForm,
  { given, begun, isNew }: Asking,
): ReadonlyMap<string, string> {
  let all = given;
  // Initial values may make further questions applicable, at most as often as there are questions.
  let before = '';
  for (const _ of questions) {
    const added = [...askedQuestions(questions, all)].filter(isNew);
    if (added.join() === before) break;
    before = added.join();
    const isAdded = new Set(added);
    const own = [...begun].filter(([id]) => isAdded.has(questionAt(id) ?? -1));
    all = new Map([...own, ...given]);
  }
  return all;
}

/** Position of the question whose answer has this ID. Undefined for other fields. */
function questionAt(id: string): number | undefined {
  const [, at] = /^q(\d+)/.exec(id) ?? [];
  return at === undefined ? undefined : Number(at);
}
