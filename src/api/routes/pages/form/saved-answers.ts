import type { FormDraft } from '../../../../app/flow/index.ts';
import { sha256Of } from '../../../../base/bytes.ts';
import { defined } from '../../../../base/defined.ts';
import { limits } from '../../../../base/limits.ts';
import type { QuestionMode } from '../../../../domain/flow/index.ts';
import { setDraftName } from '../cookies.ts';
import type { FormNotice } from './form-notice.ts';
import { stepsOf, withoutUnasked } from './form-steps.ts';
import { type FormVisit, initialAnswers } from './form-visit.ts';

/** Bytes of the name by which a resubmitted page is recognised. */
const ONCE_BYTES = 16;

/** Generates a random name. */
export function newName({ ports }: Pick<FormVisit, 'ports'>): string {
  return Buffer.from(ports.random(ONCE_BYTES)).toString('hex');
}

/** The answers that this browser has saved for the form, if any. */
export async function draftOf(visit: FormVisit): Promise<FormDraft | undefined> {
  const { cookies, ports } = visit;
  if (cookies.draft === undefined) return undefined;
  const draft = await ports.drafts.find(placeOf(visit, cookies.draft));
  return draft && ofThisVersion(visit, draft);
}

/** An address with different values is a different form. */
function placeOf({ form, query }: FormVisit, name: string) {
  const { initialData = '', phone = '', ssn = '', email = '' } = query;
  const said = JSON.stringify([initialData, phone, ssn, email]);
  const data = sha256Of(said).slice(0, 16);
  return { flowKey: form.flowKey, name: `${name} ${data}` };
}

/** Form layout: the person's choice, else the flow's. With an upload, it is always on one page. */
export function modeOf({ form }: FormVisit, draft: FormDraft | undefined): QuestionMode {
  return form.takesUpload ? 'All' : (draft?.mode ?? form.questionMode);
}

/** Saved answers. If the questions have changed since, their answers are reset. */
function ofThisVersion(visit: FormVisit, draft: FormDraft): FormDraft {
  const { version } = visit.form;
  if (draft.version === version) return draft;
  const { notice: _, passed: before, ...kept } = draft;
  const passed = new Set([...before].filter((id) => !id.startsWith('q')));
  return { ...kept, version, given: withInitialAnswers(visit, draft.given), passed };
}

/** The answers about persons, with the initial values of questions. */
export function withInitialAnswers(
  visit: FormVisit,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const begun = [...initialAnswers(visit)].filter(([id]) => id.startsWith('q'));
  return new Map([...[...given].filter(([id]) => !id.startsWith('q')), ...begun]);
}

/** A change of saved answers. */
export interface DraftChange {
  given(known: ReadonlyMap<string, string> | undefined): ReadonlyMap<string, string>;
  readonly mode?: QuestionMode;
  /** A step that was completed. */
  readonly passed?: string;
  /** Predicate for steps that must be answered again. */
  readonly reopened?: (step: string) => boolean;
  /** Name of the submitted page. */
  readonly once?: string;
  /** Notice about the answers, which replaces the previous one. */
  readonly notice?: FormNotice | undefined;
}

/**
 * Saves answers of this browser, in the transaction that reads them, so that two windows do not
 * overwrite each other's answers.
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
    // A question that ceases to apply must be answered again if it applies later.
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

/** Deletes what this browser has saved for the form. */
export async function removeDraft(visit: FormVisit): Promise<void> {
  const { cookies, ports } = visit;
  if (cookies.draft !== undefined) await ports.drafts.remove(placeOf(visit, cookies.draft));
}

/** Digest of answers, to detect that others were saved in the meantime. */
export function digestOf(given: ReadonlyMap<string, string>): string {
  const sorted = [...given].sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256Of(JSON.stringify(sorted));
}
