import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CompanyService } from '../../../../app/company-service.ts';
import { answersFrom, type CustomerForm, readAnswers } from '../../../../app/flow/index.ts';
import { defined } from '../../../../base/defined.ts';
import { isInnsigliError } from '../../../../base/errors.ts';
import { limits } from '../../../../base/limits.ts';
import { parseValues } from '../../../../domain/flow/index.ts';
import type { Language } from '../../../../domain/message/index.ts';
import {
  type Frame,
  filled,
  formScreen,
  layout,
  messageScreen,
  type PageLook,
  type PageWords,
  uploadField,
} from '../../../pages/index.ts';
import type { ApiPorts } from '../../../ports.ts';
import { isOwnForm, type PageCookies } from '../cookies.ts';
import type { MultipartForm, UploadedFile } from '../multipart.ts';
import { type FieldFault, type FormRefusal, inWords, refusalOf } from './form-answers.ts';
import { type NamedPerson, personFields, personsIn } from './form-persons.ts';
import type { FormRate } from './form-rate.ts';
import { once } from './once.ts';

/** Bytes of the name by which a page that is sent twice is recognised. */
const ONCE_BYTES = 16;

/** What the address of a form may say. */
export interface FormQuery {
  readonly lng?: string;
  readonly iframe?: string;
  readonly initialData?: string;
  readonly phone?: string;
  readonly ssn?: string;
  readonly email?: string;
}

/** One request of somebody to the form of a flow. */
export interface FormVisit {
  readonly ports: ApiPorts;
  readonly rate: FormRate;
  readonly company: CompanyService;
  readonly form: CustomerForm;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly cookies: PageCookies;
  readonly language: Language;
  readonly words: PageWords;
  readonly isFramed: boolean;
  readonly look: PageLook;
  readonly query: FormQuery;
}

/** What a form holds, and what is wrong with it. */
interface Filled {
  readonly given: ReadonlyMap<string, string>;
  readonly faults?: ReadonlyMap<string, string>;
  readonly alert?: Frame['alert'];
  /** Name of the page, when it is shown again and nothing was done under it. */
  readonly name?: string;
}

/** The form with what its address says; or why no answers can be taken at the moment. */
export async function beginForm(visit: FormVisit): Promise<string> {
  const { form, company, reply, query: given } = visit;
  try {
    await company.processes.requireForm(form.flowKey);
  } catch (error) {
    const refusal = refusalOf(form, [], error);
    reply.code(refusal.status);
    return pageOf(visit, [], { text: sentence(visit, refusal) });
  }
  const begun = new Map(answersFrom(form.questions, initialValues(given.initialData)));
  const known = { email0: given.email, phone0: given.phone, ssn0: given.ssn };
  for (const [id, text] of Object.entries(known)) if (text !== undefined) begun.set(id, text);
  return formPage(visit, { given: begun });
}

// They come from an address that anybody may have made: values that cannot be read are none.
function initialValues(data = '') {
  try {
    return data === '' ? {} : parseValues(Buffer.from(data, 'base64url').toString('utf8'));
  } catch (error) {
    if (isInnsigliError(error)) return {};
    throw error;
  }
}

function sentence({ words, company }: FormVisit, { word, values }: FormRefusal): string {
  return filled(words[word], { company: company.company.name, ...values });
}

function formPage(visit: FormVisit, { given, faults, alert, name }: Filled): string {
  const { company, form, words, cookies } = visit;
  const body = formScreen(words, {
    ...{ company: company.company.name, questions: form.questions, given },
    persons: personFields(form),
    uploadMb: form.takesUpload ? Math.floor(limits.pageFileBytes / (1024 * 1024)) : undefined,
    faults: faults ?? new Map(),
    hidden: {
      ...{ form: cookies.formToken, act: 'start', version: form.version },
      once: name ?? newName(visit),
    },
  });
  return pageOf(visit, [body], alert);
}

function newName({ ports }: FormVisit): string {
  return Buffer.from(ports.random(ONCE_BYTES)).toString('hex');
}

function pageOf(
  { company, form, language, isFramed, look, query }: FormVisit,
  body: Parameters<typeof layout>[2],
  alert?: Frame['alert'],
): string {
  const frame = { language, company: company.company.name, isFramed, look, isLanguageOpen: true };
  const { initialData, phone, ssn, email, iframe } = query;
  const keptQuery = defined({ initialData, phone, ssn, email, iframe });
  return layout({ ...frame, keptQuery, ...defined({ alert }) }, form.name, body);
}

/** What is said where a form is shown again. */
interface Again {
  readonly name?: string;
  readonly faults?: Iterable<readonly [string, FieldFault]>;
  readonly about?: Pick<FormRefusal, 'values' | 'file'>;
}

/** Begins a process, or shows the form again with what is wrong. */
export async function takeForm(
  visit: FormVisit,
  { texts: sent, every }: MultipartForm,
): Promise<string> {
  const { form, request, reply, cookies, words } = visit;
  const given = new Map(sent);
  const name = sent.get('once') ?? '';
  const isNamed = /^[0-9a-f]{32}$/.test(name);
  const again = (status: number, text?: string, { faults, about, ...more }: Again = {}) => {
    reply.code(status);
    // A browser keeps no file in a page that is shown again.
    const chosen = form.takesUpload ? [[uploadField, 'file.none'] as const] : [];
    const marked = inWords(words, [...chosen, ...(faults ?? [])], about);
    const alert = text === undefined ? {} : { alert: { text } };
    const kept = isNamed ? { name } : {};
    return formPage(visit, { given, faults: marked, ...alert, ...kept, ...more });
  };
  const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
  if (isForeign || !isOwnForm(cookies, sent.get('form'))) return again(403, words.errorForm);
  if (!isNamed || sent.get('version') !== form.version) {
    for (const id of given.keys()) if (id.startsWith('q')) given.delete(id);
    return again(409, words.formChanged);
  }
  if (sent.has('more')) return again(200);
  const { values, faults } = readAnswers(form.questions, given);
  const named = personsIn(form, given);
  // A field without a choice is sent as a file without name; an empty file that was chosen has one.
  const files = form.takesUpload
    ? every.filter(
        ({ field, fileName, bytes }) =>
          field === uploadField && (fileName !== '' || bytes.length > 0),
      )
    : [];
  const isChosen = !form.takesUpload || files.some(({ bytes }) => bytes.length > 0);
  const most = limits.broughtDocuments;
  if (files.length > most) return again(422, filled(words.formFileMany, { count: most }));
  if (named.faults.size + faults.size > 0 || !isChosen) {
    return again(422, words.formFaults, { faults: [...named.faults, ...faults] });
  }
  const { persons } = named;
  try {
    const content = `${form.flowKey} ${sent} ${files.map(digestOf)}`;
    return await answerOnce(visit, { name, content }, () => start(visit, persons, values, files));
  } catch (error) {
    const refusal = refusalOf(form, persons, error);
    const marked = refusal.fault === undefined ? [] : [refusal.fault];
    // Other answers were taken under its name: under a new one these are taken, too.
    const fresh = refusal.word === 'formReused' ? { name: newName(visit) } : {};
    // Where there is one file, everybody knows which.
    const { values, file } = refusal;
    const about = defined({ values, file: files.length > 1 ? file : undefined });
    return again(refusal.status, sentence(visit, refusal), { faults: marked, about, ...fresh });
  }
}

function digestOf({ bytes }: UploadedFile): string {
  return createHash('sha256').update(bytes).digest('hex');
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
  const { ports, company, reply, words } = visit;
  const named = { name: `form-${name}`, content };
  const answer = await once(ports, company.company.key, named, async () =>
    JSON.stringify(await work()),
  );
  const { email, location } = JSON.parse(answer) as Started;
  if (location === undefined) {
    const text = filled(words.formSent, { email: email ?? '' });
    return pageOf(visit, [messageScreen(text, true)]);
  }
  reply.code(303).header('location', location);
  return '';
}

async function start(
  { ports, rate, company, form, language, query: asked }: FormVisit,
  named: readonly NamedPerson[],
  values: ReturnType<typeof readAnswers>['values'],
  files: readonly UploadedFile[],
): Promise<Started> {
  const persons = named.map(({ at: _, ...person }) => person);
  const mailboxes = persons.flatMap(({ email }) => email ?? []);
  const giveBack = rate(form.flowKey, mailboxes, ports.now());
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
