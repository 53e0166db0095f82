import type { LoginScheme } from '../../domain/auth/index.ts';
import { restsOnTest, type Signee, type SigningProcess } from '../../domain/process/index.ts';
import { testPersonOutcome } from '../../domain/signing/index.ts';
import { type BoundUseCases, bindUseCases, coded } from '../operation.ts';
import type { ForeignScheme } from '../ports/index.ts';
import { requireDocument } from '../signing/index.ts';
import { tokenOperations } from './access-tokens.ts';
import { usualProvider } from './eid-methods.ts';
import {
  lookedUp,
  polledCodes,
  pollFlowLogin,
  startFlowLogin,
  waitForLogin,
} from './flow-login.ts';
import { cancelLogin, providerCodes } from './login-session.ts';
import { pageOperations } from './page-login.ts';
import type { AuthPorts } from './ports.ts';
import { takeReturn } from './provider-return.ts';
import { asksPasscode, checkPasscode, sequenceOperations } from './sequence/index.ts';
import { shownCode } from './shown-code.ts';
import { placeOperations } from './sign-with-token.ts';
import { signeeOperations } from './signee-login.ts';

const place = ['process.not_found', 'error.signee.not_found'] as const;

/**
 * Logins of persons, what they open, and signatures that are asked for with a token, for all
 * companies.
 */
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
    providerCodes,
  ),
  /**
   * Asks how a login stands; who has answered is looked up once for each amount that is asked for.
   *
   * @example
   * const answer = await identity.pollLogin({ scheme, flowKey, token });
   */
  pollLogin: coded(
    [...polledCodes, 'authentication.token.scope.invalid', 'flow.not_found', ...lookedUp],
    pollFlowLogin,
    ['authentication.error.signee.logon.mismatch', 'network.offline'],
  ),
  /**
   * Takes the address with which a person came back from the page of their provider.
   *
   * @example
   * await identity.takeReturn('https://sign.example.is/s/eid/callback?state=…&code=…');
   */
  takeReturn: coded(['authentication.token.invalid'], takeReturn),
  /**
   * Ends a waiting login, at the provider too.
   *
   * @example
   * await identity.cancelLogin(token);
   */
  cancelLogin: coded(['authentication.token.invalid'], cancelLogin),
  /**
   * The newest QR code of a login or signature that waits, and the seconds that are left.
   *
   * @example
   * const { qrData, secondsLeft } = (await identity.shownCode(token)) ?? {};
   */
  shownCode: coded([], shownCode),
  /**
   * Logs a person in by SIM and waits until they have answered, at most as long as a login lives.
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
      ...lookedUp,
    ],
    waitForLogin,
  ),
  ...pageOperations,
  ...signeeOperations,
  ...sequenceOperations,
  /**
   * Opens the documents of a person who has the passcode.
   *
   * @example
   * const { token } = await identity.checkPasscode(answer);
   */
  checkPasscode: coded(['process.passcode.not_valid', ...place], checkPasscode),
  ...tokenOperations,
  /**
   * True where a passcode stands before a document of a signee; without a key, of any of them.
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
   * True when a simulator answers: as the provider of the scheme, or for what the signee does.
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
      return restsOnTest(signee) || (signatureType === 'Simple' && simulated && isTestNumber);
    },
  ),
  /**
   * The document as it is now.
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
  /** Base address of signing pages, without a slash at the end. */
  readonly frontEnd: string;
};

/** {@link IdentityService} over its ports. */
export function identityService(ports: AuthPorts): IdentityService {
  return { frontEnd: ports.frontEnd, ...bindUseCases(identityOperations, ports) };
}
