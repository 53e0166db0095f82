import { createHash } from 'node:crypto';
import { askedQuestions } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import { savedHours } from '../../../pages/index.ts';
import { noticeOf } from './form-notice.ts';
import { faultsIn } from './form-shown.ts';
import { clearSteps, isOfStep, stepsOf, withNewlyAsked } from './form-steps.ts';
import { addressOf, initialAnswers, leadTo } from './form-visit.ts';
import { type DraftChange, saveDraft } from './saved-answers.ts';
import { filesOf, sendAnswers } from './send-answers.ts';
import { again, answersIn, type SentForm, showAtOnce } from './sent-form.ts';

/** The answers of the whole form are sent, or saved. */
export async function takeWhole(call: SentForm): Promise<string> {
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
