import { isInnsigliError } from '../../../../base/errors.ts';
import { isOwnForm } from '../cookies.ts';
import type { MultipartForm } from '../multipart.ts';
import { clearSteps, reviewStep } from './form-steps.ts';
import { addressOf, type FormVisit, initialAnswers, inLanguage, leadTo } from './form-visit.ts';
import { draftOf, removeDraft, withBegun } from './saved-answers.ts';
import { again, answersIn, nameOf, type SentForm, showAtOnce } from './sent-form.ts';
import { takeReview, takeStep } from './take-step.ts';
import { takeWhole } from './take-whole.ts';

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
    return showAtOnce(call, 429, { word: 'errorThrottled' }, stateOf(given, sent));
  }
}

function stateOf(given: ReadonlyMap<string, string>, sent: URLSearchParams) {
  const step = sent.get('act') === 'step' ? (sent.get('step') ?? undefined) : undefined;
  return { given, step };
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
