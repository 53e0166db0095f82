import { defined } from '../../base/defined.ts';
import { object, oneOf, optional, singleLine, string } from '../../base/input.ts';
import {
  type EidMethod,
  eidMethods,
  type LoginSession,
  type LookupType,
  loginDeadlineMs,
  loginKeptMs,
  lookupTypes,
} from '../../domain/auth/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { operation, useCase } from '../operation.ts';
import { mismatchCode } from '../signing/index.ts';
import { tokenDigest } from './access-tokens.ts';
import { providerOfMethod, schemeOfMethod } from './eid-methods.ts';
import { type LoginAnswer, pollFlowLogin, startFlowLogin } from './flow-login.ts';
import { cancelLogin, providerOf, type StartedLogin, unknownLogin } from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** A login to be started by a program of the company. */
export interface CompanyLoginRequest {
  readonly method: EidMethod;
  /** Key of the flow that the login is for. */
  readonly flowKey: string;
  /** Phone number for `sim`, national number for `app`. Default: the provider asks for it. */
  readonly loginHint?: string;
  /** Shown to the person. Default: the name of the flow. */
  readonly text?: string;
  /** Address to which the person returns, for providers with pages of their own. Default: none. */
  readonly returnUrl?: string;
}

/** A started login, with its method and expiry. */
export interface CompanyLogin extends StartedLogin {
  readonly method: EidMethod;
  /** Whether test persons respond: then the login proves nothing. */
  readonly isSimulated: boolean;
  /** Time in epoch milliseconds after which a response is no longer accepted. */
  readonly expiresAtMs: number;
}

/** A poll of a login of the company. */
export interface CompanyLoginPoll {
  readonly token: string;
  /** Scope of the data returned about the person. Default: `NameAddress`. */
  readonly lookup?: LookupType;
  /** Number that the person must have. Default: any person is accepted. */
  readonly loginHint?: string;
}

const invalidToken = 'authentication.token.invalid';
const hint = optional(singleLine(40));

/** Logins started by a program of the company. */
export const loginOperations = {
  /**
   * Starts a login of a person for a flow of the company.
   *
   * @example
   * const login = await acme.auth.start({ method: 'sim', flowKey, loginHint: '6666666' });
   */
  start: operation(
    object({
      method: oneOf(eidMethods),
      flowKey: string,
      loginHint: hint,
      text: optional(singleLine(140)),
      returnUrl: optional(singleLine(2000)),
    }),
    {
      errors: [
        'flow.not_found',
        'authentication.error.idp.start',
        'eid.provider.error',
        'authentication.start.too_frequent',
      ],
      run: async (
        ports: AuthPorts,
        companyKey,
        { method, flowKey, loginHint = '', text, returnUrl }: CompanyLoginRequest,
      ): Promise<CompanyLogin> => {
        const startedAtMs = ports.now();
        const started = await startFlowLogin(ports, {
          ...{ scheme: schemeOfMethod(method), flowKey, loginHint, companyKey },
          channel: method === 'sim' ? 'Sim' : 'App',
          includeVerificationCode: true,
          ...defined({ text, returnUrl }),
        });
        const { isSimulated } = providerOfMethod(ports, method, { companyKey, flowKey });
        return { ...started, method, isSimulated, expiresAtMs: startedAtMs + loginDeadlineMs };
      },
    },
  ),
  /**
   * Polls the state of a login, at most once per polling interval. With `loginHint`, only the
   * person with this number is accepted.
   *
   * @example
   * const answer = await acme.auth.poll({ token: login.token });
   */
  poll: operation(
    object({ token: string, lookup: optional(oneOf(lookupTypes)), loginHint: hint }),
    {
      errors: [
        invalidToken,
        'flow.not_found',
        'authentication.poll.too_frequent',
        'authentication.error.forbidden',
        mismatchCode,
      ],
      run: async (
        ports: AuthPorts,
        companyKey,
        { token, lookup, loginHint }: CompanyLoginPoll,
      ): Promise<LoginAnswer> => {
        const { scheme, flowKey } = await requireLogin(ports, companyKey, token);
        const asked = defined({ lookup, loginHint });
        return pollFlowLogin(ports, { scheme, token, flowKey, companyKey, ...asked });
      },
    },
  ),
  /**
   * Returns the current text for the QR code of a pending login, without a request to the provider.
   * The codes of some schemes change every second.
   *
   * @example
   * const link = await acme.auth.refresh(login.token);
   */
  refresh: useCase(
    [invalidToken],
    async (ports: AuthPorts, companyKey, token: string): Promise<string | undefined> => {
      const login = await requireLogin(ports, companyKey, token);
      return (await providerOf(ports, login).refresh?.(login.providerRef)) || undefined;
    },
  ),
  /**
   * Cancels a pending login, at the provider too.
   *
   * @example
   * await acme.auth.cancel(login.token);
   */
  cancel: useCase(
    [invalidToken],
    async (ports: AuthPorts, companyKey, token: string): Promise<void> => {
      await requireLogin(ports, companyKey, token);
      await cancelLogin(ports, token);
    },
  ),
};

/**
 * Finds a login for a flow of the company.
 *
 * @throws authentication.token.invalid for any other token
 */
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
