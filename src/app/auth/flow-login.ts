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
  type LoginStart,
  providerOf,
  type SettledLogin,
  type StartedLogin,
  settleLogin,
  unknownLogin,
} from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** Error codes of the register lookup. */
export const lookupErrorCodes = [
  'register.unavailable',
  'register.answer.invalid',
  'register.configuration',
] as const;

/** Error codes of a poll. */
export const pollErrorCodes = [
  'authentication.token.invalid',
  'authentication.error.forbidden',
  'authentication.poll.too_frequent',
] as const;

/** A login for a flow. */
export interface FlowLoginRequest
  extends Omit<Parameters<IdentityProvider['start']>[0], 'purpose' | 'text'> {
  readonly scheme: LoginScheme;
  /** Optional for `eid-se`. */
  readonly flowKey?: string;
  /** Shown to the person if the flow's company is the caller; otherwise the flow's name is. */
  readonly text?: string;
  /** The flow must belong to this company. */
  readonly companyKey?: CompanyKey;
  /** The company whose credentials the caller presented; it may differ from that of the flow. */
  readonly callerKey?: CompanyKey;
  readonly circumstances?: Circumstances;
}

/** A poll of a login. */
export interface FlowLoginPoll {
  readonly scheme: LoginScheme;
  readonly token: string;
  readonly flowKey: string;
  /** Default: {@link defaultLookup}. */
  readonly lookup?: LookupType;
  readonly companyKey?: CompanyKey;
  /** Phone or national number that the person must have. */
  readonly loginHint?: string;
}

/** State of a login. */
export type LoginAnswer =
  | {
      readonly state: 'waiting';
      /** Current text for a QR code or link, from providers whose codes change. */
      readonly link?: string;
      /** Keyword of the scheme for the step: `userSign`. */
      readonly step?: string;
      /** Code that the person compares, if it has changed since the start. */
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

/** Like {@link startFlowLogin}, optionally on the login page of the flow. */
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
  // Only the company of the flow may choose the text on the person's phone.
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
): LoginStart['start'] {
  const language = request.language ?? flow?.language.toLowerCase();
  const { channel, loginHint, includeVerificationCode, returnUrl, endUserIp } = request;
  return {
    ...{ channel, loginHint, includeVerificationCode, text },
    ...defined({ language, returnUrl, endUserIp }),
  };
}

/**
 * Polls the state of a login. The person who responded is looked up once per requested scope.
 *
 * @throws authentication.token.invalid, authentication.token.scope.invalid, flow.not_found
 * @throws authentication.poll.too_frequent
 * @throws authentication.error.forbidden if the flow does not permit the requested scope
 * @throws authentication.error.signee.logon.mismatch for a person without the `loginHint`
 * @throws register.*, network.offline if the lookup fails; the login remains valid, and can be
 *   polled again
 */
export async function pollFlowLogin(ports: AuthPorts, poll: FlowLoginPoll): Promise<LoginAnswer> {
  const { scheme, token, flowKey, lookup = defaultLookup, companyKey } = poll;
  const found: { flow?: Flow } = {};
  const login = await settleLogin(ports, token, scheme, async (session, unit) => {
    const { place } = session;
    const own = place.kind === 'flow' ? (place.flowKey ?? flowKey) : '';
    if (own !== flowKey) throw scopeError();
    const flow = await activeFlow(unit, flowKey, companyKey);
    if (place.kind === 'flow' && place.flowKey === undefined)
      requireProviderOf(ports, session, flow);
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

/** Rejects a person without the hinted number. If no phone number is reported, none is checked. */
function requireHinted({ ssn, phoneNumber }: Identity, hint: string | undefined): void {
  if (hint === undefined || isSameNumber(hint, ssn) || isSameNumber(hint, phoneNumber)) return;
  const isNational = /^\d{10}(\d{2})?$/.test(hint.replace(/[\s-]/g, ''));
  if (!isNational && phoneNumber === undefined) return;
  throw new InnsigliError(mismatchCode, 'the person who responded has a different number');
}

/** A login without a flow is valid for a flow that uses the same provider. */
function requireProviderOf(
  { providers }: AuthPorts,
  { scheme, provider }: Pick<LoginSession, 'scheme' | 'provider'>,
  flow: Flow,
): void {
  if (providers === undefined || provider === undefined) return;
  const at = { companyKey: flow.companyKey, flowKey: flow.key };
  const methods = scheme === 'sim-app' ? (['Sim', 'App'] as const) : [scheme];
  if (!methods.some((method) => providers.choose(method, at).name === provider)) throw scopeError();
}

/** The error for a token that was issued for a different purpose. */
export function scopeError(): InnsigliError {
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

/** A SIM login to start and wait for. */
export interface WaitingLogin {
  readonly flowKey: string;
  readonly phoneNumber: string;
  readonly lookup?: LookupType;
  readonly callerKey?: CompanyKey;
  readonly circumstances?: Circumstances;
  /** Resolves after that time; throws if the caller has stopped waiting. */
  wait(ms: number): Promise<void>;
}

/**
 * Logs a person in by SIM and waits for the response, at most until the login expires.
 *
 * @throws flow.not_found, authentication.error.idp.start, authentication.error.forbidden
 */
export async function waitForLogin(ports: AuthPorts, request: WaitingLogin): Promise<Customer> {
  const { flowKey, phoneNumber, lookup, wait, ...caller } = request;
  const scheme = 'sim-app';
  const start = { channel: 'Sim', loginHint: phoneNumber, includeVerificationCode: false } as const;
  const started = await startFlowLogin(ports, { scheme, flowKey, ...start, ...caller });
  const poll = { scheme, token: started.token, flowKey } as const;
  // Terminates: the state becomes `failed` when the login expires.
  for (;;) {
    await wait(started.pollingIntervalSeconds * 1000);
    const answer = await pollFlowLogin(ports, { ...poll, ...(lookup && { lookup }) });
    if (answer.state === 'done') return answer.customer;
    if (answer.state === 'failed') throw failedLogin(answer);
  }
}

/** A completed login, with the identity of the person. */
export type DoneLogin = Extract<SettledLogin, { readonly state: 'done' }>;

/**
 * Data about the person who responded. Each scope is looked up once; later calls return the stored
 * result. The first lookup is also sent to the webhooks of the flow.
 *
 * @throws authentication.error.forbidden if the flow does not permit the requested scope
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

/** A person logged in at documents: provider data without a lookup, identical in each response. */
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
