import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  type Customer,
  defaultLookup,
  type LoginScheme,
  type LookupType,
} from '../../domain/auth/index.ts';
import type { Flow } from '../../domain/flow/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { Circumstances } from '../../domain/process/index.ts';
import type { IdentityProvider, StoreUnit } from '../ports/index.ts';
import { beginLogin, type LoginOrder, providerOf, type StartedLogin } from './begin-login.ts';
import { lookUpCustomer } from './look-up-customer.ts';
import type { AuthPorts } from './ports.ts';
import { settleLogin } from './settle-login.ts';

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
}

/** How a login stands. */
export type LoginAnswer =
  | {
      readonly state: 'waiting';
      /** Newest text for a QR code or link, from providers that change it. */
      readonly link?: string;
    }
  | { readonly state: 'done'; readonly customer: Customer }
  /** `hint`: `userCancel`, `expiredTransaction`, `startFailed` or another word of the provider. */
  | { readonly state: 'failed'; readonly hint: string };

/**
 * Starts a login of a person for a flow.
 *
 * @throws flow.not_found, authentication.error.idp.start, eid.provider.error
 * @throws authentication.start.too_frequent
 */
export async function startFlowLogin(
  ports: AuthPorts,
  request: FlowLoginRequest,
): Promise<StartedLogin> {
  const { scheme, flowKey, text, companyKey, callerKey = companyKey, circumstances } = request;
  const flow =
    flowKey === undefined
      ? undefined
      : await ports.store.read((unit) => activeFlow(unit, flowKey, companyKey));
  const place = { kind: 'flow', ...(flow === undefined ? {} : { flowKey: flow.key }) } as const;
  const isOwn = callerKey !== undefined && (flow === undefined || flow.companyKey === callerKey);
  // A stranger does not write on the phone of a person.
  const shown = (isOwn ? text : undefined) ?? flow?.name ?? '';
  const starter = isOwn
    ? ({ by: 'company', companyKey: callerKey } as const)
    : ({ by: 'anybody' } as const);
  const counted = {
    starter,
    circumstances,
    ...(flow === undefined ? {} : { flowKey: flow.key }),
  } as const;
  return beginLogin(ports, { scheme, place, start: startOf(request, shown), counted });
}

function startOf(request: FlowLoginRequest, text: string): LoginOrder['start'] {
  const { channel, loginHint, includeVerificationCode, returnUrl, endUserIp } = request;
  return {
    ...{ channel, loginHint, includeVerificationCode, text },
    ...defined({ returnUrl, endUserIp }),
  };
}

/**
 * Asks how a login stands; who has answered is looked up once for each amount that is asked for.
 *
 * @throws authentication.token.invalid, authentication.token.scope.invalid, flow.not_found
 * @throws authentication.poll.too_frequent
 * @throws authentication.error.forbidden when the flow may not ask for that much
 */
export async function pollFlowLogin(ports: AuthPorts, poll: FlowLoginPoll): Promise<LoginAnswer> {
  const { scheme, token, flowKey, lookup = defaultLookup, companyKey } = poll;
  const found: { flow?: Flow } = {};
  const login = await settleLogin(ports, token, scheme, async ({ place }, unit) => {
    const own = place.kind === 'flow' ? (place.flowKey ?? flowKey) : '';
    if (own !== flowKey) throw otherPlace();
    found.flow = await activeFlow(unit, flowKey, companyKey);
  });
  if (login.state === 'failed') return { state: 'failed', hint: login.hint };
  if (login.state === 'waiting') {
    const link = await providerOf(ports, scheme).refresh?.(login.providerRef);
    return { state: 'waiting', ...(link === undefined ? {} : { link }) };
  }
  return { state: 'done', customer: await lookUpCustomer(ports, login, lookup, found.flow) };
}

/** The error for a token that belongs to something else. */
export function otherPlace(): InnsigliError {
  return new InnsigliError(
    'authentication.token.scope.invalid',
    'the token was issued for another purpose',
  );
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
