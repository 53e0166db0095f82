import { askedQuestions } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import { noticeOf, type Said } from './form-notice.ts';
import { faultsIn, formPage } from './form-shown.ts';
import {
  clearSteps,
  type FormStep,
  isOfStep,
  openStep,
  reviewStep,
  stepsOf,
  withNewlyAsked,
} from './form-steps.ts';
import { addressOf, type FormVisit, initialAnswers, leadTo } from './form-visit.ts';
import { type DraftChange, digestOf, saveDraft } from './saved-answers.ts';
import { sendAnswers } from './send-answers.ts';
import { again, type SentForm, showAtOnce } from './sent-form.ts';

/** The answers of one step: they are saved, and the next one follows. */
export async function takeStep(call: SentForm): Promise<string> {
  const { visit, sent, draft } = call;
  const { form } = visit;
  const before = draft?.given ?? initialAnswers(visit);
  const step = stepsOf(form, before).find(({ id }) => id === sent.get('step'));
  // A step that the answers of another window have taken away.
  if (step === undefined) return leadTo(visit, addressOf(visit));
  const merged = mergedBy(visit, step, sent);
  const go = sent.get('go');
  const from = defined({ from: sent.get('from') === reviewStep ? reviewStep : undefined });
  const clearing = addressOf(visit, { step: clearSteps.asked, from: step.id });
  if ((go === 'language' || go === 'clear') && !isTyped(step, before, sent)) {
    return leadTo(visit, go === 'clear' ? clearing : addressOf(visit, { step: step.id, ...from }));
  }
  const more = sent.get('more') ?? undefined;
  const isSent = go === null && more === undefined;
  const faults = [...faultsIn(visit, merged(before))].filter(([id]) => isOfStep(step, id));
  const isPassed = isSent && faults.length === 0;
  const wrong: Said = isSent && !isPassed ? { word: 'formFaults', faults } : {};
  const said = more === undefined ? wrong : { more };
  const { draft: saved, isSaved } = await saveDraft(visit, {
    given: (known = before) => merged(known),
    ...(isPassed ? { passed: step.id } : {}),
    ...(go === 'all' ? { mode: 'All' as const } : {}),
    notice: isPassed ? undefined : noticeOf(visit, said, step.id),
  });
  const { given, passed } = saved;
  // More than is saved may be sent with the whole form.
  if (!isSaved && go === 'all') return formPage(visit, { given });
  if (!isSaved && go !== 'clear') {
    return showAtOnce(call, 413, { word: 'formTooLarge' }, { given, step: step.id });
  }
  if (go === 'all') return leadTo(visit, addressOf(visit));
  if (go === 'clear') return leadTo(visit, clearing);
  const steps = stepsOf(form, given);
  const at = steps.findIndex(({ id }) => id === step.id);
  if (go === 'back') return leadTo(visit, addressOf(visit, { step: steps[at - 1]?.id ?? step.id }));
  if (!isPassed) return leadTo(visit, addressOf(visit, { step: step.id, ...from }));
  const next =
    from.from === undefined
      ? (steps[at + 1]?.id ?? reviewStep)
      : openStep(steps, passed, faultsIn(visit, given).keys());
  return leadTo(visit, addressOf(visit, { step: next }));
}

/** True when the fields of a step hold something else than what is saved. */
function isTyped(step: FormStep, before: ReadonlyMap<string, string>, sent: URLSearchParams) {
  // In a map: among very many fields each would be looked for from the first one on.
  const typed = new Map(sent);
  const ids = [...before.keys(), ...typed.keys()].filter((id) => isOfStep(step, id));
  return ids.some((id) => (typed.get(id) ?? '') !== (before.get(id) ?? ''));
}

/** Answers in which those of one step are the ones that were sent. */
function mergedBy(visit: FormVisit, step: FormStep, sent: URLSearchParams) {
  const { form } = visit;
  const own = [...sent].filter(([id]) => isOfStep(step, id));
  return (known: ReadonlyMap<string, string>) => {
    const given = new Map([...[...known].filter(([id]) => !isOfStep(step, id)), ...own]);
    const asked = askedQuestions(form.questions, known);
    const isNew = (at: number) => !asked.has(at);
    return withNewlyAsked(form, { given, begun: initialAnswers(visit), isNew });
  };
}

/** The answers that were saved are sent, if they are those that the person has looked at. */
export async function takeReview(call: SentForm): Promise<string> {
  const { visit, sent, draft } = call;
  const { form } = visit;
  const go = sent.get('go');
  const given = draft?.given ?? new Map<string, string>();
  if (go === 'all') {
    const change: DraftChange = { given: (known = given) => known, mode: 'All' };
    await saveDraft(visit, change);
    return leadTo(visit, addressOf(visit));
  }
  if (go === 'clear') {
    return leadTo(visit, addressOf(visit, { step: clearSteps.asked, from: reviewStep }));
  }
  if (go === 'back') {
    return leadTo(visit, addressOf(visit, { step: stepsOf(form, given).at(-1)?.id ?? 'p0' }));
  }
  const answers = sent.get('answers') ?? '';
  const isSame = draft !== undefined && answers === digestOf(given);
  // Others were saved in another window: they are looked through, too.
  if (draft !== undefined && !isSame) {
    return again(call, { word: 'formOthers' }, { given, step: reviewStep }, 409);
  }
  const content = `review ${answers}`;
  return sendAnswers(call, { given, content, isKnown: isSame, step: reviewStep });
}
