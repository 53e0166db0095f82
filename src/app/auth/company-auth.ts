import { object, oneOf, optional, singleLine, string } from '../../base/input.ts';
import { eidMethods, lookupTypes } from '../../domain/auth/index.ts';
import { operation, type Service, useCase } from '../operation.ts';
import { mismatchCode, signingErrors } from '../signing/index.ts';
import {
  cancelCompanyLogin,
  pollCompanyLogin,
  refreshCompanyLogin,
  startCompanyLogin,
} from './company-login.ts';
import {
  cancelSigneeSession,
  pollCompanySigning,
  refreshSigneeSession,
  startCompanySigning,
} from './company-signing.ts';
import { checkMethods, configuredMethods } from './eid-methods.ts';
import { exportLoginEvidence, keptLogin, verifyLoginEvidence } from './evidence/login-evidence.ts';
import { takeLoginResult } from './page-login.ts';
import type { AuthPorts } from './ports.ts';
import { receiveReturns } from './receive-returns.ts';

const started = ['authentication.error.idp.start', 'eid.provider.error'] as const;
const tooOften = 'authentication.start.too_frequent';
const gone = 'authentication.token.invalid';
const lookedUp = [
  'register.unavailable',
  'register.answer.invalid',
  'register.configuration',
] as const;
const hint = optional(singleLine(40));

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
    { errors: ['flow.not_found', ...started, tooOften], run: startCompanyLogin },
  ),
  /**
   * Asks how a login stands; not before the polling interval has passed. With `loginHint` only the
   * person who has this number counts.
   *
   * @example
   * const answer = await acme.auth.poll({ token: login.token });
   */
  poll: operation(
    object({ token: string, lookup: optional(oneOf(lookupTypes)), loginHint: hint }),
    {
      errors: [
        gone,
        'flow.not_found',
        'authentication.poll.too_frequent',
        'authentication.error.forbidden',
        mismatchCode,
      ],
      run: pollCompanyLogin,
    },
  ),
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
        gone,
        'authentication.token.scope.invalid',
        'authentication.result.used',
        'authentication.error.forbidden',
        ...lookedUp,
      ],
      run: takeLoginResult,
    },
  ),
  /**
   * The newest text for the QR code of a login that waits; its provider is not asked. Codes of
   * some schemes change each second.
   *
   * @example
   * const link = await acme.auth.refresh(login.token);
   */
  refresh: useCase([gone], refreshCompanyLogin),
  /**
   * Ends a login that waits, at the provider too.
   *
   * @example
   * await acme.auth.cancel(login.token);
   */
  cancel: useCase([gone], cancelCompanyLogin),
  /**
   * What shows later, without the provider, that the person of a login has answered. It goes with
   * the login after a day: whoever needs it longer keeps it.
   *
   * @example
   * const kept = await acme.auth.evidence(login.token);
   */
  evidence: useCase([gone], exportLoginEvidence),
  /**
   * Verifies kept evidence of a login: that it is unchanged, the signature, its certificate or key,
   * the person and the session. Its provider is not asked, but its anchors have to be configured.
   *
   * @example
   * const findings = await acme.auth.verifyEvidence({ evidence: kept });
   * const holds = findings.every(({ isOk }) => isOk);
   */
  verifyEvidence: operation(keptLogin, { errors: [], run: verifyLoginEvidence }),
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
  /**
   * Starts a signature of a signee (`Qualified`) by any method but a device link.
   *
   * @example
   * const place = { processKey, signeeKey };
   * const session = await acme.auth.startSigning(place, { method: 'eid-se' });
   */
  startSigning: useCase(
    [...new Set([...signingErrors.qualified, ...signingErrors.foreign])],
    startCompanySigning,
  ),
  /**
   * Asks how it stands; not before the polling interval has passed.
   *
   * @example
   * const { state } = await acme.auth.pollSigning({ ...place, token: session.token });
   */
  pollSigning: useCase([...signingErrors.poll, gone], pollCompanySigning),
  /**
   * The newest text for the QR code of a signature or login of a signee; its provider is not asked.
   *
   * @example
   * const link = await acme.auth.refreshSigning({ ...place, token: session.token });
   */
  refreshSigning: useCase(['process.not_found', gone], refreshSigneeSession),
  /**
   * Ends a signature or login of a signee that waits, at the provider too; the document is free
   * for others at once.
   *
   * @example
   * await acme.auth.cancelSigning({ ...place, token: session.token });
   */
  cancelSigning: useCase(['process.not_found', gone], cancelSigneeSession),
};

/** The methods of {@link authOperations}. */
export type AuthService = Service<typeof authOperations>;
