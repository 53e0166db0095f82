import { setTimeout as sleep } from 'node:timers/promises';
import { isAnswerLost } from '../../../../app/company/index.ts';
import { readAnswers } from '../../../../app/flow/index.ts';
import { sha256Of } from '../../../../base/bytes.ts';
import { isInnsigliError } from '../../../../base/errors.ts';
import { limits } from '../../../../base/limits.ts';
import { filled, messageScreen, uploadField } from '../../../pages/index.ts';
import type { UploadedFile } from '../multipart.ts';
import { withQuery } from '../visit.ts';
import { refusalOf } from './form-answers.ts';
import { type NamedPerson, personsIn } from './form-persons.ts';
import { type FormVisit, pageOf, redirectTo } from './form-visit.ts';
import { newName, removeDraft } from './saved-answers.ts';
import { again, type SentForm, showDirectly } from './sent-form.ts';

/** The files uploaded with a form. */
export function filesOf({ visit, every }: SentForm): readonly UploadedFile[] {
  // A file field without a choice has no file name; a chosen empty file has one.
  if (!visit.form.takesUpload) return [];
  return every.filter(
    ({ field, fileName, bytes }) => field === uploadField && (fileName !== '' || bytes.length > 0),
  );
}

interface Sending {
  readonly given: ReadonlyMap<string, string>;
  /** Text by which identical answers are recognised. */
  readonly content: string;
  /** False if they were sent before and are no longer saved. */
  readonly isKnown: boolean;
  /** The step that sends them, if the form has steps. */
  readonly step?: string;
}

/** The answers were deleted after the review was sent. */
class AnswersGone extends Error {}

/** Starts the process of a form, or shows the form again with its errors. */
export async function sendAnswers(
  call: SentForm,
  { given, content, isKnown, step }: Sending,
): Promise<string> {
  const { visit, sent } = call;
  const { form } = visit;
  const name = sent.get('once') ?? '';
  const { values, faults } = readAnswers(form.questions, given);
  const named = personsIn(form, given);
  const files = filesOf(call);
  const isChosen = !form.takesUpload || files.some(({ bytes }) => bytes.length > 0);
  const most = limits.broughtDocuments;
  const shown = { given, step };
  if (files.length > most) {
    return again(call, { word: 'formFileMany', values: { count: most } }, shown);
  }
  if (isKnown && (named.faults.size + faults.size > 0 || !isChosen)) {
    return again(call, { word: 'formFaults', faults: [...named.faults, ...faults] }, shown);
  }
  const { persons } = named;
  try {
    const text = await answerOnce(visit, { name, content: `${form.flowKey} ${content}` }, () => {
      if (!isKnown) throw new AnswersGone();
      return start(visit, persons, values, files);
    });
    await removeDraft(visit);
    return text;
  } catch (error) {
    // There are no answers to save.
    if (error instanceof AnswersGone) {
      return showDirectly(call, 409, { word: 'formChanged' }, { given });
    }
    const refusal = refusalOf(form, persons, error);
    const { word, values, fault, status } = refusal;
    // The name was already used for other answers; a new name allows these, too.
    const isTaken = word === 'formReused' || word === 'formLost';
    const fresh = isTaken ? { name: newName(visit) } : {};
    // With a single file, its name is not needed.
    const file = files.length > 1 ? refusal.file : undefined;
    const said = { word, values, file, faults: fault === undefined ? [] : [fault] };
    return again(call, said, { ...shown, ...fresh }, status);
  }
}

/** Result of a form: a link was mailed to the address, or the signing page is at the location. */
interface Started {
  readonly email?: string;
  readonly location?: string;
}

async function answerOnce(
  visit: FormVisit,
  { name, content }: { readonly name: string; readonly content: string },
  work: () => Promise<Started>,
): Promise<string> {
  const { ports, company, words } = visit;
  const named = { name: `form-${name}`, content };
  const answer = await once(ports, company.company.key, named, async () =>
    JSON.stringify(await work()),
  );
  const { email, location } = JSON.parse(answer) as Started;
  if (location !== undefined) return redirectTo(visit, location);
  // No state is stored here for sent answers: a reload gets the same response again.
  const text = filled(words.formSent, { email: email ?? '' });
  return pageOf(visit, [messageScreen(text, true)]);
}

async function start(
  { ports, rate, company, form, language, query: asked, request }: FormVisit,
  named: readonly NamedPerson[],
  values: ReturnType<typeof readAnswers>['values'],
  files: readonly UploadedFile[],
): Promise<Started> {
  const persons = named.map(({ at: _, ...person }) => person);
  const mailboxes = persons.flatMap(({ email }) => email ?? []);
  const sender = { flowKey: form.flowKey, ip: request.ip, nowMs: ports.now() };
  const giveBack = rate.begin(sender, mailboxes);
  const begun = company.processes.startByForm({
    ...{ flowKey: form.flowKey, values, language, persons },
    documents: files.map(({ bytes: pdf, fileName }) => ({ pdf, fileName })),
  });
  const { process, signee, isLinkSent, sequence } = await begun.catch((error: unknown) => {
    giveBack();
    throw error;
  });
  if (isLinkSent) return { email: signee.email ?? '' };
  const { iframe, lng } = asked;
  const path = sequence ? [sequence.key, sequence.personKey] : [process.key, signee.key];
  return { location: withQuery(`/s/${path.join('/')}`, { iframe, lng }) };
}

/** Number of polls with which a resubmitted page waits for the first response. */
const WAITS = 40;
const WAIT_MS = 250;

/**
 * Does the work of a page once, however often the browser submits it: a double click or a reload
 * gets the first response. Work that failed may be repeated.
 *
 * @param name name of the page as sent to the browser
 * @throws idempotency.key.reused for different content under the name, quota.requests.exceeded
 */
async function once(
  { idempotency }: FormVisit['ports'],
  companyKey: string,
  { name, content }: { readonly name: string; readonly content: string },
  work: () => Promise<string>,
): Promise<string> {
  const sha256 = sha256Of(content);
  for (let waits = 0; ; waits += 1) {
    try {
      const held = await idempotency.begin(companyKey, name, { sha256, isOfForm: true });
      if (typeof held === 'string') return held;
      try {
        const answer = await held.run(work);
        await held.keep(answer);
        return answer;
      } catch (error) {
        await held.drop();
        throw error;
      }
    } catch (error) {
      const isRunning = isInnsigliError(error) && error.code === 'idempotency.in_flight';
      // Do not wait for a response that was lost.
      if (!isRunning || isAnswerLost(error) || waits >= WAITS) throw error;
      await sleep(WAIT_MS);
    }
  }
}
