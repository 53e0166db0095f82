import type { FormDraft } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import { onCode } from '../../../../base/errors.ts';
import type { MultipartForm } from '../multipart.ts';
import { type NewNotice, noticeOf, shownNotice } from './form-notice.ts';
import { formPage, stepPage } from './form-shown.ts';
import { isField } from './form-steps.ts';
import { addressOf, type FormVisit, redirectTo } from './form-visit.ts';
import { modeOf, saveDraft } from './saved-answers.ts';

/** A submitted form with its context. */
export interface SentForm {
  readonly visit: FormVisit;
  readonly sent: URLSearchParams;
  readonly every: MultipartForm['every'];
  readonly draft: FormDraft | undefined;
}

/** Contents of a form that is shown again. */
interface Again {
  readonly given: ReadonlyMap<string, string>;
  readonly step?: string | undefined;
  /** Name of the page, if it differs from the submitted one. */
  readonly name?: string;
  readonly isSaved?: boolean;
}

/** True for a form with all of its questions. */
function isWhole({ sent, visit }: SentForm): boolean {
  return visit.form.takesUpload || (sent.get('act') ?? 'start') === 'start';
}

/** The answers among submitted or shown fields. */
export function answersIn(given: Iterable<readonly [string, string]>): Map<string, string> {
  return new Map([...given].filter(([id]) => isField(id)));
}

/** Saves the answers and shows the form with a notice, by redirect: reloading resubmits nothing. */
export async function again(
  call: SentForm,
  said: NewNotice,
  state: Again,
  status = 422,
): Promise<string> {
  const { visit, sent } = call;
  const { given, step, name = nameOf(sent) } = state;
  const persons = [...answersIn(sent)].filter(([id]) => !id.startsWith('q'));
  const saving = saveDraft(visit, {
    given: (known = given) => (isWhole(call) ? answersIn(given) : new Map([...known, ...persons])),
    ...(isWhole(call) ? { mode: 'All' } : {}),
    ...defined({ once: name, notice: noticeOf(visit, said, step) }),
  });
  const saved = await saving.catch(onCode('request.rate.exceeded'));
  const isSaved = saved?.isSaved === true;
  // A client that sends too often is not redirected to send yet another request.
  if (isSaved && status !== 429) return redirectTo(visit, addressOf(visit, defined({ step })));
  return showDirectly(call, status, said, { ...state, isSaved });
}

/** Shows the form in the response, for answers that cannot or must not be saved on the server. */
export function showDirectly(
  call: SentForm,
  status: number,
  said: NewNotice,
  state: Again,
): string {
  const { visit, sent, draft } = call;
  const { given, step, name = nameOf(sent), isSaved } = state;
  visit.reply.code(status);
  const more = said.more === undefined ? [] : [['more', said.more] as const];
  const shown = {
    ...{ given: new Map([...given, ...more]), ...shownNotice(visit, noticeOf(visit, said)) },
    ...defined({ name, isSaved }),
  };
  const isStepped = step !== undefined || !isWhole(call);
  if (!isStepped || modeOf(visit, draft) === 'All') return formPage(visit, shown);
  return stepPage(visit, { ...shown, ...defined({ passed: draft?.passed }) }, step);
}

/** The name of the submitted page. Undefined if it is malformed. */
export function nameOf(sent: URLSearchParams): string | undefined {
  return /^[0-9a-f]{32}$/.exec(sent.get('once') ?? '')?.[0];
}
