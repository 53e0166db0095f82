import { defined } from '../../base/defined.ts';
import {
  type EidMethod,
  type LoginSession,
  type LookupType,
  loginDeadlineMs,
  loginKeptMs,
} from '../../domain/auth/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { tokenDigest } from './access-tokens.ts';
import { providerOfMethod, schemeOfMethod } from './eid-methods.ts';
import { type LoginAnswer, pollFlowLogin, startFlowLogin } from './flow-login.ts';
import { cancelLogin, providerOf, type StartedLogin, unknownLogin } from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** A login that a program of the company starts. */
export interface CompanyLoginRequest {
  readonly method: EidMethod;
  /** Key of the flow that the login is for. */
  readonly flowKey: string;
  /** Phone for `sim`, national number for `app`. Default: the provider asks the person itself. */
  readonly loginHint?: string;
  /** Shown to the person. Default: the name of the flow. */
  readonly text?: string;
  /** Where the person comes back to, for providers with pages of their own. Default: none. */
  readonly returnUrl?: string;
}

/** A login that was started, with its method and end. */
export interface CompanyLogin extends StartedLogin {
  readonly method: EidMethod;
  /** Test persons answer: it proves nothing. */
  readonly isSimulated: boolean;
  /** Epoch milliseconds after which nobody can answer. */
  readonly expiresAtMs: number;
}

/** A question how a login of the company stands. */
export interface CompanyLoginPoll {
  readonly token: string;
  /** What is told of the person. Default: `NameAddress`. */
  readonly lookup?: LookupType;
  /** Number that the person must have. Default: any person counts. */
  readonly loginHint?: string;
}

/** Starts a login of a person for a flow of the company. */
export async function startCompanyLogin(
  ports: AuthPorts,
  companyKey: CompanyKey,
  { method, flowKey, loginHint = '', text, returnUrl }: CompanyLoginRequest,
): Promise<CompanyLogin> {
  const startedAtMs = ports.now();
  const started = await startFlowLogin(ports, {
    ...{ scheme: schemeOfMethod(method), flowKey, loginHint, companyKey },
    channel: method === 'sim' ? 'Sim' : 'App',
    includeVerificationCode: true,
    ...defined({ text, returnUrl }),
  });
  const { isSimulated } = providerOfMethod(ports, method, { companyKey, flowKey });
  return { ...started, method, isSimulated, expiresAtMs: startedAtMs + loginDeadlineMs };
}

/** How a login of the company stands. */
export async function pollCompanyLogin(
  ports: AuthPorts,
  companyKey: CompanyKey,
  { token, lookup, loginHint }: CompanyLoginPoll,
): Promise<LoginAnswer> {
  const { scheme, flowKey } = await requireLogin(ports, companyKey, token);
  const asked = defined({ lookup, loginHint });
  return pollFlowLogin(ports, { scheme, token, flowKey, companyKey, ...asked });
}

/** The newest text for the QR code or link of a login; its provider is not asked. */
export async function refreshCompanyLogin(
  ports: AuthPorts,
  companyKey: CompanyKey,
  token: string,
): Promise<string | undefined> {
  const login = await requireLogin(ports, companyKey, token);
  return (await providerOf(ports, login).refresh?.(login.providerRef)) || undefined;
}

/** Ends a login of the company that waits. */
export async function cancelCompanyLogin(
  ports: AuthPorts,
  companyKey: CompanyKey,
  token: string,
): Promise<void> {
  await requireLogin(ports, companyKey, token);
  await cancelLogin(ports, token);
}

/** A login for a flow of the company. @throws authentication.token.invalid for any other */
export async function requireLogin(
  { store, now }: AuthPorts,
  companyKey: CompanyKey,
  token: string,
): Promise<LoginSession & { readonly flowKey: string }> {
  return store.read(async (unit) => {
    const found = await unit.logins.find(tokenDigest(token));
    if (found === undefined || now() >= found.createdAtMs + loginKeptMs) throw unknownLogin();
    const flowKey = found.place.kind === 'flow' ? found.place.flowKey : undefined;
    const flow = flowKey === undefined ? undefined : await unit.flows.find(flowKey);
    if (flow === undefined || flow.companyKey !== companyKey) throw unknownLogin();
    return { ...found, flowKey: flow.key };
  });
}
