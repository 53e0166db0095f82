import { askedQuestions, readAnswers } from '../../../../app/flow/index.ts';
import { limits } from '../../../../base/limits.ts';
import {
  clearScreen,
  type FormFacts,
  type Frame,
  filled,
  formScreen,
  html,
  reviewScreen,
  stepScreen,
} from '../../../pages/index.ts';
import { inWords } from './form-answers.ts';
import { withLinks } from './form-notice.ts';
import { personFields, personsIn } from './form-persons.ts';
import { clearSteps, isOfStep, openStep, reviewStep, stepsOf } from './form-steps.ts';
import { addressOf, type FormVisit, pageOf } from './form-visit.ts';
import { digestOf, newName } from './saved-answers.ts';

/** Contents of a form and its errors. */
export interface FormState {
  readonly given: ReadonlyMap<string, string>;
  readonly faults?: ReadonlyMap<string, string>;
  readonly alert?: Frame['alert'];
  /** Name of the page, if it is shown again and has not been processed. */
  readonly name?: string;
  /** Completed steps. */
  readonly passed?: ReadonlySet<string>;
  /** The answers are saved. */
  readonly isSaved?: boolean;
}

function factsOf(
  visit: FormVisit,
  { given, faults = new Map(), isSaved = false, alert }: FormState,
): FormFacts {
  const { company, form, cookies } = visit;
  return {
    ...{ company: company.company.name, questions: form.questions, given, faults },
    asked: askedQuestions(form.questions, given),
    persons: personFields(form),
    uploadMb: form.takesUpload ? Math.floor(limits.pageFileBytes / (1024 * 1024)) : undefined,
    hidden: { form: cookies.formToken, version: form.version },
    ...{ isSavable: !form.takesUpload, isSaved, isSavedSaid: alert?.isGood === true },
  };
}

/** Renders the whole form on one page. */
export function formPage(visit: FormVisit, state: FormState): string {
  const facts = factsOf(visit, state);
  const { words, form } = visit;
  const conditional = [...facts.asked].filter((at) => form.questions[at]?.askedIf !== undefined);
  const hidden = {
    ...{ ...facts.hidden, act: 'start', once: state.name ?? newName(visit) },
    ...(conditional.length === 0 ? {} : { asked: conditional.join(' ') }),
  };
  const body = formScreen(words, { ...facts, hidden });
  const alert = withLinks(visit, state.alert, facts.faults, (id) => `#${id}`);
  return pageOf(visit, [body], { alert, isTyped: true });
}

/**
 * Renders one step of the form: the requested step if it exists, else the first open one. Its
 * errors are shown if it was completed before.
 */
export function stepPage(visit: FormVisit, state: FormState, wanted: string | undefined): string {
  const { form, words, query } = visit;
  const { given, passed = new Set() } = state;
  const found = faultsIn(visit, given);
  const steps = stepsOf(form, given);
  const open = openStep(steps, passed, found.keys());
  const step = steps.find(({ id }) => id === wanted) ?? steps.find(({ id }) => id === open);
  if (step === undefined || (wanted === reviewStep && open === reviewStep)) {
    return reviewPage(visit, state);
  }
  const own = (faults: ReadonlyMap<string, string>) =>
    new Map([...faults].filter(([id]) => isOfStep(step, id)));
  const shown = own(state.faults ?? (passed.has(step.id) ? inWords(words, found) : new Map()));
  const facts = factsOf(visit, { ...state, faults: shown });
  const from = query.from === reviewStep ? { from: reviewStep } : {};
  const hidden = { ...facts.hidden, act: 'step', step: step.id, ...from };
  const progress = filled(words.formStep, { at: step.at, count: step.count });
  const alert = state.alert ?? (shown.size > 0 ? { text: words.formFaults } : undefined);
  const around = { alert, progress, step: step.id, isTyped: true } as const;
  return pageOf(visit, [stepScreen(words, { ...facts, hidden }, step)], around);
}

function reviewPage(visit: FormVisit, state: FormState): string {
  const { form, words } = visit;
  const facts = factsOf(visit, state);
  const steps = stepsOf(form, state.given).map((step) => ({
    ...step,
    href: addressOf(visit, { step: step.id, from: reviewStep }),
    faults: [...facts.faults].filter(([id]) => isOfStep(step, id)).map(([, fault]) => fault),
  }));
  const hidden = {
    ...{ ...facts.hidden, act: reviewStep, once: state.name ?? newName(visit) },
    // Only exactly the answers shown here may be sent.
    answers: digestOf(state.given),
  };
  const body = reviewScreen(words, { ...facts, hidden }, steps);
  const stepAt = (id: string) => steps.find((step) => isOfStep(step, id))?.href;
  const alert = withLinks(visit, state.alert, facts.faults, stepAt);
  const around = { alert, progress: words.formReview, step: reviewStep };
  return pageOf(visit, [html`${body}`], around);
}

/** Asks whether to delete the saved answers. */
export function clearPage(visit: FormVisit): string {
  const { words, query, cookies } = visit;
  const step = query.from;
  const back = addressOf(visit, step === undefined ? {} : { step });
  const body = clearScreen(words, { form: cookies.formToken, act: 'clear' }, back);
  return pageOf(visit, [body], { step: clearSteps.asked });
}

/** Errors in answers, by field ID. */
export function faultsIn({ form }: FormVisit, given: ReadonlyMap<string, string>) {
  const { faults } = readAnswers(form.questions, given);
  return new Map([...personsIn(form, given).faults, ...faults]);
}
