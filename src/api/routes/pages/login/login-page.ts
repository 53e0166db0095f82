import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoginPage } from '../../../../app/auth/index.ts';
import { defined } from '../../../../base/defined.ts';
import { isInnsigliError, onCode } from '../../../../base/errors.ts';
import {
  eidMethods,
  type LoginReturn,
  type ReturnFailure,
  returnAddressOf,
  returnHostOf,
} from '../../../../domain/auth/index.ts';
import { chooseLanguage } from '../../../../domain/message/index.ts';
import {
  type FormMaker,
  type Frame,
  layout,
  loginScreen,
  messageScreen,
  type Part,
  pageWords,
  testNote,
  wrongLinkScreen,
} from '../../../pages/index.ts';
import { isUnclean } from '../../../plugins/index.ts';
import type { ApiPorts } from '../../../ports.ts';
import { circumstancesOf } from '../../../shapes/index.ts';
import { lookWith } from '../company-look.ts';
import { type FlowLogin, isOwnForm, keep } from '../cookies.ts';
import { choice, isTooSoon, promptOf, statusOf, waitingPart, wordOf } from '../eid-prompt.ts';
import { formMaker, openPage, type PageVisit, withQuery } from '../visit.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Query of a link to the login page of a flow of type `Auth`. */
export const loginQuery = {
  returnUrl: text(
    'Login: return URL for the person; its origin must be registered by the company.',
  ),
  state: text('Login: returned unchanged; at most 512 printable ASCII characters.'),
  codeChallenge: text('Login: base64url of the SHA-256 of a secret that fetches the result.'),
} as const;

/** Responses of the login page besides pages. */
export const loginAnswers = {
  303: { description: 'Redirects the person who logged in, with the code of the result.' },
  400: { description: 'A page: the return URL is not registered.', types: ['text/html'] },
} as const;

type Query = {
  readonly [Name in keyof typeof loginQuery | 'iframe' | 'lng']?: string;
};

/** A request to an address `/s/{FlowKey}`, with the submitted form, if any. */
interface Call {
  readonly FlowKey: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly sent?: URLSearchParams;
}

interface LoginVisit extends PageVisit {
  readonly page: LoginPage;
  /** The login that this browser started at this page. */
  readonly login: FlowLogin | undefined;
  readonly back: LoginReturn | undefined;
  readonly form: FormMaker;
  readonly query: Query;
  readonly sent?: URLSearchParams | undefined;
}

/** Reason why the start page is shown again. */
type Reason = 'errorForm' | ReturnType<typeof wordOf>;

/** Sends the login page of the flow. Undefined, with nothing sent, if the flow has none. */
export async function sendLoginPage(
  ports: ApiPorts,
  { FlowKey, request, reply, sent }: Call,
): Promise<unknown> {
  const query = request.query as Query;
  if (isUnclean(FlowKey)) return undefined;
  const page = await ports.identity.loginPage(FlowKey, query).catch(onCode('flow.not_found'));
  if (page === undefined) return undefined;
  const { origins, back } = page;
  const target = back === undefined || back === 'wrong' ? [] : [new URL(back.returnUrl).origin];
  const opened = openPage(ports, request, reply, origins, target);
  const language = chooseLanguage(query.lng?.split('-')[0], page.language);
  const words = pageWords(language);
  const { cookies } = opened;
  const login = cookies.login?.flowKey === page.flowKey ? cookies.login : undefined;
  const form = formMaker({ form: cookies.formToken });
  const look = lookWith(page.flowKey, page);
  const common = { ...opened, look, page, login, language, words, form };
  if (back === 'wrong') {
    reply.code(400);
    const visit = { ...common, back: undefined, query };
    return reply.send(pageOf(visit, [wrongLinkScreen(words, page.company)]));
  }
  const visit = { ...common, back, query, sent };
  return reply.send(await (sent === undefined ? showLogin(visit) : actOn(visit, sent)));
}

function pageOf(visit: LoginVisit, body: readonly Part[], more: Partial<Frame> = {}): string {
  const { page, language, words, scope, query, look } = visit;
  const { lng: _own, ...keptQuery } = queryOf(query);
  const frame = { language, company: page.company, isFramed: scope.isFramed, look, keptQuery };
  return layout({ ...frame, isLanguageOpen: true, ...more }, words.loginHeading, body);
}

const queryOf = ({ iframe, lng, returnUrl, state, codeChallenge }: Query) =>
  defined({ iframe, lng, returnUrl, state, codeChallenge });

/** Redirects to the page itself, so that a reload does not repeat the act. */
function goToPage({ page, query, reply }: LoginVisit): string {
  const own = withQuery(`/s/${encodeURIComponent(page.flowKey)}`, queryOf(query));
  reply.code(303).header('location', own);
  return '';
}

/** The login methods, and the reason if the page is shown again. */
function startPage(visit: LoginVisit, reason?: Reason): string {
  const { page, words, form, back, sent } = visit;
  const error = failures[reason ?? ''] ?? 'access_denied';
  const screen = loginScreen(words, form, {
    ...{ company: page.company, purpose: page.name },
    methods: page.methods.map(({ method }) => method),
    sent,
    ...(back && { back: { site: returnHostOf(back), refusal: returnAddressOf(back, { error }) } }),
  });
  const isTest = page.methods.some(({ isSimulated }) => isSimulated);
  const alert = reason === undefined ? {} : { alert: { text: words[reason] } };
  return pageOf(visit, [isTest && testNote(words.loginTest), screen], alert);
}

/** Errors reported to the site if the person gives up then. */
const failures: Readonly<Record<string, ReturnFailure>> = {
  errorThrottled: 'temporarily_unavailable',
  errorUnexpected: 'server_error',
};

async function showLogin(visit: LoginVisit): Promise<string> {
  const { login } = visit;
  if (login?.kind === 'login') return pollLogin(visit, login);
  if (login?.kind === 'done') return finishLogin(visit, login);
  if (login !== undefined) keep(visit, 'login', undefined);
  return startPage(visit, login && reasonOf(visit, login));
}

function reasonOf({ words }: LoginVisit, { token }: FlowLogin): Reason {
  return Object.hasOwn(words, token) ? (token as Reason) : 'errorUnexpected';
}

const loginOf = ({ page, back }: LoginVisit, { token }: FlowLogin) => ({
  ...{ flowKey: page.flowKey, token, back },
});

async function pollLogin(visit: LoginVisit, login: FlowLogin): Promise<string> {
  try {
    const answer = await visit.ports.identity.pollPageLogin(loginOf(visit, login));
    if (answer.state === 'waiting') {
      const { verificationCode } = answer;
      return waitingPage(visit, { ...login, ...defined({ verificationCode }) });
    }
    if (answer.state === 'failed') return fail(visit, 'errorEid');
    keep(visit, 'login', { kind: 'done', flowKey: login.flowKey, token: login.token });
    return goToPage(visit);
  } catch (error) {
    if (isTooSoon(error)) return waitingPage(visit, login);
    // The login was started at a different link: none is pending here.
    if (isOfOtherLink(error)) return startPage(visit);
    return fail(visit, wordOf(error));
  }
}

function isOfOtherLink(error: unknown): boolean {
  return isInnsigliError(error) && error.code === 'authentication.token.scope.invalid';
}

async function waitingPage(visit: LoginVisit, login: FlowLogin): Promise<string> {
  const { part, refreshSeconds } = await waitingPart(visit.ports, visit, login);
  return pageOf(visit, [part], { refreshSeconds, isLanguageOpen: false });
}

/** Redirects to the page, which shows the reason once. */
function fail(visit: LoginVisit, why: Reason): string {
  keep(visit, 'login', { kind: 'failed', flowKey: visit.page.flowKey, token: why });
  return goToPage(visit);
}

/** Redirects the person to the site with the code of the result. */
async function finishLogin(visit: LoginVisit, login: FlowLogin): Promise<string> {
  const { ports, reply, words } = visit;
  try {
    const address = await ports.identity.finishPageLogin(loginOf(visit, login));
    if (address === undefined) return pageOf(visit, [messageScreen(words.loginDone, true)]);
    keep(visit, 'login', undefined);
    reply.code(303).header('location', address);
    return '';
  } catch (error) {
    if (!isOfOtherLink(error)) keep(visit, 'login', undefined);
    return startPage(visit, isOfOtherLink(error) ? undefined : wordOf(error));
  }
}

/** Performs what a form asks for. A form without the token of this browser does nothing. */
async function actOn(visit: LoginVisit, sent: URLSearchParams): Promise<string> {
  if (!isOwnForm(visit, sent)) {
    visit.reply.code(403);
    return startPage(visit, 'errorForm');
  }
  const name = sent.get('act');
  if (name === 'cancel' || name === 'login') await endWaiting(visit);
  if (name === 'login') return startLogin(visit, sent);
  if (name === 'cancel') keep(visit, 'login', undefined);
  return goToPage(visit);
}

/** Withdraws the previous prompt from the person's devices. */
async function endWaiting({ ports, cookies: { login } }: LoginVisit): Promise<void> {
  if (login?.kind !== 'login') return;
  await ports.identity.cancelLogin(login.token).catch(onCode(/./));
}

async function startLogin(visit: LoginVisit, sent: URLSearchParams): Promise<string> {
  const { ports, page, request, reply, back } = visit;
  const asked = (sent.get('channel') ?? '').toLowerCase();
  const method = eidMethods.find((each) => each === asked);
  if (method === undefined || !page.methods.some((each) => each.method === method)) {
    reply.code(422);
    return startPage(visit, 'errorEid');
  }
  const isByNumber = method === 'sim' || method === 'app';
  const loginHint = isByNumber ? choice(sent).loginHint : '';
  const { flowKey } = page;
  try {
    const circumstances = circumstancesOf(request);
    const started = await ports.identity.startPageLogin({
      ...{ flowKey, method, loginHint, back, circumstances },
    });
    keep(visit, 'login', { kind: 'login', flowKey, ...promptOf(started) });
    return goToPage(visit);
  } catch (error) {
    const reason = wordOf(error);
    if (isInnsigliError(error)) reply.code(statusOf(error));
    return startPage(visit, reason);
  }
}
