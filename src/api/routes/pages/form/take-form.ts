import { askedQuestions } from '../../../../app/flow/index.ts';
import { sha256Of } from '../../../../base/bytes.ts';
import { defined } from '../../../../base/defined.ts';
import { isInnsigliError } from '../../../../base/errors.ts';
import { savedHours } from '../../../pages/index.ts';
import { isOwnForm } from '../cookies.ts';
import type { MultipartForm } from '../multipart.ts';
import { type NewNotice, noticeOf } from './form-notice.ts';
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
import { addressOf, type FormVisit, initialAnswers, inLanguage, redirectTo } from './form-visit.ts';
import {
  type DraftChange,
  digestOf,
  draftOf,
  removeDraft,
  saveDraft,
  withInitialAnswers,
} from './saved-answers.ts';
import { filesOf, sendAnswers } from './send-answers.ts';
import { again, answersIn, nameOf, type SentForm, showDirectly } from './sent-form.ts';

/** Starts a process, saves answers, or shows the form again with its errors. */
export async function takeForm(
  opened: FormVisit,
  { texts: sent, every }: MultipartForm,
): Promise<string> {
  const { form } = opened;
  const isOwn = isOwnForm(opened, sent);
  // Typed values are retained when the language changes; the page is in the new language.
  const isOther = isOwn && sent.get('go') === 'language';
  const visit = isOther ? inLanguage(opened, sent.get('lng') ?? '') : opened;
  const draft = isOwn ? await draftOf(visit) : undefined;
  const call: SentForm = { visit, sent, every, draft };
  // A form from a different site is never saved.
  if (!isOwn) return showDirectly(call, 403, { word: 'errorForm' }, { given: new Map(sent) });
  if (sent.get('act') === 'clear') return clear(visit);
  const isStep = sent.get('act') === 'step' && !form.takesUpload;
  const isNamed = isStep || nameOf(sent) !== undefined;
  const isOfVersion = isNamed && sent.get('version') === form.version;
  try {
    if (!isOfVersion) return await reportChanged(call);
    if (isStep) return await takeStep(call);
    if (sent.get('act') === reviewStep && !form.takesUpload) return await takeReview(call);
    return await takeWhole(call);
  } catch (error) {
    if (!isInnsigliError(error) || error.code !== 'request.rate.exceeded') throw error;
    const given = new Map([...(isStep ? (draft?.given ?? []) : []), ...sent]);
    // A client that sends too often is not redirected to send yet another request.
    const step = sent.get('act') === 'step' ? (sent.get('step') ?? undefined) : undefined;
    return showDirectly(call, 429, { word: 'errorThrottled' }, { given, step });
  }
}

/** Reports that the questions have changed; the details of persons are retained. */
async function reportChanged(call: SentForm): Promise<string> {
  const { visit, sent, draft } = call;
  const persons = [...answersIn(sent)].filter(([id]) => !id.startsWith('q'));
  const saved = draft?.given ?? initialAnswers(visit);
  const isStart = sent.get('act') === 'start';
  const given = isStart
    ? withInitialAnswers(visit, new Map(sent))
    : new Map([...saved, ...persons]);
  return again(call, { word: 'formChanged' }, { given });
}

async function clear(visit: FormVisit): Promise<string> {
  await removeDraft(visit);
  return redirectTo(visit, addressOf(visit, { step: clearSteps.done }));
}

/** Sends or saves the answers of the whole form. */
async function takeWhole(call: SentForm): Promise<string> {
  const { visit, sent } = call;
  const { form } = visit;
  const seen = new Set((sent.get('asked') ?? '').split(' ').map(Number));
  const isNew = (at: number) => form.questions[at]?.askedIf !== undefined && !seen.has(at);
  const begun = initialAnswers(visit);
  const given = withNewlyAsked(form, { given: new Map(sent), begun, isNew });
  const go = sent.get('go');
  if (go !== null) return keep(call, given, go);
  const more = sent.get('more');
  if (more !== null) return again(call, { more }, { given });
  if ([...askedQuestions(form.questions, given)].some(isNew)) {
    return again(call, { word: 'formFurther' }, { given });
  }
  const digests = filesOf(call).map(({ bytes }) => sha256Of(bytes));
  return sendAnswers(call, { given, content: `${sent} ${digests}`, isKnown: true });
}

/** Handles actions other than sending the form, without losing typed values. */
async function keep(
  call: SentForm,
  given: ReadonlyMap<string, string>,
  go: string,
): Promise<string> {
  const { visit, sent, draft } = call;
  const answers = answersIn(given);
  const where = go === 'clear' ? { step: clearSteps.asked } : {};
  // If nothing was typed, there is nothing to save.
  const begun = draft?.given ?? initialAnswers(visit);
  if ((go === 'language' || go === 'clear') && !isTyped(answers, begun)) {
    return redirectTo(visit, addressOf(visit, where));
  }
  const values = { hours: savedHours };
  const steps = stepsOf(visit.form, answers);
  const wrong = [...faultsIn(visit, answers).keys()];
  const change: DraftChange = {
    ...{ given: () => answers, mode: go === 'one' ? 'One' : 'All' },
    ...defined({ once: sent.get('once') ?? undefined }),
    // Answers that were emptied on the whole form are asked for again, but not reported as errors.
    reopened: (id) =>
      steps.some((step) => step.id === id && wrong.some((at) => isOfStep(step, at))),
    notice: go === 'save' ? noticeOf(visit, { word: 'formSaved', values }) : undefined,
  };
  const { isSaved } = await saveDraft(visit, change);
  if (isSaved || go === 'clear') return redirectTo(visit, addressOf(visit, where));
  return showDirectly(call, 413, { word: 'formTooLarge' }, { given });
}

/** Saves the answers of one step, and continues with the next. */
async function takeStep(call: SentForm): Promise<string> {
  const { visit, sent, draft } = call;
  const { form } = visit;
  const before = draft?.given ?? initialAnswers(visit);
  const step = stepsOf(form, before).find(({ id }) => id === sent.get('step'));
  // The step no longer applies because of answers in another window.
  if (step === undefined) return redirectTo(visit, addressOf(visit));
  const merged = mergedBy(visit, step, sent);
  const go = sent.get('go');
  const from = defined({ from: sent.get('from') === reviewStep ? reviewStep : undefined });
  const clearing = addressOf(visit, { step: clearSteps.asked, from: step.id });
  const isOwn = (id: string) => isOfStep(step, id);
  if ((go === 'language' || go === 'clear') && !isTyped(new Map(sent), before, isOwn)) {
    return redirectTo(
      visit,
      go === 'clear' ? clearing : addressOf(visit, { step: step.id, ...from }),
    );
  }
  const more = sent.get('more') ?? undefined;
  const isSent = go === null && more === undefined;
  const faults = [...faultsIn(visit, merged(before))].filter(([id]) => isOfStep(step, id));
  const isPassed = isSent && faults.length === 0;
  const wrong: NewNotice = isSent && !isPassed ? { word: 'formFaults', faults } : {};
  const said = more === undefined ? wrong : { more };
  const { draft: saved, isSaved } = await saveDraft(visit, {
    given: (known = before) => merged(known),
    ...(isPassed ? { passed: step.id } : {}),
    ...(go === 'all' ? { mode: 'All' as const } : {}),
    notice: isPassed ? undefined : noticeOf(visit, said, step.id),
  });
  const { given, passed } = saved;
  // Answers too large to be saved can still be sent with the whole form.
  if (!isSaved && go === 'all') return formPage(visit, { given });
  if (!isSaved && go !== 'clear') {
    return showDirectly(call, 413, { word: 'formTooLarge' }, { given, step: step.id });
  }
  if (go === 'all') return redirectTo(visit, addressOf(visit));
  if (go === 'clear') return redirectTo(visit, clearing);
  const steps = stepsOf(form, given);
  const at = steps.findIndex(({ id }) => id === step.id);
  if (go === 'back')
    return redirectTo(visit, addressOf(visit, { step: steps[at - 1]?.id ?? step.id }));
  if (!isPassed) return redirectTo(visit, addressOf(visit, { step: step.id, ...from }));
  const next =
    from.from === undefined
      ? (steps[at + 1]?.id ?? reviewStep)
      : openStep(steps, passed, faultsIn(visit, given).keys());
  return redirectTo(visit, addressOf(visit, { step: next }));
}

/** True if these fields differ from the saved ones. */
function isTyped(
  typed: ReadonlyMap<string, string>,
  saved: ReadonlyMap<string, string>,
  isOwn: (id: string) => boolean = () => true,
): boolean {
  const ids = [...typed.keys(), ...saved.keys()].filter(isOwn);
  return ids.some((id) => (typed.get(id) ?? '') !== (saved.get(id) ?? ''));
}

/** Returns a function that replaces the answers of one step with the submitted ones. */
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

/** Sends the saved answers if they are those that the person reviewed. */
async function takeReview(call: SentForm): Promise<string> {
  const { visit, sent, draft } = call;
  const { form } = visit;
  const go = sent.get('go');
  const given = draft?.given ?? new Map<string, string>();
  if (go === 'all') {
    const change: DraftChange = { given: (known = given) => known, mode: 'All' };
    await saveDraft(visit, change);
    return redirectTo(visit, addressOf(visit));
  }
  if (go === 'clear') {
    return redirectTo(visit, addressOf(visit, { step: clearSteps.asked, from: reviewStep }));
  }
  if (go === 'back') {
    return redirectTo(visit, addressOf(visit, { step: stepsOf(form, given).at(-1)?.id ?? 'p0' }));
  }
  const answers = sent.get('answers') ?? '';
  const isSame = draft !== undefined && answers === digestOf(given);
  // Other answers were saved in another window: they must be reviewed, too.
  if (draft !== undefined && !isSame) {
    return again(call, { word: 'formOthers' }, { given, step: reviewStep }, 409);
  }
  const content = `review ${answers}`;
  return sendAnswers(call, { given, content, isKnown: isSame, step: reviewStep });
}
