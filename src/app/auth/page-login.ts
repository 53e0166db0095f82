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
  resultIssueMs,
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
  pollErrorCodes,
  pollFlowLogin,
  scopeError,
  startLoginAt,
} from './flow-login.ts';
import { providerOf, type StartedLogin, startErrorCodes, unknownLogin } from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** The login page of a flow, for one link to it. */
export interface LoginPage {
  readonly flowKey: string;
  /** Name of the flow, shown as the purpose of the login. */
  readonly name: string;
  /** Name of the company. */
  readonly company: string;
  /** Short code of the language of the flow. */
  readonly language: string;
  /** Login methods with a configured provider. */
  readonly methods: readonly EidMethodFacts[];
  /** Origins that may show the page in a frame. */
  readonly origins: readonly string[];
  /** Style sheet of the flow; empty if none is set. */
  readonly css: string;
  readonly logo?: CompanyLogo;
  /** Where the person continues after the login. `wrong`: the address is not registered. */
  readonly back?: LoginReturn | 'wrong';
}

/** A login on the page of a flow. */
export interface PageLoginRequest {
  readonly flowKey: string;
  readonly method: EidMethod;
  /** Phone or national number; empty if the provider asks for it. */
  readonly loginHint: string;
  readonly back?: LoginReturn | undefined;
  readonly circumstances: Circumstances;
}

/** A started login on the page of a flow, and the link at which it was started. */
export interface PageLogin {
  readonly flowKey: string;
  readonly token: string;
  readonly back?: LoginReturn | undefined;
}

/** A request for the result of a login at the page of a flow. */
export interface LoginResultRequest {
  /** The `result` parameter of the address with which the person returned. */
  readonly code: string;
  /** Key of the flow of the page. */
  readonly flowKey: string;
  /** Scope of the data returned about the person. Default: `Name`, as in the webhook. */
  readonly lookup?: LookupType;
  /** The secret that `codeChallenge` of the link was derived from, if it had one. */
  readonly codeVerifier?: string;
}

/** The person who logged in at the page of a flow. */
export interface PageLoginResult {
  readonly customer: Customer;
  /** Whether a test person responded: then the login proves nothing. */
  readonly isSimulated: boolean;
}

/** Logins at the page of a flow that is open to customers. */
export const pageOperations = {
  /**
   * Returns the login page of a flow that is open to customers, for one link to it.
   *
   * @throws flow.not_found also if the flow is not open to customers
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
   * Starts a login at the page. Anyone may do so, within the limits of number, client and flow.
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
    startErrorCodes,
  ),
  /**
   * Polls the state of a login at the page. When it is done, the webhook is notified.
   *
   * @throws authentication.token.scope.invalid for a login started at a different link
   * @example
   * const { state } = await identity.pollPageLogin({ flowKey, token, back });
   */
  pollPageLogin: coded(
    [...pollErrorCodes, 'authentication.token.scope.invalid', 'flow.not_found'],
    async (ports: AuthPorts, login: PageLogin): Promise<LoginAnswer> => {
      const { flowKey, token } = login;
      const found = await ports.store.read((unit) => unit.logins.find(tokenDigest(token)));
      if (found === undefined) throw unknownLogin();
      requireAtPage(found, login);
      // No register lookup: strangers must not cause costs for a company.
      return pollFlowLogin(ports, { scheme: found.scheme, token, flowKey, lookup: 'Name' });
    },
  ),
  /**
   * Returns the address at which the person continues, with the code of the result. Undefined if
   * the link had no return address. Each call invalidates the previous code; once the result is
   * fetched, no new code is issued.
   *
   * @throws authentication.token.invalid for a login that is not done, or was done too long ago
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
        if (now.state !== 'done' || nowMs >= (now.endedAtMs ?? 0) + resultIssueMs)
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
  if (!isHere || !isSameReturn(place.page.back, back)) throw scopeError();
  return place.page.back;
}

/**
 * Returns the person who logged in at the page of a flow: once, to the company of the flow, within
 * a short time.
 *
 * @throws authentication.token.invalid for a code that is unknown, expired, or of another company
 * @throws authentication.result.used for a code whose result was fetched before
 * @throws authentication.token.scope.invalid for another flow or verifier
 * @throws flow.not_found, authentication.error.forbidden, register.*; the code remains valid
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
    // Other companies must not learn that the code exists.
    if (own?.companyKey !== companyKey) throw unknownResult();
    if (own.key !== request.flowKey) throw scopeError();
    return { login: found.login, flow: own };
  });
  // Steps that can fail come first: only a result that is returned is spent.
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
  if (!isVerifierOf(place.page?.back?.codeChallenge, codeVerifier)) throw scopeError();
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
