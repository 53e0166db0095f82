import { defined } from '../../base/defined.ts';
import type { Customer, LoginScheme } from '../../domain/auth/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { Circumstances, Signee, SigningProcess } from '../../domain/process/index.ts';
import type { StoredContent } from '../ports/index.ts';
import {
  confirmCode,
  type EidChoice,
  type StartedCode,
  type StartedSession,
  startCode,
  startQualified,
} from '../signing/index.ts';
import {
  checkToken,
  type IssuedToken,
  issueToken,
  type TokenPlace,
  type TokenVerdict,
} from './access-tokens.ts';
import type { StartedLogin } from './begin-login.ts';
import {
  type FlowLoginPoll,
  type FlowLoginRequest,
  type LoginAnswer,
  pollFlowLogin,
  startFlowLogin,
} from './flow-login.ts';
import type { AuthPorts } from './ports.ts';
import { tokenDigest } from './secret-token.ts';
import {
  pollSequenceLogin,
  type SequenceLoginAnswer,
  type SequenceLoginPoll,
  type SequenceLoginRequest,
  startSequenceLogin,
} from './sequence-login.ts';
import { asksPasscode, checkPasscode, type PasscodeAnswer } from './sequence-passcode.ts';
import {
  pollSigning,
  type ReturnPlace,
  type SigningAnswer,
  type SigningScheme,
  signByClickWithToken,
  signedContent,
  signeeRequest,
  startForeignSigning,
} from './sign-with-token.ts';
import {
  pollSigneeLogin,
  type SigneeLoginAnswer,
  type SigneeLoginPoll,
  type SigneeLoginRequest,
  startSigneeLogin,
} from './signee-login.ts';
import { isSimulated } from './simulated.ts';
import { type WaitingLogin, waitForLogin } from './wait-login.ts';

/** A signee of a process, with what was observed of them. */
export interface ObservedPlace {
  readonly processKey: string;
  readonly signeeKey: string;
  readonly circumstances: Circumstances;
  /** The company of the process, where its credentials came along. */
  readonly companyKey?: CompanyKey;
  /** The access token that opened the place, where one did. */
  readonly accessToken?: string;
}

/** Logins of persons, what they open, and signatures that are asked for with a token. */
export interface IdentityService {
  /** Base address of signing pages, without a slash at the end. */
  readonly frontEnd: string;
  /** @throws flow.not_found, authentication.error.idp.start, eid.provider.error */
  startLogin(request: FlowLoginRequest): Promise<StartedLogin>;
  /** @throws authentication.*, flow.not_found */
  pollLogin(poll: FlowLoginPoll): Promise<LoginAnswer>;
  /** @throws as {@link startLogin}, authentication.error.forbidden */
  waitForLogin(request: WaitingLogin): Promise<Customer>;
  /** @throws process.not_found, error.signee.not_found, authentication.*, signing.forbidden.* */
  startSigneeLogin(request: SigneeLoginRequest): Promise<StartedSession>;
  pollSigneeLogin(poll: SigneeLoginPoll): Promise<SigneeLoginAnswer>;
  startSequenceLogin(request: SequenceLoginRequest): Promise<StartedLogin>;
  pollSequenceLogin(poll: SequenceLoginPoll): Promise<SequenceLoginAnswer>;
  /** @throws process.passcode.not_valid, process.not_found, error.signee.not_found */
  checkPasscode(answer: PasscodeAnswer): Promise<IssuedToken>;
  /** @throws process.not_found, error.signee.not_found, validation.error */
  issueToken(
    companyKey: CompanyKey,
    place: { readonly sequenceKey: string; readonly personKey: string },
    seconds?: number,
  ): Promise<IssuedToken>;
  check(token: string, place: TokenPlace): Promise<TokenVerdict>;
  /** True where a passcode stands before a document of a signee; without a key, of any of them. */
  asksPasscode(process: SigningProcess, signeeKey?: string): Promise<boolean>;
  /** Starts a signature by SIM or app. @throws signing.forbidden.*, 2002, authentication.* */
  startQualified(place: ObservedPlace, choice: EidChoice): Promise<StartedSession>;
  /** @throws as {@link startQualified}, eid.provider.error */
  startForeign(
    scheme: SigningScheme,
    place: ObservedPlace,
    back: ReturnPlace,
  ): Promise<StartedSession>;
  /** Signs by a click and gives a token for {@link pollSigning}. */
  signByClick(place: ObservedPlace): Promise<string>;
  sendCode(place: ObservedPlace): Promise<StartedCode>;
  /** @throws 1120, 1121, 1122 */
  signByCode(place: ObservedPlace, token: string, code: string): Promise<SigningProcess>;
  /** How a signature stands; `scheme` left out: however it was started. */
  pollSigning(place: ObservedPlace, token: string, scheme?: SigningScheme): Promise<SigningAnswer>;
  /**
   * True when the simulator answers for a provider, or for what a signee does: a test person has
   * logged in, or a code goes to a test number.
   */
  isSimulated(scheme: LoginScheme | SigningScheme | undefined, signee?: Signee): boolean;
  /** The document as it is now. @throws process.file.not_found */
  content(process: SigningProcess): Promise<StoredContent>;
}

/** The toolkit over its ports, for all companies. */
export function identityService(ports: AuthPorts): IdentityService {
  const request = ({ circumstances, accessToken, companyKey, ...place }: ObservedPlace) => ({
    ...signeeRequest(place, circumstances),
    ...defined({ companyKey }),
    ...(accessToken === undefined ? {} : { tokenSha256: tokenDigest(accessToken) }),
  });
  return {
    frontEnd: ports.frontEnd,
    startLogin: (wish) => startFlowLogin(ports, wish),
    pollLogin: (poll) => pollFlowLogin(ports, poll),
    waitForLogin: (wish) => waitForLogin(ports, wish),
    startSigneeLogin: (wish) => startSigneeLogin(ports, wish),
    pollSigneeLogin: (poll) => pollSigneeLogin(ports, poll),
    startSequenceLogin: (wish) => startSequenceLogin(ports, wish),
    pollSequenceLogin: (poll) => pollSequenceLogin(ports, poll),
    checkPasscode: (answer) => checkPasscode(ports, answer),
    issueToken: (companyKey, place, seconds) => issueToken(ports, companyKey, place, seconds),
    check: (token, place) => checkToken(ports, token, place),
    asksPasscode: (process, signeeKey) =>
      ports.store.read((unit) => asksPasscode(unit, process, signeeKey)),
    startQualified: (place, choice) => startQualified(ports, { ...request(place), ...choice }),
    startForeign: (scheme, place, back) =>
      startForeignSigning(ports, scheme, { ...request(place), ...back }),
    signByClick: (place) => signByClickWithToken(ports, request(place)),
    sendCode: (place) => startCode(ports, request(place)),
    signByCode: (place, token, code) => confirmCode(ports, { ...request(place), token, code }),
    pollSigning: (place, token, scheme) => pollSigning(ports, { ...request(place), token }, scheme),
    isSimulated: (scheme, signee) => isSimulated(ports, scheme, signee),
    content: (process) => signedContent(ports, process),
  };
}
