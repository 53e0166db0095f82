import { createHash } from 'node:crypto';
import { askedQuestions } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import { isInnsigliError } from '../../../../base/errors.ts';
import { savedHours } from '../../../pages/index.ts';
import { isOwnForm } from '../cookies.ts';
import type { MultipartForm } from '../multipart.ts';
import { noticeOf } from './form-notice.ts';
import { faultsIn } from './form-shown.ts';
import { clearSteps, isOfStep, reviewStep, stepsOf, withNewlyAsked } from './form-steps.ts';
import { addressOf, type FormVisit, initialAnswers, inLanguage, leadTo } from './form-visit.ts';
import { type DraftChange, draftOf, removeDraft, saveDraft, withBegun } from './saved-answers.ts';
import { filesOf, sendAnswers } from './send-answers.ts';
import { again, answersIn, nameOf, type SentForm, showAtOnce } from './sent-form.ts';
import { takeReview, takeStep } from './take-step.ts';

/** Begins a process, saves answers, or shows the form again with what is wrong. */
export async function takeForm(
  opened: FormVisit,
  { texts: sent, every }: MultipartForm,
): Promise<string> {
  const { form } = opened;
  const isOwn = isOwnForm(opened, sent);
  // What a browser types on the way to another language stays; the page is in that language.
  const isOther = isOwn && sent.get('go') === 'language';
  const visit = isOther ? inLanguage(opened, sent.get('lng') ?? '') : opened;
  const draft = isOwn ? await draftOf(visit) : undefined;
  const call: SentForm = { visit, sent, every, draft };
  // Nothing of another site is saved.
  if (!isOwn) return showAtOnce(call, 403, { word: 'errorForm' }, { given: new Map(sent) });
  if (sent.get('act') === 'clear') return clear(visit);
  const isStep = sent.get('act') === 'step' && !form.takesUpload;
  const isNamed = isStep || nameOf(sent) !== undefined;
  const isOfVersion = isNamed && sent.get('version') === form.version;
  try {
    if (!isOfVersion) return await tellChanged(call);
    if (isStep) return await takeStep(call);
    if (sent.get('act') === reviewStep && !form.takesUpload) return await takeReview(call);
    return await takeWhole(call);
  } catch (error) {
    if (!isInnsigliError(error) || error.code !== 'request.rate.exceeded') throw error;
    const given = new Map([...(isStep ? (draft?.given ?? []) : []), ...sent]);
    // Whoever sends too often is not asked to send once more.
    const step = sent.get('act') === 'step' ? (sent.get('step') ?? undefined) : undefined;
    return showAtOnce(call, 429, { word: 'errorThrottled' }, { given, step });
  }
}

/** The questions have changed: what the person says of themselves is kept. */
async function tellChanged(call: SentForm): Promise<string> {
  const { visit, sent, draft } = call;
  const persons = [...answersIn(sent)].filter(([id]) => !id.startsWith('q'));
  const saved = draft?.given ?? initialAnswers(visit);
  const isStart = sent.get('act') === 'start';
  const given = isStart ? withBegun(visit, new Map(sent)) : new Map([...saved, ...persons]);
  return again(call, { word: 'formChanged' }, { given });
}

async function clear(visit: FormVisit): Promise<string> {
  await removeDraft(visit);
  return leadTo(visit, addressOf(visit, { step: clearSteps.done }));
}

/** The answers of the whole form are sent, or saved. */
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
  const digests = filesOf(call).map(({ bytes }) =>
    createHash('sha256').update(bytes).digest('hex'),
  );
  return sendAnswers(call, { given, content: `${sent} ${digests}`, isKnown: true });
}

/** What the person does besides sending the form: nothing that was typed is lost by it. */
async function keep(
  call: SentForm,
  given: ReadonlyMap<string, string>,
  go: string,
): Promise<string> {
  const { visit, sent, draft } = call;
  const answers = answersIn(given);
  const where = go === 'clear' ? { step: clearSteps.asked } : {};
  // Of a form in which nothing was typed there is nothing to keep.
  const begun = draft?.given ?? initialAnswers(visit);
  const ids = [...answers.keys(), ...begun.keys()];
  const isTyped = ids.some((id) => (answers.get(id) ?? '') !== (begun.get(id) ?? ''));
  if ((go === 'language' || go === 'clear') && !isTyped) {
    return leadTo(visit, addressOf(visit, where));
  }
  const values = { hours: savedHours };
  const steps = stepsOf(visit.form, answers);
  const wrong = [...faultsIn(visit, answers).keys()];
  const change: DraftChange = {
    ...{ given: () => answers, mode: go === 'one' ? 'One' : 'All' },
    ...defined({ once: sent.get('once') ?? undefined }),
    // What was emptied on the whole form is asked for, and not complained of.
    reopened: (id) =>
      steps.some((step) => step.id === id && wrong.some((at) => isOfStep(step, at))),
    notice: go === 'save' ? noticeOf(visit, { word: 'formSaved', values }) : undefined,
  };
  const { isSaved } = await saveDraft(visit, change);
  if (isSaved || go === 'clear') return leadTo(visit, addressOf(visit, where));
  return showAtOnce(call, 413, { word: 'formTooLarge' }, { given });
}
