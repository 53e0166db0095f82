import { defined } from '../../../../base/defined.ts';
import { refusalOf } from './form-answers.ts';
import { shownNotice } from './form-notice.ts';
import { clearPage, type FormState, formPage, stepPage } from './form-shown.ts';
import { clearSteps } from './form-steps.ts';
import { type FormVisit, initialAnswers, pageOf, sentence } from './form-visit.ts';
import { draftOf, modeOf } from './saved-answers.ts';

/** The form with what its address says, or was saved; or why no answers can be taken now. */
export async function beginForm(visit: FormVisit): Promise<string> {
  const { form, company, reply, query } = visit;
  try {
    await company.processes.requireForm(form.flowKey);
  } catch (error) {
    const refusal = refusalOf(form, [], error);
    reply.code(refusal.status);
    return pageOf(visit, [], { alert: { text: sentence(visit, refusal) } });
  }
  const draft = await draftOf(visit);
  if (query.step === clearSteps.asked && draft !== undefined) return clearPage(visit);
  const { notice } = draft ?? {};
  const given = new Map(draft?.given ?? initialAnswers(visit));
  const isAll = modeOf(visit, draft) === 'All';
  // What is said of one step is not said at another.
  const isHere = notice !== undefined && (isAll || notice.step === query.step);
  if (isHere && notice.more !== undefined) given.set('more', notice.more);
  const { alert, faults } = notice === undefined ? {} : shownNotice(visit, notice);
  const isCleared = draft === undefined && query.step === clearSteps.done;
  const said = isCleared ? { text: visit.words.formCleared, isGood: true } : isHere && alert;
  const state: FormState = {
    ...{ given, isSaved: draft !== undefined },
    ...defined({ name: draft?.once, passed: draft?.passed, faults }),
    ...(said ? { alert: said } : {}),
  };
  return isAll ? formPage(visit, state) : stepPage(visit, state, query.step);
}
