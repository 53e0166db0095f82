import { object, oneOf, optional, singleLine, string } from '../../base/input.ts';
import { lookupTypes } from '../../domain/auth/index.ts';
import { operation, type Service, useCase } from '../operation.ts';
import { loginOperations } from './company-login.ts';
import { signingOperations } from './company-signing.ts';
import { checkMethods, configuredMethods } from './eid-methods.ts';
import { evidenceOperations } from './evidence/login-evidence.ts';
import { lookedUp } from './flow-login.ts';
import { takeLoginResult } from './page-login.ts';
import type { AuthPorts } from './ports.ts';
import { receiveReturns } from './receive-returns.ts';

/**
 * Logins and signatures by electronic identity that a program of the company starts, asks for and
 * cancels: what `innsigli auth` and `innsigli sign` do.
 */
export const authOperations = {
  /**
   * The ways in which persons can log in or sign here.
   *
   * @example
   * const methods = await acme.auth.methods();
   */
  methods: useCase([], async (ports: AuthPorts, companyKey) =>
    configuredMethods(ports, companyKey),
  ),
  /**
   * What the providers say of themselves: configuration, certificates, reachability, clock.
   *
   * @example
   * const failed = (await acme.auth.check()).filter(({ isOk }) => !isOk);
   */
  check: useCase([], checkMethods),
  ...loginOperations,
  /**
   * Who has logged in at the page of a flow, by the code with which they came back: once, within a
   * minute.
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
        ...lookedUp,
      ],
      run: takeLoginResult,
    },
  ),
  ...evidenceOperations,
  /**
   * Receives the person of a login or signature who comes back from the page of their provider to
   * this machine, until it is closed; undefined where nobody does, or another program receives.
   *
   * @throws config.invalid when it cannot listen
   * @example
   * const words = { returned: 'Go on there.', notReturned: 'Nobody waits for it.' };
   * const returns = await acme.auth.receiveReturns(login.token, words);
   */
  receiveReturns: useCase(['config.invalid'], receiveReturns),
  ...signingOperations,
};

/** The methods of {@link authOperations}. */
export type AuthService = Service<typeof authOperations>;
