import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../../../../base/defined.ts';
import { InnsigliError } from '../../../../base/errors.ts';
import { limits } from '../../../../base/limits.ts';
import { chooseLanguage } from '../../../../domain/message/index.ts';
import { pageWords } from '../../../pages/index.ts';
import { isUnclean } from '../../../plugins/index.ts';
import type { ApiPorts } from '../../../ports.ts';
import type { ApiApp } from '../../../route.ts';
import { errorResponse, pathKey } from '../../../schemas/index.ts';
import { lookOf } from '../company-look.ts';
import { addPage, orUnknownPage } from '../link-route.ts';
import { loginAnswers, loginQuery, sendLoginPage } from '../login/index.ts';
import { type MultipartForm, readMultipart } from '../multipart.ts';
import { openPage, withQuery } from '../visit.ts';
import { refusalOf } from './form-answers.ts';
import { shownNotice } from './form-notice.ts';
import { type FormRate, openFormRate } from './form-rate.ts';
import { clearPage, type FormState, formPage, stepPage } from './form-shown.ts';
import { clearSteps } from './form-steps.ts';
import { type FormQuery, type FormVisit, initialAnswers, pageOf, sentence } from './form-visit.ts';
import { draftOf, modeOf } from './saved-answers.ts';
import { takeForm } from './take-form.ts';

/** A form with all of its answers, each character taking several bytes. */
const FORM_BYTES_MAX = 1024 * 1024;

const word = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
const query = Type.Object(
  {
    lng: word(20, 'Language, such as `en-us`; without it that of the flow.'),
    iframe: word(20, '`true`: without header and footer, for a frame of a registered origin.'),
    initialData: word(
      1800,
      'Initial values: JSON as base64url. Values that do not match are ignored.',
    ),
    phone: word(40, 'Initial phone number; it is not a login.'),
    ssn: word(40, 'Initial national number; it is not a login.'),
    email: word(254, 'Initial mail address; it is not a login.'),
    step: word(20, 'The step to show if the form asks one question at a time.'),
    from: word(20, 'The step to return to, such as `review`.'),
    ...loginQuery,
  },
  { additionalProperties: true },
);

const html = ['text/html'];
const said = { description: 'The form; its answers cannot be saved.', types: html };
const closed = {
  description: 'A page with the reason why the form accepts no answers.',
  types: html,
};
const common = { query, params: Type.Object({ FlowKey: pathKey('A flow.') }) } as const;
const answers = {
  200: { description: 'A page.', types: ['text/html'] },
  404: { description: 'The form does not exist or is not open.', types: ['text/html'] },
  431: { description: 'The URL is too long.', schema: errorResponse },
};

/** Adds the forms that anyone may fill in and sign: those of flows that are open to customers. */
export function registerFormPage(app: ApiApp, ports: ApiPorts): void {
  const rate = openFormRate();
  addPage(app, 'GET', '/s/{FlowKey}', {
    ...common,
    answers: { ...answers, ...loginAnswers, 409: closed },
    summary: 'The form of a flow, or its login',
    description:
      'The values the document needs and its signees; for a flow of type Auth the login methods. ' +
      'Works without scripts.',
    handle: async ({ params: { FlowKey }, request, reply }) =>
      (await sendLoginPage(ports, { FlowKey, request, reply })) ??
      sendForm(ports, { FlowKey, request, reply, rate }, beginForm),
  });
  addPage(app, 'POST', '/s/{FlowKey}', {
    ...common,
    summary: 'Start a process with the answers of a form',
    description: 'Body of the form of the page, with the token stored in the browser.',
    rawTypes: ['application/x-www-form-urlencoded', 'multipart/form-data'],
    bodyBytesMax: limits.pageFileBytes + FORM_BYTES_MAX,
    bodiesOf: 'visitors',
    answers: {
      ...answers,
      ...loginAnswers,
      200: { description: 'The link to sign was sent by mail.', types: ['text/html'] },
      303: {
        description:
          'Redirects to the signing page of the process, or to the form with its errors.',
      },
      ...{ 403: said, 409: said, 422: said },
    },
    handle: async ({ params: { FlowKey }, body, request, reply }) => {
      const form = readForm(request, Buffer.isBuffer(body) ? body : Buffer.alloc(0));
      const login = await sendLoginPage(ports, { FlowKey, request, reply, sent: form.texts });
      if (login !== undefined) return login;
      return sendForm(ports, { FlowKey, request, reply, rate }, (visit) => takeForm(visit, form));
    },
  });
  addPage(app, 'GET', '/f/{FlowKey}', {
    ...common,
    summary: 'Redirect to the form of a flow',
    answers: { 303: { description: 'The form is at `/s/{FlowKey}`.' } },
    handle: async ({ params: { FlowKey }, query: asked, reply }) => {
      const known = Object.keys(query.properties) as (keyof FormQuery)[];
      const kept = Object.fromEntries(known.map((name) => [name, (asked as FormQuery)[name]]));
      const own = `/s/${encodeURIComponent(FlowKey)}`;
      return reply.code(303).header('location', withQuery(own, kept)).send();
    },
  });
}

/** The fields of a form; none if it is malformed. @throws limit.exceeded */
function readForm({ headers }: FastifyRequest, body: Buffer): MultipartForm {
  const type = headers['content-type'] ?? '';
  const none = { texts: new URLSearchParams(), files: new Map(), every: [] };
  if (/^multipart\//i.test(type)) {
    const form = readMultipart(body, type) ?? none;
    for (const { bytes } of form.every) requireAtMost(bytes.length, limits.pageFileBytes);
    return form;
  }
  requireAtMost(body.length, FORM_BYTES_MAX);
  return { ...none, texts: new URLSearchParams(body.toString('utf8')) };
}

function requireAtMost(found: number, max: number): void {
  if (found <= max) return;
  throw new InnsigliError('limit.exceeded', `expected at most ${max} bytes, found ${found}`);
}

interface Call {
  readonly rate: FormRate;
  readonly FlowKey: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function sendForm(
  ports: ApiPorts,
  { FlowKey, request, reply, rate }: Call,
  show: (visit: FormVisit) => Promise<string>,
): Promise<unknown> {
  const send = async () => {
    if (isUnclean(FlowKey)) throw new InnsigliError('flow.not_found', 'no such flow');
    const company = await ports.companyOfFlow(FlowKey);
    const form = await company.flows.form(FlowKey);
    const { origins } = await company.access();
    const page = openPage(ports, request, reply, origins);
    const query = request.query as FormQuery;
    const language = chooseLanguage(query.lng?.split('-')[0], form.language);
    const words = pageWords(language);
    const visit = { ...page, rate, company, form, language, words, query };
    return reply.send(await show({ ...visit, look: await lookOf(company, form.flowKey) }));
  };
  return orUnknownPage(reply, send, /^flow\.not_found$/);
}

/** Renders the form with its address's values or saved answers, or states why none are accepted. */
async function beginForm(visit: FormVisit): Promise<string> {
  const { form, company, reply, query } = visit;
  try {
    await company.processes.requireForm(form.flowKey);
  } catch (error) {
    const refusal = refusalOf(form, [], error);
    reply.code(refusal.status);
    return pageOf(visit, [], { alert: { text: sentence(visit, refusal) } });
  }
  const draft = await draftOf(visit);
  if (query.step === clearSteps.asked && draft !== undefined) return clearPage(visit);
  const { notice } = draft ?? {};
  const given = new Map(draft?.given ?? initialAnswers(visit));
  const isAll = modeOf(visit, draft) === 'All';
  // A notice about one step is not shown at another.
  const isHere = notice !== undefined && (isAll || notice.step === query.step);
  if (isHere && notice.more !== undefined) given.set('more', notice.more);
  const { alert, faults } = notice === undefined ? {} : shownNotice(visit, notice);
  const isCleared = draft === undefined && query.step === clearSteps.done;
  const said = isCleared ? { text: visit.words.formCleared, isGood: true } : isHere && alert;
  const state: FormState = {
    ...{ given, isSaved: draft !== undefined },
    ...defined({ name: draft?.once, passed: draft?.passed, faults }),
    ...(said ? { alert: said } : {}),
  };
  return isAll ? formPage(visit, state) : stepPage(visit, state, query.step);
}
