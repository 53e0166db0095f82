import type { Static } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../../../base/defined.ts';
import { InnsigliError, onCode } from '../../../base/errors.ts';
import { formatDay, type Language } from '../../../domain/message/index.ts';
import { broughtBy } from '../../../domain/process/index.ts';
import {
  eidForms,
  type FormMaker,
  type Frame,
  filled,
  html,
  layout,
  type PageLook,
  type PageWords,
  type Part,
  pageHeaders,
  pageWords,
  passcodeScreen,
  requestScreen,
} from '../../pages/index.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp, ApiCall } from '../../route.ts';
import { lookOf } from './company-look.ts';
import { type CookieScope, type PageCookies, readCookies } from './cookies.ts';
import { knownNumbers } from './eid-prompt.ts';
import type { documentParams } from './link-route.ts';
import {
  type DocumentPlace,
  findPlace,
  type LinkPlace,
  languageOf,
  nextDocument,
  refOf,
} from './place.ts';

/** Query of the pages. @see contract: embedded signing page */
export interface PageQuery {
  readonly iframe?: string;
  readonly lng?: string;
  readonly showEndScreen?: string;
  readonly hideSignDocumentHeaderText?: string;
}

/** A request to a page. */
export interface PageVisit {
  readonly ports: ApiPorts;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly scope: CookieScope;
  readonly cookies: PageCookies;
  readonly language: Language;
  readonly words: PageWords;
  readonly look: PageLook;
}

/** A request of a person to their signing page. */
export interface Visit extends PageVisit {
  readonly app: ApiApp;
  readonly place: LinkPlace;
  readonly origins: readonly string[];
  readonly query: PageQuery;
  readonly form: FormMaker;
  /** The submitted form, if any. */
  readonly sent?: URLSearchParams;
  /** Address of the page itself, on this host. */
  readonly self: string;
}

/** Opens a page: headers, cookies, and the origins that may frame it or that it may redirect to. */
export function openPage(
  ports: ApiPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
  targets: readonly string[] = [],
) {
  const { iframe } = request.query as { readonly iframe?: string };
  reply.type('text/html; charset=utf-8').headers(pageHeaders(origins, targets));
  if (origins.length > 0) reply.removeHeader('x-frame-options');
  const isSecure = ports.identity.frontEnd.startsWith('https:');
  const scope = { isSecure, isFramed: iframe === 'true' };
  return {
    ports,
    request,
    reply,
    scope,
    cookies: readCookies(request, reply, scope, ports.random),
  };
}

/** Opens a visit: its language, cookies and headers. */
export async function openVisit(
  app: ApiApp,
  ports: ApiPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  place: LinkPlace,
): Promise<Visit> {
  const query = request.query as PageQuery;
  const { origins } = await place.company.access();
  const page = openPage(ports, request, reply, origins);
  const { cookies } = page;
  // Passes on the token of an earlier login as API clients send it, where a login or passcode is
  // required. Elsewhere it could belong to a different signee, and deny access to an open page.
  const { headers } = request;
  const isClosed = place.asksLogin || place.passcode !== undefined;
  if (isClosed && cookies.accessToken !== undefined && headers.authorization === undefined) {
    headers['x-access-token'] ??= cookies.accessToken;
  }
  const language = languageOf(place, query.lng);
  return {
    ...{ ...page, app, place, language, origins, query },
    look: await lookOf(place.company, nextDocument(place).process.flowKey),
    words: pageWords(language),
    form: formMaker({ form: cookies.formToken, document: nextDocument(place).process.key }),
    self: addressOf(place, query),
  };
}

// Built from known values only, so that no redirect leads elsewhere.
function addressOf(place: LinkPlace, given: PageQuery): string {
  const { iframe, lng, showEndScreen, hideSignDocumentHeaderText } = given;
  const [first] = place.documents;
  const { sequenceKey, personKey } = place.person ?? {};
  const path = [sequenceKey ?? first?.process.key, personKey ?? first?.signee.key];
  const own = `/s/${path.map((each) => encodeURIComponent(each ?? '')).join('/')}`;
  return withQuery(own, { iframe, lng, showEndScreen, hideSignDocumentHeaderText });
}

/** Appends the parameters that have a value to an address. */
export function withQuery(own: string, query: Readonly<Record<string, string | undefined>>) {
  const text = new URLSearchParams(defined(query) as Record<string, string>).toString();
  return text === '' ? own : `${own}?${text}`;
}

/** Returns a function that creates the forms of a page, each with these hidden fields. */
export function formMaker(hidden: Readonly<Record<string, string>>): FormMaker {
  return (act, body, { isReader = false } = {}) => {
    const fields = Object.entries({ act, ...hidden }).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
    );
    return html`<form method="post"${isReader && html` data-read target="_blank" rel="noopener"`}>
${fields}${body}</form>`;
  };
}

/** True if the person may see the documents: login or passcode not required, or provided. */
export async function hasAccess({ app, request, place }: Visit): Promise<boolean> {
  const { person } = place;
  const access =
    person === undefined
      ? app.requireProcess(request, refOf(nextDocument(place)))
      : app.requireSequence(request, person.sequenceKey, person.personKey);
  return (await access.catch(onCode(/^authentication\./))) !== undefined;
}

/** Renders a whole page of the visit. */
export function pageOf(
  visit: Visit,
  title: string,
  body: readonly Part[],
  more: Partial<Frame> = {},
) {
  const { language, place, scope, look } = visit;
  return layout(
    {
      ...{ language, company: place.company.company.name, isFramed: scope.isFramed, look },
      ...{ isLanguageOpen: true, ...more },
    },
    title,
    body,
  );
}

function isBrought({ place }: Visit): boolean {
  return broughtBy(nextDocument(place).process) !== undefined;
}

/** The heading of a page that asks for an action. */
export function titleOf(visit: Visit): string {
  return isBrought(visit) ? visit.words.broughtTitle : visit.words.title;
}

/** The request in plain language: who asks for what, and the deadline. */
export function requestPart({ place, words, language }: Visit, isOpen = true): Part {
  const { company, documents } = place;
  const { process } = nextDocument(place);
  const endsAtMs = Math.min(...documents.map(({ process: each }) => each.expiresAtMs));
  const until = formatDay(endsAtMs, language, process.policy.timeZone);
  return requestScreen(words, {
    company: company.company.name,
    contact: process.user ?? company.company.name,
    count: documents.length,
    ...(isOpen ? { until } : {}),
    ...defined({ broughtBy: broughtBy(process) }),
  });
}

/** The page shown before the documents: a passcode or login form. */
export async function gatePage(visit: Visit, alert?: Frame['alert']): Promise<string> {
  const { words, place, form, sent } = visit;
  const company = place.company.company.name;
  const more = alert === undefined ? {} : { alert };
  if (place.passcode !== undefined) {
    return pageOf(visit, titleOf(visit), [requestPart(visit), passcodeScreen(words, form)], more);
  }
  const asked = isBrought(visit) ? words.broughtLogin : words.loginIntro;
  const intro = filled(asked, { company });
  const all = (await place.company.auth.methods()).map(({ method }) => method);
  // MitID is not available to signees.
  const methods = ['sim', 'app', ...all.filter((each) => /^(device-link|eid-se)$/.test(each))];
  const known = knownNumbers(nextDocument(place).signee);
  const login = html`<section><h2>${words.loginHeading}</h2>
${eidForms(words, form, 'login', intro, { methods, known, sent })}</section>`;
  return pageOf(visit, titleOf(visit), [requestPart(visit), login], more);
}

/** Sends the document of a link with `send`, or the passcode or login page that precedes it. */
export async function ofDocument(
  app: ApiApp,
  ports: ApiPorts,
  { params, request, reply }: ApiCall<Static<typeof documentParams>, unknown, unknown>,
  send: (visit: Visit, at: DocumentPlace) => Promise<unknown>,
): Promise<unknown> {
  const place = await findPlace(ports, params.Key, params.PersonKey);
  const visit = await openVisit(app, ports, request, reply, place);
  if (!(await hasAccess(visit))) return reply.code(403).send(await gatePage(visit));
  const at = place.documents.find(({ process }) => process.key === params.DocumentKey);
  if (at !== undefined) return send(visit, at);
  throw new InnsigliError('process.file.not_found', 'the link has no such document');
}
