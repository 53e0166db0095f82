import type { FormDraft } from '../../../../app/flow/index.ts';
import { sha256Of } from '../../../../base/bytes.ts';
import { defined } from '../../../../base/defined.ts';
import { limits } from '../../../../base/limits.ts';
import type { QuestionMode } from '../../../../domain/flow/index.ts';
import { setDraftName } from '../cookies.ts';
import type { FormNotice } from './form-notice.ts';
import { stepsOf, withoutUnasked } from './form-steps.ts';
import { type FormVisit, initialAnswers } from './form-visit.ts';

/** Bytes of the name by which a page that is sent twice is recognised. */
const ONCE_BYTES = 16;

/** A new random name. */
export function newName({ ports }: Pick<FormVisit, 'ports'>): string {
  return Buffer.from(ports.random(ONCE_BYTES)).toString('hex');
}

/** The answers that this browser has saved for the form; undefined for none. */
export async function draftOf(visit: FormVisit): Promise<FormDraft | undefined> {
  const { cookies, ports } = visit;
  if (cookies.draft === undefined) return undefined;
  const draft = await ports.drafts.find(placeOf(visit, cookies.draft));
  return draft && ofThisVersion(visit, draft);
}

/** Another address with other values is another form. */
function placeOf({ form, query }: FormVisit, name: string) {
  const { initialData = '', phone = '', ssn = '', email = '' } = query;
  const said = JSON.stringify([initialData, phone, ssn, email]);
  const data = sha256Of(said).slice(0, 16);
  return { flowKey: form.flowKey, name: `${name} ${data}` };
}

/** How the form is shown: as the person chose, or the flow says. A file is brought on one page. */
export function modeOf({ form }: FormVisit, draft: FormDraft | undefined): QuestionMode {
  return form.takesUpload ? 'All' : (draft?.mode ?? form.questionMode);
}

/** Saved answers; where the questions are others by now, those begin anew. */
function ofThisVersion(visit: FormVisit, draft: FormDraft): FormDraft {
  const { version } = visit.form;
  if (draft.version === version) return draft;
  const { notice: _, passed: before, ...kept } = draft;
  const passed = new Set([...before].filter((id) => !id.startsWith('q')));
  return { ...kept, version, given: withBegun(visit, draft.given), passed };
}

/** The answers about persons, with those that questions begin with. */
export function withBegun(
  visit: FormVisit,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const begun = [...initialAnswers(visit)].filter(([id]) => id.startsWith('q'));
  return new Map([...[...given].filter(([id]) => !id.startsWith('q')), ...begun]);
}

/** What is new in saved answers. */
export interface DraftChange {
  given(known: ReadonlyMap<string, string> | undefined): ReadonlyMap<string, string>;
  readonly mode?: QuestionMode;
  /** A step that was passed. */
  readonly passed?: string;
  /** Steps that are to be answered again. */
  readonly reopened?: (step: string) => boolean;
  /** Name of the page that was sent. */
  readonly once?: string;
  /** What is said of the answers; what was said before is over. */
  readonly notice?: FormNotice | undefined;
}

/**
 * Saves answers of this browser: in the transaction that reads them, so that of two windows none
 * takes back what the other one has saved.
 *
 * @throws request.rate.exceeded
 */
export async function saveDraft(
  visit: FormVisit,
  { given, mode, passed, reopened, once, notice }: DraftChange,
): Promise<{ readonly draft: FormDraft; readonly isSaved: boolean }> {
  const { cookies, form, ports, rate, reply, request, scope } = visit;
  const name = cookies.draft ?? newName(visit);
  const place = placeOf(visit, name);
  const before = cookies.draft === undefined ? undefined : await ports.drafts.find(place);
  const sender = { flowKey: form.flowKey, ip: request.ip, nowMs: ports.now() };
  if (before === undefined) rate.save(sender);
  const saved = await ports.drafts.change(place, (known) => {
    const kept = known && ofThisVersion(visit, known);
    const answers = withoutUnasked(form, given(kept?.given));
    const steps = new Set(kept?.passed);
    if (passed !== undefined) steps.add(passed);
    // A question that is not asked any more is a new one when it is asked again.
    const asked = new Set(stepsOf(form, answers).map(({ id }) => id));
    for (const id of steps) if (!asked.has(id) || reopened?.(id) === true) steps.delete(id);
    return {
      version: form.version,
      mode: mode ?? modeOf(visit, known),
      once: once ?? known?.once ?? newName(visit),
      ...{ given: answers, passed: steps, ...defined({ notice }) },
    };
  });
  if (saved.isSaved) setDraftName(reply, scope, name, limits.formDraftMs);
  return saved;
}

/** Forgets what this browser has saved for the form. */
export async function removeDraft(visit: FormVisit): Promise<void> {
  const { cookies, ports } = visit;
  if (cookies.draft !== undefined) await ports.drafts.remove(placeOf(visit, cookies.draft));
}

/** A digest of answers, by which it is seen that others were saved in the meantime. */
export function digestOf(given: ReadonlyMap<string, string>): string {
  const sorted = [...given].sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Of(JSON.stringify(sorted));
}
