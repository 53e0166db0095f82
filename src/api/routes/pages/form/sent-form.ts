import type { FormDraft } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import { onCode } from '../../../../base/errors.ts';
import type { MultipartForm } from '../multipart.ts';
import { noticeOf, type Said, shownNotice } from './form-notice.ts';
import { formPage, stepPage } from './form-shown.ts';
import { isField } from './form-steps.ts';
import { addressOf, type FormVisit, leadTo } from './form-visit.ts';
import { modeOf, saveDraft } from './saved-answers.ts';

/** A form that was sent, with what is known of it. */
export interface SentForm {
  readonly visit: FormVisit;
  readonly sent: URLSearchParams;
  readonly every: MultipartForm['every'];
  readonly draft: FormDraft | undefined;
}

/** What a form holds that is shown again. */
interface Again {
  readonly given: ReadonlyMap<string, string>;
  /** The step that is shown, where one is. */
  readonly step?: string | undefined;
  /** Another name of the page than the one that was sent. */
  readonly name?: string;
  /** What it holds is saved. */
  readonly isSaved?: boolean;
}

/** True for a form with all of its questions. */
function isWhole({ sent, visit }: SentForm): boolean {
  return visit.form.takesUpload || (sent.get('act') ?? 'start') === 'start';
}

/** The answers among what was sent, or is shown. */
export function answersIn(given: Iterable<readonly [string, string]>): Map<string, string> {
  return new Map([...given].filter(([id]) => isField(id)));
}

/**
 * Shows the form again with what is said of it: at its own address, once its answers are saved. A
 * reload and the way back send nothing again then.
 */
export async function again(
  call: SentForm,
  said: Said,
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
  // Whoever sends too often is not asked to send once more.
  if (isSaved && status !== 429) return leadTo(visit, addressOf(visit, defined({ step })));
  return showAtOnce(call, status, said, { ...state, isSaved });
}

/**
 * The same as the answer to what was sent: for what cannot be saved, or must not be. The browser
 * holds it then, and nobody else.
 */
export function showAtOnce(call: SentForm, status: number, said: Said, state: Again): string {
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

/** The name of the page that was sent; undefined for one that it cannot have. */
export function nameOf(sent: URLSearchParams): string | undefined {
  return /^[0-9a-f]{32}$/.exec(sent.get('once') ?? '')?.[0];
}
