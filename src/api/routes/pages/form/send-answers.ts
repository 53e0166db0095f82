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
import { type FormVisit, leadTo, pageOf } from './form-visit.ts';
import { newName, removeDraft } from './saved-answers.ts';
import { again, type SentForm, showAtOnce } from './sent-form.ts';

/** The files that were brought with a form. */
export function filesOf({ visit, every }: SentForm): readonly UploadedFile[] {
  // A field without a choice is a file without name; an empty file that was chosen has one.
  if (!visit.form.takesUpload) return [];
  return every.filter(
    ({ field, fileName, bytes }) => field === uploadField && (fileName !== '' || bytes.length > 0),
  );
}

interface Sending {
  readonly given: ReadonlyMap<string, string>;
  /** By which the same answers are recognised. */
  readonly content: string;
  /** False when they were sent before, and are no longer there. */
  readonly isKnown: boolean;
  /** The step that sends them, where there are steps. */
  readonly step?: string;
}

/** The answers to a review that was sent before are gone with it. */
class AnswersGone extends Error {}

/** Begins the process of a form, or shows the form again with what is wrong. */
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
    // There is nothing to save.
    if (error instanceof AnswersGone) {
      return showAtOnce(call, 409, { word: 'formChanged' }, { given });
    }
    const refusal = refusalOf(form, persons, error);
    const { word, values, fault, status } = refusal;
    // Under its name answers were taken: under a new one these are taken, too.
    const isTaken = word === 'formReused' || word === 'formLost';
    const fresh = isTaken ? { name: newName(visit) } : {};
    // Where there is one file, everybody knows which.
    const file = files.length > 1 ? refusal.file : undefined;
    const said = { word, values, file, faults: fault === undefined ? [] : [fault] };
    return again(call, said, { ...shown, ...fresh }, status);
  }
}

/** What became of a form: a link was sent to this address, or the signing page is here. */
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
  if (location !== undefined) return leadTo(visit, location);
  // Of answers that were sent nothing is kept here: a reload gets the same answer once more.
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

/** A page that is sent twice waits for the first answer this long, in all. */
const WAITS = 40;
const WAIT_MS = 250;

/**
 * Does the work of a page once, however often its browser sends it: to a double click and to a
 * reload goes the first answer. Work that failed may be done again.
 *
 * @param name of the page as it was sent to the browser
 * @throws idempotency.key.reused for other content under the name, quota.requests.exceeded
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
      // What nobody will answer is not waited for.
      if (!isRunning || isAnswerLost(error) || waits >= WAITS) throw error;
      await sleep(WAIT_MS);
    }
  }
}
