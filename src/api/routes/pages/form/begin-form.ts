import { defined } from '../../../../base/defined.ts';
import { refusalOf } from './form-answers.ts';
import { type FormState, formPage, stepPage } from './form-shown.ts';
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
  const given = draft?.given ?? initialAnswers(visit);
  const known = defined({ name: draft?.once, passed: draft?.passed });
  const state: FormState = { given, ...known, isSaved: draft !== undefined };
  if (modeOf(visit, draft) === 'All') return formPage(visit, state);
  return stepPage(visit, state, query.step);
}
