import { object, oneOf, optional, singleLine, string } from '../../base/input.ts';
import { lookupTypes } from '../../domain/auth/index.ts';
import { operation, type Service, useCase } from '../operation.ts';
import { loginOperations } from './company-login.ts';
import { signingOperations } from './company-signing.ts';
import { checkMethods, configuredMethods } from './eid-methods.ts';
import { evidenceOperations } from './evidence/login-evidence.ts';
import { lookupErrorCodes } from './flow-login.ts';
import { takeLoginResult } from './page-login.ts';
import type { AuthPorts } from './ports.ts';
import { receiveReturns } from './receive-returns.ts';

/**
 * e-ID logins and signatures that a program of the company starts, polls and cancels: the
 * operations of `innsigli auth` and `innsigli sign`.
 */
export const authOperations = {
  /**
   * Lists the methods by which persons can log in or sign.
   *
   * @example
   * const methods = await acme.auth.methods();
   */
  methods: useCase([], async (ports: AuthPorts, companyKey) =>
    configuredMethods(ports, companyKey),
  ),
  /**
   * Checks the providers: configuration, certificates, reachability, clock.
   *
   * @example
   * const failed = (await acme.auth.check()).filter(({ isOk }) => !isOk);
   */
  check: useCase([], checkMethods),
  ...loginOperations,
  /**
   * Returns the person who logged in at the page of a flow, for the code with which they returned.
   * A code is valid once, within a minute.
   *
   * @example
   * const { customer, isSimulated } = await acme.auth.result({ code, flowKey });
   */
  result: operation(
    object({
      code: string,
      flowKey: string,
      lookup: optional(oneOf(lookupTypes)),
      codeVerifier: optional(singleLine(128)),
    }),
    {
      errors: [
        'authentication.token.invalid',
        'authentication.token.scope.invalid',
        'authentication.result.used',
        'authentication.error.forbidden',
        ...lookupErrorCodes,
      ],
      run: takeLoginResult,
    },
  ),
  ...evidenceOperations,
  /**
   * Receives the person of a login or signature who returns from the page of their provider to this
   * machine, until it is closed. Undefined if the provider does not redirect here, or another
   * program receives the redirect.
   *
   * @throws config.invalid if it cannot listen
   * @example
   * const words = { returned: 'Go on there.', notReturned: 'Nobody waits for it.' };
   * const returns = await acme.auth.receiveReturns(login.token, words);
   */
  receiveReturns: useCase(['config.invalid'], receiveReturns),
  ...signingOperations,
};

/** The methods of {@link authOperations}. */
export type AuthService = Service<typeof authOperations>;
