import { createHash } from 'node:crypto';
import { askedQuestions, type FormDraft, readAnswers } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import { isInnsigliError } from '../../../../base/errors.ts';
import { limits } from '../../../../base/limits.ts';
import { filled, messageScreen, savedHours, uploadField } from '../../../pages/index.ts';
import { isOwnForm } from '../cookies.ts';
import type { MultipartForm, UploadedFile } from '../multipart.ts';
import { type FieldFault, type FormRefusal, inWords, refusalOf } from './form-answers.ts';
import { type NamedPerson, personsIn } from './form-persons.ts';
import { type FormState, faultsIn, formPage, stepPage } from './form-shown.ts';
import { isOfStep, openStep, reviewStep, stepsOf, withNewlyAsked } from './form-steps.ts';
import { addressOf, type FormVisit, initialAnswers, pageOf, sentence } from './form-visit.ts';
import { once } from './once.ts';
import {
  digestOf,
  draftOf,
  modeOf,
  newName,
  removeDraft,
  saveDraft,
  withBegun,
} from './saved-answers.ts';

/** What is said where a form is shown again. */
interface Again extends Omit<FormState, 'faults' | 'alert' | 'given'> {
  readonly faults?: Iterable<readonly [string, FieldFault]>;
  readonly about?: Pick<FormRefusal, 'values' | 'file'>;
  readonly given?: ReadonlyMap<string, string>;
  /** The step that is shown, where one is. */
  readonly step?: string;
}

/** A form that was sent, with what is known of it. */
interface SentForm {
  readonly visit: FormVisit;
  readonly sent: URLSearchParams;
  readonly every: MultipartForm['every'];
  readonly draft: FormDraft | undefined;
  /** Shows the form again with what is wrong. */
  again(status: number, text?: string, more?: Again): string;
}

/** Begins a process, saves answers, or shows the form again with what is wrong. */
export async function takeForm(
  visit: FormVisit,
  { texts: sent, every }: MultipartForm,
): Promise<string> {
  const { form, request, cookies, words } = visit;
  const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
  const isOwn = !isForeign && isOwnForm(cookies, sent.get('form'));
  const draft = isOwn ? await draftOf(visit) : undefined;
  const call: SentForm = { visit, sent, every, draft, again: againOf(visit, sent, draft) };
  if (!isOwn) return call.again(403, words.errorForm);
  const act = sent.get('act');
  const isNamed = act === 'step' || /^[0-9a-f]{32}$/.test(sent.get('once') ?? '');
  if (!isNamed || sent.get('version') !== form.version) {
    const saved = draft?.given ?? initialAnswers(visit);
    const given = act === 'start' ? withBegun(visit, new Map(sent)) : saved;
    return call.again(409, words.formChanged, { given });
  }
  try {
    if (sent.get('go') === 'clear') return await clear(visit);
    if (act === 'step' && !form.takesUpload) return await takeStep(call);
    if (act === reviewStep && !form.takesUpload) return await takeReview(call);
    return await takeWhole(call);
  } catch (error) {
    if (!isInnsigliError(error) || error.code !== 'request.rate.exceeded') throw error;
    return call.again(429, words.errorThrottled);
  }
}

function againOf(
  visit: FormVisit,
  sent: URLSearchParams,
  draft: FormDraft | undefined,
): SentForm['again'] {
  const { form, words, reply } = visit;
  const name = sent.get('once') ?? '';
  return (status, text, { faults, about, step, ...more } = {}) => {
    reply.code(status);
    // A browser keeps no file in a page that is shown again.
    const chosen = form.takesUpload ? [[uploadField, 'file.none'] as const] : [];
    const marked = inWords(words, [...chosen, ...(faults ?? [])], about);
    const state = {
      ...{ given: new Map(sent), faults: marked },
      ...(text === undefined ? {} : { alert: { text } }),
      ...(/^[0-9a-f]{32}$/.test(name) ? { name } : {}),
      ...more,
    };
    const isWhole = step === undefined && (sent.get('act') ?? 'start') === 'start';
    if (isWhole || modeOf(visit, draft) === 'All') return formPage(visit, state);
    return stepPage(visit, { ...defined({ passed: draft?.passed }), ...state }, step);
  };
}

async function clear(visit: FormVisit): Promise<string> {
  await removeDraft(visit);
  const alert = { text: visit.words.formCleared, isGood: true };
  const state = { given: initialAnswers(visit), alert };
  return visit.form.questionMode === 'One'
    ? stepPage(visit, state, undefined)
    : formPage(visit, state);
}

function leadTo({ reply }: FormVisit, location: string): string {
  reply.code(303).header('location', location);
  return '';
}

/** The answers of one step: they are saved, and the next one follows. */
async function takeStep({ visit, sent, draft, again }: SentForm): Promise<string> {
  const { form, words } = visit;
  const before = draft?.given ?? initialAnswers(visit);
  const step = stepsOf(form, before).find(({ id }) => id === sent.get('step'));
  // A step that the answers of another window have taken away.
  if (step === undefined) return leadTo(visit, addressOf(visit));
  const own = [...sent].filter(([id]) => isOfStep(step, id));
  const merged = (known = before) => {
    const given = new Map([...[...known].filter(([id]) => !isOfStep(step, id)), ...own]);
    const asked = askedQuestions(form.questions, known);
    return withNewlyAsked(form, {
      given,
      begun: initialAnswers(visit),
      isNew: (at) => !asked.has(at),
    });
  };
  const go = sent.get('go');
  const wrong = [...faultsIn(visit, merged())].filter(([id]) => isOfStep(step, id));
  const isPassed = go === null && !sent.has('more') && wrong.length === 0;
  const { draft: saved, isSaved } = await saveDraft(visit, {
    given: merged,
    ...(isPassed ? { passed: step.id } : {}),
    ...(go === 'all' ? { mode: 'All' as const } : {}),
  });
  const { given, passed } = saved;
  // More than is saved may be sent with the whole form.
  if (!isSaved && go === 'all') return formPage(visit, { given });
  if (!isSaved) return again(413, words.formTooLarge, { given, step: step.id });
  if (go === 'all') return leadTo(visit, addressOf(visit));
  const steps = stepsOf(form, given);
  const at = steps.findIndex(({ id }) => id === step.id);
  if (go === 'back') return leadTo(visit, addressOf(visit, { step: steps[at - 1]?.id ?? step.id }));
  const shown = { given: new Map([...given, ...moreOf(sent)]), passed, step: step.id };
  if (sent.has('more')) return again(200, undefined, shown);
  if (!isPassed) return again(422, words.formFaults, { ...shown, faults: wrong });
  const isChange = sent.get('from') === reviewStep;
  const next = isChange
    ? openStep(steps, passed, faultsIn(visit, given).keys())
    : (steps[at + 1]?.id ?? reviewStep);
  return leadTo(visit, addressOf(visit, { step: next }));
}

function moreOf(sent: URLSearchParams): readonly (readonly [string, string])[] {
  const more = sent.get('more');
  return more === null ? [] : [['more', more]];
}

/** The answers that were saved are sent, if they are those that the person has looked at. */
async function takeReview(call: SentForm): Promise<string> {
  const { visit, sent, draft } = call;
  const { form } = visit;
  const go = sent.get('go');
  const given = draft?.given ?? new Map<string, string>();
  if (go === 'all') {
    await saveDraft(visit, { given: (known = given) => known, mode: 'All' });
    return leadTo(visit, addressOf(visit));
  }
  if (go === 'back') {
    return leadTo(visit, addressOf(visit, { step: stepsOf(form, given).at(-1)?.id ?? 'p0' }));
  }
  const answers = sent.get('answers') ?? '';
  const isSame = draft !== undefined && answers === digestOf(given);
  // Others were saved in another window: they are looked through, too.
  if (draft !== undefined && !isSame) return leadTo(visit, addressOf(visit, { step: reviewStep }));
  return send(call, { given, content: `review ${answers}`, isKnown: isSame });
}

/** The answers of the whole form are sent, or saved. */
async function takeWhole(call: SentForm): Promise<string> {
  const { visit, sent, again } = call;
  const { form, words } = visit;
  const seen = new Set((sent.get('asked') ?? '').split(' ').map(Number));
  const isNew = (at: number) => form.questions[at]?.askedIf !== undefined && !seen.has(at);
  const begun = initialAnswers(visit);
  const given = withNewlyAsked(form, { given: new Map(sent), begun, isNew });
  const go = sent.get('go');
  const fields = [...given].filter(([id]) => /^(?:q\d|(?:name|email|phone|ssn)\d)/.test(id));
  const change = { given: () => new Map(fields), ...defined({ once: given.get('once') }) };
  if (!form.takesUpload && (go === 'one' || go === 'save')) {
    const mode = go === 'one' ? { mode: 'One' as const } : {};
    const { isSaved } = await saveDraft(visit, { ...change, ...mode });
    if (!isSaved) return again(413, words.formTooLarge, { given });
    if (go === 'one') return leadTo(visit, addressOf(visit));
    const alert = { text: filled(words.formSaved, { hours: savedHours }), isGood: true };
    return formPage(visit, { given, name: given.get('once') ?? '', alert, isSaved });
  }
  // What was filled in is not lost with the page; where it cannot be saved, it is still on it.
  const keep = async () => {
    if (form.takesUpload) return { isSaved: false };
    return saveDraft(visit, change).catch((error: unknown) => {
      if (!isInnsigliError(error) || error.code !== 'request.rate.exceeded') throw error;
      return { isSaved: false };
    });
  };
  if (sent.has('more')) {
    const { isSaved } = await keep();
    return again(200, undefined, { given, isSaved });
  }
  if ([...askedQuestions(form.questions, given)].some(isNew)) {
    const { isSaved } = await keep();
    return again(200, words.formFurther, { given, isSaved });
  }
  const digests = filesOf(call).map(({ bytes }) =>
    createHash('sha256').update(bytes).digest('hex'),
  );
  const text = await send(call, { given, content: `${sent} ${digests}`, isKnown: true });
  if (visit.reply.statusCode >= 400) await keep();
  return text;
}

// A field without a choice is sent as a file without name; an empty file that was chosen has one.
function filesOf({ visit, every }: SentForm): readonly UploadedFile[] {
  if (!visit.form.takesUpload) return [];
  return every.filter(
    ({ field, fileName, bytes }) => field === uploadField && (fileName !== '' || bytes.length > 0),
  );
}

/** Answers that are sent. */
interface Sending {
  readonly given: ReadonlyMap<string, string>;
  /** By which the same answers are recognised. */
  readonly content: string;
  /** False when they were sent before, and are no longer there. */
  readonly isKnown: boolean;
}

/** The answers to a review that was sent before are gone with it. */
class AnswersGone extends Error {}

async function send(call: SentForm, { given, content, isKnown }: Sending): Promise<string> {
  const { visit, sent, draft, again } = call;
  const { form, words } = visit;
  const name = sent.get('once') ?? '';
  const { values, faults } = readAnswers(form.questions, given);
  const named = personsIn(form, given);
  const files = filesOf(call);
  const isChosen = !form.takesUpload || files.some(({ bytes }) => bytes.length > 0);
  const most = limits.broughtDocuments;
  if (files.length > most) return again(422, filled(words.formFileMany, { count: most }));
  if (isKnown && (named.faults.size + faults.size > 0 || !isChosen)) {
    const wrong = [...named.faults, ...faults];
    return again(422, words.formFaults, { given, faults: wrong });
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
    if (error instanceof AnswersGone) return again(409, words.formChanged, { given });
    const refusal = refusalOf(form, persons, error);
    const marked = refusal.fault === undefined ? [] : [refusal.fault];
    // Other answers were taken under its name: under a new one these are taken, too.
    const fresh = refusal.word === 'formReused' ? { name: newName(visit) } : {};
    // Where there is one file, everybody knows which.
    const { values, file } = refusal;
    const about = defined({ values, file: files.length > 1 ? file : undefined });
    const step = draft && marked[0] && stepOf(call, given, marked[0][0]);
    const more = { given, faults: marked, about, ...fresh, ...defined({ step }) };
    return again(refusal.status, sentence(visit, refusal), more);
  }
}

/** The step at which a field is, where the form was sent step by step. */
function stepOf({ visit, sent }: SentForm, given: ReadonlyMap<string, string>, field: string) {
  if (sent.get('act') !== reviewStep) return undefined;
  return stepsOf(visit.form, given).find((step) => isOfStep(step, field))?.id;
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
  const more = new URLSearchParams(defined({ iframe, lng })).toString();
  const path = sequence ? [sequence.key, sequence.personKey] : [process.key, signee.key];
  const own = `/s/${path.join('/')}`;
  return { location: more === '' ? own : `${own}?${more}` };
}
