import type { LoginScheme } from '../../domain/auth/index.ts';
import { isByTestPerson, type Signee, type SigningProcess } from '../../domain/process/index.ts';
import { testPersonOutcome } from '../../domain/signing/index.ts';
import { type BoundUseCases, bindUseCases, coded } from '../operation.ts';
import type { ForeignScheme } from '../ports/index.ts';
import { requireDocument } from '../signing/index.ts';
import { tokenOperations } from './access-tokens.ts';
import { usualProvider } from './eid-methods.ts';
import {
  lookupErrorCodes,
  pollErrorCodes,
  pollFlowLogin,
  startFlowLogin,
  waitForLogin,
} from './flow-login.ts';
import { cancelLogin, startErrorCodes } from './login-session.ts';
import { pageOperations } from './page-login.ts';
import type { AuthPorts } from './ports.ts';
import { takeReturn } from './provider-return.ts';
import { asksPasscode, checkPasscode, sequenceOperations } from './sequence/index.ts';
import { shownCode } from './shown-code.ts';
import { placeOperations } from './sign-with-token.ts';
import { signeeOperations } from './signee-login.ts';

const place = ['process.not_found', 'error.signee.not_found'] as const;

/** Logins of persons, the access granted, and signatures started by token, for all companies. */
export const identityOperations = {
  /**
   * Starts a login of a person for a flow.
   *
   * @example
   * const { token } = await identity.startLogin(request);
   */
  startLogin: coded(
    ['flow.not_found', 'authentication.start.too_frequent'],
    startFlowLogin,
    startErrorCodes,
  ),
  /**
   * Polls the state of a login. The person who responded is looked up once per requested scope.
   *
   * @example
   * const answer = await identity.pollLogin({ scheme, flowKey, token });
   */
  pollLogin: coded(
    [
      ...pollErrorCodes,
      'authentication.token.scope.invalid',
      'flow.not_found',
      ...lookupErrorCodes,
    ],
    pollFlowLogin,
    ['authentication.error.signee.logon.mismatch', 'network.offline'],
  ),
  /**
   * Accepts the address with which a person returned from the page of their provider.
   *
   * @example
   * await identity.takeReturn('https://sign.example.is/s/eid/callback?state=…&code=…');
   */
  takeReturn: coded(['authentication.token.invalid'], takeReturn),
  /**
   * Cancels a pending login, at the provider too.
   *
   * @example
   * await identity.cancelLogin(token);
   */
  cancelLogin: coded(['authentication.token.invalid'], cancelLogin),
  /**
   * Returns the current QR code of a pending login or signature, and the seconds left.
   *
   * @example
   * const { qrData, secondsLeft } = (await identity.shownCode(token)) ?? {};
   */
  shownCode: coded([], shownCode),
  /**
   * Logs a person in by SIM and waits for the response, at most until the login expires.
   *
   * @example
   * const { name } = await identity.waitForLogin(request);
   */
  waitForLogin: coded(
    [
      'flow.not_found',
      'authentication.error.idp.start',
      'authentication.error.forbidden',
      'authentication.start.too_frequent',
      ...lookupErrorCodes,
    ],
    waitForLogin,
  ),
  ...pageOperations,
  ...signeeOperations,
  ...sequenceOperations,
  /**
   * Checks the passcode of a person and grants access to their documents.
   *
   * @example
   * const { token } = await identity.checkPasscode(answer);
   */
  checkPasscode: coded(['process.passcode.not_valid', ...place], checkPasscode),
  ...tokenOperations,
  /**
   * Whether a passcode protects the document of a signee; without a signee key, that of any signee.
   *
   * @example
   * const isAsked = await identity.asksPasscode(process, signeeKey);
   */
  asksPasscode: coded(
    [],
    ({ store }: Pick<AuthPorts, 'store'>, process: SigningProcess, signeeKey?: string) =>
      store.read((unit) => asksPasscode(unit, process, signeeKey)),
  ),
  ...placeOperations,
  /**
   * Whether a simulator responds: as the provider of the scheme, or for the action of the signee.
   *
   * @example
   * const isTest = identity.isSimulated('eid-se');
   */
  isSimulated: coded(
    [],
    (
      { identity, foreign, simulated }: Pick<AuthPorts, 'identity' | 'foreign' | 'simulated'>,
      scheme: LoginScheme | ForeignScheme | undefined,
      signee?: Signee,
    ): boolean => {
      const provider = usualProvider({ identity, foreign }, scheme ?? 'sim-app');
      if (scheme !== undefined) return provider.isSimulated;
      if (signee === undefined) return false;
      const { signatureType, phoneNumber } = signee;
      if (signatureType === 'Qualified') return provider.isSimulated;
      const isTestNumber =
        phoneNumber !== undefined && testPersonOutcome(phoneNumber) !== undefined;
      return isByTestPerson(signee) || (signatureType === 'Simple' && simulated && isTestNumber);
    },
  ),
  /**
   * Returns the current content of the document.
   *
   * @example
   * const content = await identity.content(process);
   */
  content: coded(
    ['process.file.not_found'],
    async ({ blobs }: AuthPorts, process: SigningProcess) =>
      blobs.open(requireDocument(process.document, process.key).sha256),
  ),
};

/** The methods of {@link identityOperations}. */
export type IdentityService = BoundUseCases<typeof identityOperations> & {
  /** Base URL of signing pages, without a trailing slash. */
  readonly frontEnd: string;
};

/** Binds {@link IdentityService} to its ports. */
export function identityService(ports: AuthPorts): IdentityService {
  return { frontEnd: ports.frontEnd, ...bindUseCases(identityOperations, ports) };
}
