import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  type Customer,
  type EidMethod,
  formatResultCode,
  isSameReturn,
  isSecretOf,
  isVerifierOf,
  type LoginLink,
  type LoginResult,
  type LoginReturn,
  type LoginSession,
  type LookupType,
  parseResultCode,
  type ResultCode,
  readLoginLink,
  resultDigest,
  resultGivenMs,
  resultLifeMs,
  resultSecretBytes,
  returnAddressOf,
} from '../../domain/auth/index.ts';
import { type Flow, isOpenLogin } from '../../domain/flow/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { Circumstances } from '../../domain/process/index.ts';
import { unknownFlow } from '../flow/index.ts';
import { coded } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import { type CompanyLogo, findLogo } from '../sender/index.ts';
import { tokenDigest } from './access-tokens.ts';
import { configuredMethods, type EidMethodFacts, schemeOfMethod } from './eid-methods.ts';
import {
  type DoneLogin,
  type LoginAnswer,
  lookUpCustomer,
  otherPlace,
  polledCodes,
  pollFlowLogin,
  startLoginAt,
} from './flow-login.ts';
import { providerCodes, providerOf, type StartedLogin, unknownLogin } from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** The login page of a flow, for one link to it. */
export interface LoginPage {
  readonly flowKey: string;
  /** Name of the flow: what the login is for. */
  readonly name: string;
  /** Name of the company. */
  readonly company: string;
  /** Short code of the language of the flow. */
  readonly language: string;
  /** Ways to log in for which somebody answers. */
  readonly methods: readonly EidMethodFacts[];
  /** Origins that may show the page in a frame. */
  readonly origins: readonly string[];
  /** Style sheet of the flow; empty when none is set. */
  readonly css: string;
  readonly logo?: CompanyLogo;
  /** Where the person goes on; `wrong`: at an address that the company has not registered. */
  readonly back?: LoginReturn | 'wrong';
}

/** A login on the page of a flow. */
export interface PageLoginRequest {
  readonly flowKey: string;
  readonly method: EidMethod;
  /** Phone or national number; empty where the provider asks itself. */
  readonly loginHint: string;
  readonly back?: LoginReturn | undefined;
  readonly circumstances: Circumstances;
}

/** A login on the page of a flow that was started, and the link that it was started at. */
export interface PageLogin {
  readonly flowKey: string;
  readonly token: string;
  readonly back?: LoginReturn | undefined;
}

/** A request for who has logged in. */
export interface LoginResultRequest {
  /** As the person has brought it: `result` of the address. */
  readonly code: string;
  /** Key of the flow of the page. */
  readonly flowKey: string;
  /** What is told of the person. Default: `Name`, as the webhook tells. */
  readonly lookup?: LookupType;
  /** The secret behind `codeChallenge` of the link, where it had one. */
  readonly codeVerifier?: string;
}

/** Who has logged in at the page of a flow. */
export interface PageLoginResult {
  readonly customer: Customer;
  /** A test person has answered: it proves nothing. */
  readonly isSimulated: boolean;
}

/** Logins at the page of a flow that is open to customers. */
export const pageOperations = {
  /**
   * The login page of a flow that is open to customers, for one link to it.
   *
   * @throws flow.not_found also when the flow is not open to customers
   * @example
   * const { name, methods, back } = await identity.loginPage(flowKey, { returnUrl, state });
   */
  loginPage: coded(
    ['flow.not_found'],
    async (ports: AuthPorts, flowKey: string, link: LoginLink): Promise<LoginPage> => {
      const { flow, company, origins, logo } = await ports.store.read(async (unit) => {
        const found = await requireOpenLogin(unit, flowKey);
        const owner = await unit.companies.find(found.companyKey);
        const registered = await unit.origins.list(found.companyKey);
        const picture = await findLogo(unit, found.companyKey);
        return { flow: found, company: owner, origins: registered, logo: picture };
      });
      const { key, name, language, companyKey, css } = flow;
      const methods = configuredMethods(ports, companyKey, key);
      const back = readLoginLink(link, origins);
      const facts = {
        flowKey: key,
        name,
        company: company?.name ?? '',
        language,
        methods,
        origins,
      };
      return { ...facts, css, ...defined({ logo, back }) };
    },
  ),
  /**
   * Starts a login at the page: by anybody, within the bounds of number, client and flow.
   *
   * @throws authentication.error.idp.start, eid.provider.error
   * @example
   * const { token } = await identity.startPageLogin(request);
   */
  startPageLogin: coded(
    ['flow.not_found', 'authentication.start.too_frequent'],
    async (
      ports: AuthPorts,
      { flowKey, method, loginHint, back, circumstances }: PageLoginRequest,
    ): Promise<StartedLogin> => {
      await ports.store.read((unit) => requireOpenLogin(unit, flowKey));
      const request = {
        ...{ scheme: schemeOfMethod(method), flowKey, loginHint, circumstances },
        channel: method === 'sim' ? ('Sim' as const) : ('App' as const),
        includeVerificationCode: true,
      };
      return startLoginAt(ports, request, back === undefined ? {} : { back });
    },
    providerCodes,
  ),
  /**
   * Asks how a login at the page stands; the webhook is told of it when it is done.
   *
   * @throws authentication.token.scope.invalid for a login that began at another link
   * @example
   * const { state } = await identity.pollPageLogin({ flowKey, token, back });
   */
  pollPageLogin: coded(
    [...polledCodes, 'authentication.token.scope.invalid', 'flow.not_found'],
    async (ports: AuthPorts, login: PageLogin): Promise<LoginAnswer> => {
      const { flowKey, token } = login;
      const found = await ports.store.read((unit) => unit.logins.find(tokenDigest(token)));
      if (found === undefined) throw unknownLogin();
      requireAtPage(found, login);
      // Nothing is looked up: strangers do not decide what a company pays for.
      return pollFlowLogin(ports, { scheme: found.scheme, token, flowKey, lookup: 'Name' });
    },
  ),
  /**
   * The address at which the person goes on, with the code of the result; undefined where they
   * came from nowhere. A second one makes the first one void, until the result was fetched.
   *
   * @throws authentication.token.invalid for a login that is not done, or was done long ago
   * @example
   * const address = await identity.finishPageLogin({ flowKey, token, back });
   */
  finishPageLogin: coded(
    ['authentication.token.invalid', 'authentication.token.scope.invalid', 'flow.not_found'],
    async (ports: AuthPorts, login: PageLogin): Promise<string | undefined> => {
      const loginKey = tokenDigest(login.token);
      const nowMs = ports.now();
      const secret = ports.random(resultSecretBytes);
      return ports.store.write(async (unit) => {
        const now = await unit.logins.lock(loginKey);
        if (now === undefined) throw unknownLogin();
        const back = requireAtPage(now, login);
        if (now.state !== 'done' || nowMs >= (now.endedAtMs ?? 0) + resultGivenMs)
          throw unknownLogin();
        if (back === undefined) return undefined;
        const flow = await requireOpenLogin(unit, login.flowKey);
        const { origin } = new URL(back.returnUrl);
        const isOpen = await unit.origins.has(origin, flow.companyKey);
        if (!isOpen || now.result?.takenAtMs !== undefined) throw unknownLogin();
        const result = { sha256: resultDigest(secret), issuedAtMs: nowMs };
        await unit.logins.save({ ...now, result });
        return returnAddressOf(back, { result: formatResultCode({ loginKey, secret }) });
      });
    },
  ),
};

async function requireOpenLogin(unit: StoreUnit, flowKey: string): Promise<Flow> {
  const flow = await unit.flows.find(asKey('flow', flowKey));
  if (flow === undefined || !isOpenLogin(flow)) throw unknownFlow(flowKey);
  return flow;
}

function requireAtPage(
  { place }: LoginSession,
  { flowKey, back }: PageLogin,
): LoginReturn | undefined {
  const isHere = place.kind === 'flow' && place.flowKey === flowKey && place.page !== undefined;
  if (!isHere || !isSameReturn(place.page.back, back)) throw otherPlace();
  return place.page.back;
}

/**
 * Who has logged in at the page of a flow: once, to the company of the flow, soon after.
 *
 * @throws authentication.token.invalid for a code that is unknown, too old, or of another company
 * @throws authentication.result.used for one that was fetched before
 * @throws authentication.token.scope.invalid for another flow or verifier
 * @throws flow.not_found, authentication.error.forbidden, register.*; the code is good still
 */
export async function takeLoginResult(
  ports: AuthPorts,
  companyKey: CompanyKey,
  request: LoginResultRequest,
): Promise<PageLoginResult> {
  const nowMs = ports.now();
  const code = parseResultCode(request.code);
  if (code === undefined) throw unknownResult();
  const { login, flow } = await ports.store.read(async (unit) => {
    const found = requireResult(await unit.logins.find(code.loginKey), code, request, nowMs);
    const own = await unit.flows.find(asKey('flow', found.flowKey));
    // Nobody else hears that there is such a code.
    if (own?.companyKey !== companyKey) throw unknownResult();
    if (own.key !== request.flowKey) throw otherPlace();
    return { login: found.login, flow: own };
  });
  // What can fail comes first: only a result that is handed out is spent.
  const customer = await lookUpCustomer(ports, login, request.lookup ?? 'Name', flow);
  await ports.store.write(async (unit) => {
    const locked = await unit.logins.lock(code.loginKey);
    const { login: now, result } = requireResult(locked, code, request, nowMs);
    await unit.logins.save({ ...now, result: { ...result, takenAtMs: nowMs } });
  });
  return { customer, isSimulated: providerOf(ports, login).isSimulated };
}

function requireResult(
  login: LoginSession | undefined,
  { secret }: ResultCode,
  { codeVerifier }: LoginResultRequest,
  nowMs: number,
): { readonly login: DoneLogin; readonly result: LoginResult; readonly flowKey: string } {
  const { result, place } = login ?? {};
  const isKnown = result !== undefined && isSecretOf(result, secret);
  if (!isDone(login) || !isKnown || place?.kind !== 'flow') throw unknownResult();
  if (!isVerifierOf(place.page?.back?.codeChallenge, codeVerifier)) throw otherPlace();
  if (result.takenAtMs !== undefined) {
    throw new InnsigliError('authentication.result.used', 'the result was already fetched');
  }
  if (nowMs >= result.issuedAtMs + resultLifeMs) throw unknownResult();
  return { login, result, flowKey: place.flowKey ?? '' };
}

function isDone(login: LoginSession | undefined): login is DoneLogin {
  return login?.state === 'done' && login.identity !== undefined;
}

function unknownResult(): InnsigliError {
  return new InnsigliError('authentication.token.invalid', 'the code is unknown or has expired', {
    hint:
      `fetch the result when the person returns: it is valid for ${resultLifeMs / 1000} ` +
      'seconds',
  });
}
