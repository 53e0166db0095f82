import { sha256Of } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  type Customer,
  defaultLookup,
  familyMeta,
  type LoginPlace,
  type LoginScheme,
  type LoginSession,
  type LookupType,
} from '../../domain/auth/index.ts';
import type { Flow } from '../../domain/flow/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import { type Identity, isSameNumber } from '../../domain/person/index.ts';
import type { Circumstances } from '../../domain/process/index.ts';
import type { IdentityProvider, StoreUnit } from '../ports/index.ts';
import { countLookup } from '../quotas.ts';
import { mismatchCode } from '../signing/index.ts';
import { recordLogin } from '../webhook/index.ts';
import {
  beginLogin,
  failedLogin,
  type LoginFailure,
  type LoginOrder,
  providerOf,
  type SettledLogin,
  type StartedLogin,
  settleLogin,
  unknownLogin,
} from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** Codes of the register that tells more about persons. */
export const lookedUp = [
  'register.unavailable',
  'register.answer.invalid',
  'register.configuration',
] as const;

/** Codes of a question how a login stands. */
export const polledCodes = [
  'authentication.token.invalid',
  'authentication.error.forbidden',
  'authentication.poll.too_frequent',
] as const;

/** A login for a flow. */
export interface FlowLoginRequest
  extends Omit<Parameters<IdentityProvider['start']>[0], 'purpose' | 'text'> {
  readonly scheme: LoginScheme;
  /** May be left out for `eid-se`. */
  readonly flowKey?: string;
  /** Shown to the person when the company of the flow asks; else the name of the flow is. */
  readonly text?: string;
  /** The flow has to be one of this company. */
  readonly companyKey?: CompanyKey;
  /** The company that asks, with its credentials; it may be another one than that of the flow. */
  readonly callerKey?: CompanyKey;
  readonly circumstances?: Circumstances;
}

/** A question how a login stands. */
export interface FlowLoginPoll {
  readonly scheme: LoginScheme;
  readonly token: string;
  readonly flowKey: string;
  /** {@link defaultLookup} when it is left out. */
  readonly lookup?: LookupType;
  readonly companyKey?: CompanyKey;
  /** Phone or national number that the person must have. */
  readonly loginHint?: string;
}

/** State of a login. */
export type LoginAnswer =
  | {
      readonly state: 'waiting';
      /** Newest text for a QR code or link, from providers that change it. */
      readonly link?: string;
      /** Word of the scheme for the step: `userSign`. */
      readonly step?: string;
      /** Code that the person compares, where it has changed since the start. */
      readonly verificationCode?: string;
    }
  | { readonly state: 'done'; readonly customer: Customer }
  | (LoginFailure & { readonly state: 'failed' });

/**
 * Starts a login of a person for a flow.
 *
 * @throws flow.not_found, authentication.error.idp.start, eid.provider.error
 * @throws authentication.start.too_frequent
 */
export function startFlowLogin(ports: AuthPorts, request: FlowLoginRequest): Promise<StartedLogin> {
  return startLoginAt(ports, request, undefined);
}

/** As {@link startFlowLogin}, on the page of the flow where there is one. */
export async function startLoginAt(
  ports: AuthPorts,
  request: FlowLoginRequest,
  page: (LoginPlace & { readonly kind: 'flow' })['page'],
): Promise<StartedLogin> {
  const { scheme, flowKey, text, companyKey, callerKey = companyKey, circumstances } = request;
  const flow =
    flowKey === undefined
      ? undefined
      : await ports.store.read((unit) => activeFlow(unit, flowKey, companyKey));
  const place = { kind: 'flow', ...defined({ flowKey: flow?.key, page }) } as const;
  const isOwn = callerKey !== undefined && (flow === undefined || flow.companyKey === callerKey);
  // A stranger does not write on the phone of a person.
  const shown = (isOwn ? text : undefined) ?? flow?.name ?? '';
  const starter = isOwn
    ? ({ by: 'company', companyKey: callerKey } as const)
    : ({ by: 'anybody' } as const);
  const counted = { starter, circumstances, ...defined({ flowKey: flow?.key }) };
  const at = { companyKey: flow?.companyKey ?? callerKey, flowKey: flow?.key };
  const start = startOf(request, shown, flow);
  return beginLogin(ports, { scheme, place, at, start, counted });
}

function startOf(
  request: FlowLoginRequest,
  text: string,
  flow: Flow | undefined,
): LoginOrder['start'] {
  const language = request.language ?? flow?.language.toLowerCase();
  const { channel, loginHint, includeVerificationCode, returnUrl, endUserIp } = request;
  return {
    ...{ channel, loginHint, includeVerificationCode, text },
    ...defined({ language, returnUrl, endUserIp }),
  };
}

/**
 * Asks how a login stands; who has answered is looked up once for each amount that is asked for.
 *
 * @throws authentication.token.invalid, authentication.token.scope.invalid, flow.not_found
 * @throws authentication.poll.too_frequent
 * @throws authentication.error.forbidden when the flow may not ask for that much
 * @throws authentication.error.signee.logon.mismatch for somebody without the `loginHint`
 * @throws register.*, network.offline when the look-up fails; the login stands, and can be asked
 *   again
 */
export async function pollFlowLogin(ports: AuthPorts, poll: FlowLoginPoll): Promise<LoginAnswer> {
  const { scheme, token, flowKey, lookup = defaultLookup, companyKey } = poll;
  const found: { flow?: Flow } = {};
  const login = await settleLogin(ports, token, scheme, async (session, unit) => {
    const { place } = session;
    const own = place.kind === 'flow' ? (place.flowKey ?? flowKey) : '';
    if (own !== flowKey) throw otherPlace();
    const flow = await activeFlow(unit, flowKey, companyKey);
    if (place.kind === 'flow' && place.flowKey === undefined)
      requireItsProvider(ports, session, flow);
    found.flow = flow;
  });
  if (login.state === 'failed') {
    const { hint, providerCode } = login;
    return { state: 'failed', hint, ...defined({ providerCode }) };
  }
  if (login.state === 'waiting') {
    const { providerRef, showsLink = true, step, verificationCode } = login;
    const link = showsLink ? await providerOf(ports, login).refresh?.(providerRef) : undefined;
    return { state: 'waiting', ...defined({ link, step, verificationCode }) };
  }
  requireHinted(login.identity, poll.loginHint);
  return { state: 'done', customer: await lookUpCustomer(ports, login, lookup, found.flow) };
}

/** Refuses somebody else; a phone that the provider does not tell is no reason to. */
function requireHinted({ ssn, phoneNumber }: Identity, hint: string | undefined): void {
  if (hint === undefined || isSameNumber(hint, ssn) || isSameNumber(hint, phoneNumber)) return;
  const isNational = /^\d{10}(\d{2})?$/.test(hint.replace(/[\s-]/g, ''));
  if (!isNational && phoneNumber === undefined) return;
  throw new InnsigliError(mismatchCode, 'the person who responded has a different number');
}

/** A login without a flow counts where its provider is the one of the flow. */
function requireItsProvider(
  { providers }: AuthPorts,
  { scheme, provider }: Pick<LoginSession, 'scheme' | 'provider'>,
  flow: Flow,
): void {
  if (providers === undefined || provider === undefined) return;
  const at = { companyKey: flow.companyKey, flowKey: flow.key };
  const methods = scheme === 'sim-app' ? (['Sim', 'App'] as const) : [scheme];
  if (!methods.some((method) => providers.choose(method, at).name === provider)) throw otherPlace();
}

/** The error for a token that belongs to something else. */
export function otherPlace(): InnsigliError {
  const message = 'the token was issued for a different purpose';
  return new InnsigliError('authentication.token.scope.invalid', message);
}

async function activeFlow(
  unit: StoreUnit,
  key: string,
  companyKey: CompanyKey | undefined,
): Promise<Flow> {
  const flow = await unit.flows.find(asKey('flow', key));
  const isOurs = companyKey === undefined || flow?.companyKey === companyKey;
  if (flow === undefined || !flow.isActive || !isOurs) {
    throw new InnsigliError('flow.not_found', `there is no active flow ${key.slice(0, 40)}`);
  }
  return flow;
}

/** A login that is waited for. */
export interface WaitingLogin {
  readonly flowKey: string;
  readonly phoneNumber: string;
  readonly lookup?: LookupType;
  readonly callerKey?: CompanyKey;
  readonly circumstances?: Circumstances;
  /** Resolves after that time; throws when nobody waits any more. */
  wait(ms: number): Promise<void>;
}

/**
 * Logs a person in by SIM and waits until they have answered, at most as long as a login lives.
 *
 * @throws flow.not_found, authentication.error.idp.start, authentication.error.forbidden
 */
export async function waitForLogin(ports: AuthPorts, request: WaitingLogin): Promise<Customer> {
  const { flowKey, phoneNumber, lookup, wait, ...caller } = request;
  const scheme = 'sim-app';
  const start = { channel: 'Sim', loginHint: phoneNumber, includeVerificationCode: false } as const;
  const started = await startFlowLogin(ports, { scheme, flowKey, ...start, ...caller });
  const poll = { scheme, token: started.token, flowKey } as const;
  // The answer «failed» comes when the time is over, so this ends.
  for (;;) {
    await wait(started.pollingIntervalSeconds * 1000);
    const answer = await pollFlowLogin(ports, { ...poll, ...(lookup && { lookup }) });
    if (answer.state === 'done') return answer.customer;
    if (answer.state === 'failed') throw failedLogin(answer);
  }
}

/** A login with who has answered. */
export type DoneLogin = Extract<SettledLogin, { readonly state: 'done' }>;

/**
 * Data about the person who answered: looked up once for each scope, and repeated from then on. The
 * first lookup is also sent to the webhooks of the flow.
 *
 * @throws authentication.error.forbidden when the flow may not ask for that much
 */
export async function lookUpCustomer(
  ports: AuthPorts,
  login: DoneLogin,
  lookup: LookupType,
  flow: Flow | undefined,
): Promise<Customer> {
  const known = login.customers[lookup];
  if (known !== undefined) return known;
  if (lookup === 'NameAddressFamily' && flow?.settings.familyLookup !== true) {
    const hint = 'permit it with the setting familyLookup of the flow';
    const why = 'the flow does not allow family lookup';
    throw new InnsigliError('authentication.error.forbidden', why, { hint });
  }
  const customer = await makeCustomer(ports, login, lookup, flow?.key);
  const nowMs = ports.now();
  return ports.store.write(async (unit) => {
    const now = await unit.logins.lock(login.key);
    if (now === undefined) throw unknownLogin();
    const faster = now.customers[lookup];
    if (faster !== undefined) return faster;
    await unit.logins.save({ ...now, customers: { ...now.customers, [lookup]: customer } });
    if (flow === undefined) return customer;
    await countLookup(unit, flow.companyKey, lookup, nowMs, customer.token);
    const isFirst = Object.keys(now.customers).length === 0;
    if (isFirst) await recordLogin(unit, ports, flow, customer, nowMs);
    return customer;
  });
}

/**
 * A person who has logged in at documents: as the provider says, without a look-up, and the same
 * for each answer about this login.
 */
export function plainCustomer(identity: Identity, token: string, flowKey?: string): Customer {
  return {
    ...identity,
    token: sha256Of(`customer ${token}`).slice(0, 20),
    ...defined({ flowKey }),
  };
}

async function makeCustomer(
  { register, random }: AuthPorts,
  { identity }: DoneLogin,
  lookup: LookupType,
  flowKey: string | undefined,
): Promise<Customer> {
  const { ssn, name, phoneNumber } = identity;
  const home = lookup === 'Name' ? undefined : await register.address(ssn);
  const family = lookup === 'NameAddressFamily' ? await register.family(ssn) : undefined;
  return {
    name,
    ssn,
    ...defined({ phoneNumber }),
    ...home,
    token: Buffer.from(random(10)).toString('hex'),
    ...defined({ flowKey }),
    ...(family === undefined ? {} : { meta: familyMeta(family) }),
  };
}
