import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CompanyService } from '../../../app/company-service.ts';
import { answersFrom, type CustomerForm, readAnswers } from '../../../app/flow/index.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { parseValues } from '../../../domain/flow/index.ts';
import { chooseLanguage, type Language } from '../../../domain/message/index.ts';
import type { Failure } from '../../failure.ts';
import {
  type Frame,
  filled,
  formScreen,
  layout,
  messageScreen,
  type PageWords,
  pageHeaders,
  pageWords,
  unknownPage,
} from '../../pages/index.ts';
import { isUnclean } from '../../plugins/index.ts';
import type { ApiPorts } from '../../ports.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { askedLanguage } from './asked-language.ts';
import { isOwnForm, type PageCookies, readCookies } from './cookies.ts';
import { inWords, personsIn, personsOf, refusalOf } from './form-answers.ts';
import { type FormRate, openFormRate } from './form-rate.ts';
import { loginAnswers, loginQuery, sendLoginPage } from './login-page.ts';
import { once } from './once.ts';

/** A form with all of its answers, each character of several bytes. */
const FORM_BYTES_MAX = 1024 * 1024;
/** Bytes of the name by which a page that is sent twice is recognised. */
const ONCE_BYTES = 16;

const word = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
const query = Type.Object(
  {
    lng: word(20, 'Language, such as `en-us`; without it that of the flow.'),
    iframe: word(20, '`true`: without head and foot, for a frame of a registered origin.'),
    initialData: word(1800, 'Values to begin with: JSON as base64url. What does not fit is left.'),
    phone: word(40, 'Phone to begin with; it is no login.'),
    ssn: word(40, 'National number to begin with; it is no login.'),
    email: word(254, 'Mail address to begin with; it is no login.'),
    ...loginQuery,
  },
  { additionalProperties: true },
);
type Query = { readonly [Name in keyof (typeof query)['properties']]?: string };

const said = { description: 'The form, which says what is wrong.', types: ['text/html'] };
const common = {
  base: 'root',
  access: 'open',
  tag: 'Pages of links',
  query,
  params: Type.Object({
    FlowKey: Type.String({ minLength: 1, maxLength: 100, description: 'A flow.' }),
  }),
} as const;
const answers = {
  200: { description: 'A page.', types: ['text/html'] },
  404: { description: 'There is no such form, or it is not open.', types: ['text/html'] },
};

/** Adds the forms that anybody may fill in and sign: those of flows that are open to customers. */
export function registerFormPage(app: ApiApp, ports: ApiPorts): void {
  const rate = openFormRate();
  addRoute(app, {
    method: 'GET',
    path: '/s/{FlowKey}',
    ...common,
    answers: { ...answers, ...loginAnswers },
    failurePage,
    summary: 'The form of a flow, or its login',
    description:
      'What the document needs, and who signs it; of a flow of type Auth the ways to log in. ' +
      'Works without scripts.',
    handle: async ({ params: { FlowKey }, request, reply }) =>
      (await sendLoginPage(ports, { FlowKey, request, reply })) ??
      sendForm(ports, { FlowKey, request, reply, rate }, (visit) => beginForm(visit)),
  });
  addRoute(app, {
    method: 'POST',
    path: '/s/{FlowKey}',
    ...common,
    summary: 'Begins a process with the answers of a form',
    description: 'Body of the form of the page, with the token that the browser keeps.',
    rawTypes: ['application/x-www-form-urlencoded'],
    bodyBytesMax: FORM_BYTES_MAX,
    bodiesOf: 'visitors',
    failurePage,
    answers: {
      ...answers,
      ...loginAnswers,
      200: { description: 'The link to sign was sent by mail.', types: ['text/html'] },
      303: { description: 'The process waits for the person on its signing page.' },
      ...{ 403: said, 409: said, 422: said },
    },
    handle: async ({ params: { FlowKey }, body, request, reply }) => {
      const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
      const login = await sendLoginPage(ports, { FlowKey, request, reply, sent: form });
      if (login !== undefined) return login;
      return sendForm(ports, { FlowKey, request, reply, rate }, (visit) => takeForm(visit, form));
    },
  });
  addRoute(app, {
    method: 'GET',
    path: '/f/{FlowKey}',
    ...common,
    summary: 'Leads to the form of a flow',
    answers: { 303: { description: 'The form is at `/s/{FlowKey}`.' } },
    handle: async ({ params: { FlowKey }, query: asked, reply }) => {
      const known = Object.keys(query.properties) as (keyof Query)[];
      const kept = known.flatMap((name) => {
        const text = (asked as Query)[name];
        return text === undefined ? [] : [[name, text] as [string, string]];
      });
      const more = new URLSearchParams(kept).toString();
      const own = `/s/${encodeURIComponent(FlowKey)}`;
      return reply
        .code(303)
        .header('location', more === '' ? own : `${own}?${more}`)
        .send();
    },
  });
}

/** The page about a request that was refused, or failed. */
function failurePage({ status }: Failure, request: FastifyRequest, reply: FastifyReply): string {
  const { lng } = request.query as Query;
  const language = askedLanguage(lng, request.headers['accept-language']);
  const words = pageWords(language);
  const isBusy = status === 429 || status === 503;
  const text = isBusy
    ? words.errorThrottled
    : status < 500
      ? words.errorForm
      : words.errorUnexpected;
  reply.headers({ ...pageHeaders(), vary: 'accept-language' });
  return layout({ language, alert: { text } }, words.title, []);
}

interface Call {
  readonly rate: FormRate;
  readonly FlowKey: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** One request of somebody to the form of a flow. */
interface FormVisit {
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
  readonly query: Query;
}

/** What a form holds, and what is wrong with it. */
interface Filled {
  readonly given: ReadonlyMap<string, string>;
  readonly faults?: ReadonlyMap<string, string>;
  readonly alert?: Frame['alert'];
}

async function sendForm(
  ports: ApiPorts,
  { FlowKey, request, reply, rate }: Call,
  show: (visit: FormVisit) => Promise<string>,
): Promise<unknown> {
  try {
    if (isUnclean(FlowKey)) throw new InnsigliError('flow.not_found', 'no such flow');
    const company = await ports.companyOfFlow(FlowKey);
    const form = await company.flows.form(FlowKey);
    const { origins } = await company.access();
    reply.type('text/html; charset=utf-8').headers(pageHeaders(origins));
    if (origins.length > 0) reply.removeHeader('x-frame-options');
    const given = request.query as Query;
    const isFramed = given.iframe === 'true';
    const isSecure = ports.identity.frontEnd.startsWith('https:');
    const cookies = readCookies(request, reply, { isSecure, isFramed }, ports.random);
    const language = chooseLanguage(given.lng?.split('-')[0], form.language);
    const words = pageWords(language);
    const visit = {
      ports,
      rate,
      company,
      form,
      request,
      reply,
      cookies,
      language,
      words,
      isFramed,
    };
    return reply.send(await show({ ...visit, query: given }));
  } catch (error) {
    if (!isInnsigliError(error) || error.code !== 'flow.not_found') throw error;
    reply.code(404).type('text/html; charset=utf-8').headers(pageHeaders());
    return reply.send(unknownPage());
  }
}

/** The form with what its address says. */
async function beginForm(visit: FormVisit): Promise<string> {
  const { form, query: given } = visit;
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

function formPage(visit: FormVisit, { given, faults, alert }: Filled): string {
  const { ports, company, form, words, cookies } = visit;
  const { signatureType, minAdditionalSignees, questions } = form;
  const body = formScreen(words, {
    ...{ company: company.company.name, signatureType, questions, given },
    needed: 1 + minAdditionalSignees,
    most: personsOf(form),
    faults: faults ?? new Map(),
    hidden: {
      ...{ form: cookies.formToken, act: 'start', version: form.version },
      once: Buffer.from(ports.random(ONCE_BYTES)).toString('hex'),
    },
  });
  return pageOf(visit, [body], alert);
}

function pageOf(
  { company, form, language, isFramed }: FormVisit,
  body: Parameters<typeof layout>[2],
  alert?: Frame['alert'],
): string {
  const frame = { language, company: company.company.name, isFramed, isLanguageOpen: true };
  return layout({ ...frame, ...defined({ alert }) }, form.name, body);
}

/** Begins a process, or shows the form again with what is wrong. */
async function takeForm(visit: FormVisit, sent: URLSearchParams): Promise<string> {
  const { form, request, reply, cookies, words } = visit;
  const given = new Map(sent);
  const again = (status: number, text: string, faults = new Map<string, string>()) => {
    reply.code(status);
    return formPage(visit, { given, faults, alert: { text } });
  };
  const isForeign = request.headers['sec-fetch-site'] === 'cross-site';
  if (isForeign || !isOwnForm(cookies, sent.get('form'))) return again(403, words.errorForm);
  const isNamed = /^[0-9a-f]{32}$/.test(sent.get('once') ?? '');
  if (!isNamed || sent.get('version') !== form.version) {
    for (const id of given.keys()) if (id.startsWith('q')) given.delete(id);
    return again(409, words.formChanged);
  }
  const { values, faults } = readAnswers(form.questions, given);
  if (faults.size > 0) return again(422, words.formFaults, inWords(words, faults));
  try {
    return await answerOnce(visit, sent, () => start(visit, given, values));
  } catch (error) {
    const { status, text, fault } = refusalOf(form, words, error);
    return again(status, text, inWords(words, fault === undefined ? [] : [[fault, 'unfit']]));
  }
}

/** What became of a form: a link was sent to this address, or the signing page is here. */
interface Started {
  readonly email?: string;
  readonly location?: string;
}

async function answerOnce(
  visit: FormVisit,
  sent: URLSearchParams,
  work: () => Promise<Started>,
): Promise<string> {
  const { ports, company, reply, words } = visit;
  const named = { name: `form-${sent.get('once')}`, content: `${visit.form.flowKey} ${sent}` };
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
  given: ReadonlyMap<string, string>,
  values: ReturnType<typeof readAnswers>['values'],
): Promise<Started> {
  const persons = personsIn(form, given);
  rate(
    form.flowKey,
    persons.flatMap(({ email }) => email ?? []),
    ports.now(),
  );
  const { process, signee, isLinkSent } = await company.processes.startByForm({
    ...{ flowKey: form.flowKey, values, language, persons },
  });
  if (isLinkSent) return { email: signee.email ?? '' };
  const { iframe, lng } = asked;
  const more = new URLSearchParams(defined({ iframe, lng })).toString();
  const own = `/s/${process.key}/${signee.key}`;
  return { location: more === '' ? own : `${own}?${more}` };
}
