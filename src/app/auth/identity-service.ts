import { defined } from '../../base/defined.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { LoginScheme } from '../../domain/auth/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import {
  type Circumstances,
  restsOnTest,
  type Signee,
  type SigningProcess,
} from '../../domain/process/index.ts';
import { type Drawing, testPersonOutcome } from '../../domain/signing/index.ts';
import { type BoundUseCases, bindUseCases, coded } from '../operation.ts';
import type { ForeignScheme } from '../ports/index.ts';
import {
  confirmCode,
  type EidChoice,
  requireDocument,
  type SigneeRequest,
  signingErrors,
  startCode,
  startQualified,
} from '../signing/index.ts';
import { checkToken, issueToken, tokenDigest } from './access-tokens.ts';
import { usualProvider } from './eid-methods.ts';
import { pollFlowLogin, startFlowLogin, waitForLogin } from './flow-login.ts';
import { cancelLogin } from './login-session.ts';
import { finishPageLogin, pollPageLogin, showLoginPage, startPageLogin } from './page-login.ts';
import type { AuthPorts } from './ports.ts';
import { takeReturn } from './provider-return.ts';
import {
  asksPasscode,
  checkPasscode,
  pollSequenceLogin,
  startSequenceLogin,
} from './sequence/index.ts';
import { shownCode } from './shown-code.ts';
import {
  pollSigning,
  type ReturnPlace,
  type SigningScheme,
  signByClickWithToken,
  signeeRequest,
  startForeignSigning,
} from './sign-with-token.ts';
import { pollSigneeLogin, startSigneeLogin } from './signee-login.ts';

/** A signee of a process, with what was observed of them. */
export interface ObservedPlace {
  /** Key of the process. */
  readonly processKey: string;
  /** Key of the signee. */
  readonly signeeKey: string;
  /** Address and program of the person. */
  readonly circumstances: Circumstances;
  /** The company of the process, where its credentials came along. */
  readonly companyKey?: CompanyKey;
  /** The access token that opened the place, where one did. */
  readonly accessToken?: string;
  /**
   * SHA-256, hexadecimal, of the document that the person was shown: another one is not signed.
   * Signatures of others leave it the same document. Default: what is there is signed.
   */
  readonly shownSha256?: string;
}

/** A use case of a signee, whose place a request has named. */
function atPlace<const Codes extends readonly ErrorCode[], More extends readonly unknown[], Answer>(
  errors: Codes,
  act: (ports: AuthPorts, request: SigneeRequest, ...more: More) => Promise<Answer>,
) {
  const run = (
    ports: AuthPorts,
    { circumstances, accessToken, companyKey, shownSha256, ...place }: ObservedPlace,
    ...more: More
  ): Promise<Answer> => {
    const tokenSha256 = accessToken === undefined ? undefined : tokenDigest(accessToken);
    const known = defined({ companyKey, tokenSha256, shownSha256 });
    return act(ports, { ...signeeRequest(place, circumstances), ...known }, ...more);
  };
  return coded(errors, run);
}

const place = ['process.not_found', 'error.signee.not_found'] as const;
const mismatch = 'authentication.error.signee.logon.mismatch';
const polled = [
  'authentication.token.invalid',
  'authentication.error.forbidden',
  'authentication.poll.too_frequent',
] as const;

const lookedUp = [
  'register.unavailable',
  'register.answer.invalid',
  'register.configuration',
] as const;

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
  startLogin: coded(['flow.not_found', 'authentication.start.too_frequent'], startFlowLogin),
  /**
   * Asks how a login stands; who has answered is looked up once for each amount that is asked for.
   *
   * @example
   * const answer = await identity.pollLogin({ scheme, flowKey, token });
   */
  pollLogin: coded(
    [...polled, 'authentication.token.scope.invalid', 'flow.not_found', ...lookedUp],
    pollFlowLogin,
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
  /**
   * The login page of a flow that is open to customers, for one link to it.
   *
   * @example
   * const { name, methods, back } = await identity.loginPage(flowKey, { returnUrl, state });
   */
  loginPage: coded(['flow.not_found'], showLoginPage),
  /**
   * Starts a login at the page of a flow.
   *
   * @example
   * const { token } = await identity.startPageLogin(request);
   */
  startPageLogin: coded(['flow.not_found', 'authentication.start.too_frequent'], startPageLogin),
  /**
   * Asks how a login at the page of a flow stands.
   *
   * @example
   * const { state } = await identity.pollPageLogin({ flowKey, token, back });
   */
  pollPageLogin: coded(
    [...polled, 'authentication.token.scope.invalid', 'flow.not_found'],
    pollPageLogin,
  ),
  /**
   * The address at which a person who has logged in goes on, with the code of the result.
   *
   * @example
   * const address = await identity.finishPageLogin({ flowKey, token, back });
   */
  finishPageLogin: coded(
    ['authentication.token.invalid', 'authentication.token.scope.invalid', 'flow.not_found'],
    finishPageLogin,
  ),
  /**
   * Starts a login of a signee by SIM or app.
   *
   * @example
   * const session = await identity.startSigneeLogin(request);
   */
  startSigneeLogin: coded(
    [
      ...place,
      'authentication.error.idp.start',
      'authentication.error.signee.unprovable',
      'authentication.credentials.invalid',
      mismatch,
      'authentication.start.too_frequent',
      'signing.forbidden.expired',
      '10101',
    ],
    startSigneeLogin,
  ),
  /**
   * Asks how a login of a signee stands; when it is done, a token opens their place in the
   * process.
   *
   * @example
   * const answer = await identity.pollSigneeLogin(poll);
   */
  pollSigneeLogin: coded(
    [
      ...polled,
      'authentication.token.scope.invalid',
      mismatch,
      'authentication.preprocess.utility.not.exists',
      'process.not_found',
      '10101',
      ...lookedUp,
    ],
    pollSigneeLogin,
  ),
  /**
   * Starts a login for the documents of a sequence.
   *
   * @example
   * const { token } = await identity.startSequenceLogin(request);
   */
  startSequenceLogin: coded(
    [
      'process.not_found',
      'authentication.credentials.invalid',
      mismatch,
      'authentication.start.too_frequent',
    ],
    startSequenceLogin,
  ),
  /**
   * Asks how a login for a sequence stands.
   *
   * @example
   * const answer = await identity.pollSequenceLogin(poll);
   */
  pollSequenceLogin: coded(
    [
      'authentication.token.invalid',
      'authentication.token.scope.invalid',
      'authentication.credentials.invalid',
      mismatch,
      'authentication.poll.too_frequent',
    ],
    pollSequenceLogin,
  ),
  /**
   * Opens the documents of a person who has the passcode.
   *
   * @example
   * const { token } = await identity.checkPasscode(answer);
   */
  checkPasscode: coded(['process.passcode.not_valid', ...place], checkPasscode),
  /**
   * A token for a person of a sequence of the company, for programs that know who is there.
   *
   * @example
   * const { token } = await identity.issueToken(companyKey, { sequenceKey, personKey }, 600);
   */
  issueToken: coded(place, issueToken),
  /**
   * Verifies a token for a place.
   *
   * @example
   * const verdict = await identity.check(token, place);
   */
  check: coded([], checkToken),
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
  /**
   * Starts a signature by SIM or app.
   *
   * @example
   * const session = await identity.startQualified(place, { channel: 'Sim', loginHint });
   */
  startQualified: atPlace(signingErrors.qualified, (ports, request, choice: EidChoice) =>
    startQualified(ports, { ...request, ...choice }),
  ),
  /**
   * The same with a foreign identity.
   *
   * @example
   * const session = await identity.startForeign(place, 'eid-se', { endUserIp });
   */
  startForeign: atPlace(
    signingErrors.foreign,
    (ports, request, scheme: SigningScheme, back: ReturnPlace) =>
      startForeignSigning(ports, scheme, { ...request, ...back }),
  ),
  /**
   * Signs by a click and gives a token to ask with; a drawing is shown in the signature.
   *
   * @example
   * const token = await identity.signByClick(place);
   */
  signByClick: atPlace(signingErrors.click, (ports, request, drawing?: Drawing) =>
    signByClickWithToken(ports, { ...request, ...defined({ drawing }) }),
  ),
  /**
   * Sends a one-time code to the signee.
   *
   * @example
   * const { token } = await identity.sendCode(place);
   */
  sendCode: atPlace(signingErrors.sendCode, startCode),
  /**
   * Signs with a one-time code; a drawing is shown in the signature.
   *
   * @example
   * await identity.signByCode(place, token, '123456');
   */
  signByCode: atPlace(
    signingErrors.code,
    (ports, request, token: string, code: string, drawing?: Drawing) =>
      confirmCode(ports, { ...request, token, code, ...defined({ drawing }) }),
  ),
  /**
   * State of a signature; `scheme` left out: however it was started.
   *
   * @example
   * const answer = await identity.pollSigning(place, token);
   */
  pollSigning: atPlace(
    signingErrors.poll,
    (ports, request, token: string, scheme?: SigningScheme) =>
      pollSigning(ports, { ...request, token }, scheme),
  ),
  /**
   * True when a simulator answers: as the provider of the scheme, or for what the signee does.
   *
   * @example
   * const isTest = identity.isSimulated('eid-se');
   */
  isSimulated: coded([], isSimulated),
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

/** True when a simulator answers: as the provider of the scheme, or for what the signee does. */
function isSimulated(
  { identity, foreign, simulated }: Pick<AuthPorts, 'identity' | 'foreign' | 'simulated'>,
  scheme: LoginScheme | ForeignScheme | undefined,
  signee?: Signee,
): boolean {
  const provider = usualProvider({ identity, foreign }, scheme ?? 'sim-app');
  if (scheme !== undefined) return provider.isSimulated;
  if (signee === undefined) return false;
  const { signatureType, phoneNumber } = signee;
  if (signatureType === 'Qualified') return provider.isSimulated;
  const isTestNumber = phoneNumber !== undefined && testPersonOutcome(phoneNumber) !== undefined;
  return restsOnTest(signee) || (signatureType === 'Simple' && simulated && isTestNumber);
}
