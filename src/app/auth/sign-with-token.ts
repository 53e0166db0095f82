import { defined } from '../../base/defined.ts';
import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import { loginDeadlineMs } from '../../domain/auth/index.ts';
import { asKey, type CompanyKey, newToken } from '../../domain/keys.ts';
import type { Circumstances } from '../../domain/process/index.ts';
import type { Challenge, Drawing } from '../../domain/signing/index.ts';
import { coded } from '../operation.ts';
import type { ForeignScheme } from '../ports/index.ts';
import {
  confirmCode,
  type EidChoice,
  pollQualified,
  type QualifiedAnswer,
  readSignee,
  type SigneeRequest,
  signByClick,
  signingErrors,
  startCode,
  startQualified,
} from '../signing/index.ts';
import { tokenDigest } from './access-tokens.ts';
import { paceChallenge } from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** Providers other than SIM and app by which documents can be signed. */
export type SigningScheme = Exclude<ForeignScheme, 'device-link'>;

/** Return address and network address of a person, for providers with pages of their own. */
export interface ReturnPlace {
  /** Address to which the provider redirects the person, with a token. */
  readonly returnUrl?: string;
  /** Network address of the person, which some providers require. */
  readonly endUserIp?: string;
}

/** A signee of a process, with the observed circumstances of the request. */
export interface ObservedPlace {
  /** Key of the process. */
  readonly processKey: string;
  /** Key of the signee. */
  readonly signeeKey: string;
  /** Network address and user agent of the person. */
  readonly circumstances: Circumstances;
  /** The company of the process, if its credentials were presented. */
  readonly companyKey?: CompanyKey;
  /** The access token that granted access, if any. */
  readonly accessToken?: string;
  /**
   * SHA-256, hexadecimal, of the document shown to the person: no other document is signed.
   * Signatures added by others do not count as a change. Default: the current document is signed.
   */
  readonly shownSha256?: string;
}

/** Defines a use case of a signee that the request identifies. */
function placeUseCase<
  const Codes extends readonly ErrorCode[],
  More extends readonly unknown[],
  Answer,
>(
  errors: Codes,
  act: (ports: AuthPorts, request: SigneeRequest, ...more: More) => Promise<Answer>,
  ofSome: readonly ErrorCode[] = [],
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
  return coded(errors, run, ofSome);
}

/** Signatures by the signee of a place. */
export const placeOperations = {
  /**
   * Starts a signature by SIM or app.
   *
   * @example
   * const session = await identity.startQualified(place, { channel: 'Sim', loginHint });
   */
  startQualified: placeUseCase(signingErrors.qualified, (ports, request, choice: EidChoice) =>
    startQualified(ports, { ...request, ...choice }),
  ),
  /**
   * Starts a signature with a foreign e-ID.
   *
   * @example
   * const session = await identity.startForeign(place, 'eid-se', { endUserIp });
   */
  startForeign: placeUseCase(
    signingErrors.foreign,
    async (ports, request, scheme: SigningScheme, back: ReturnPlace) => {
      const { signee } = await readSignee(ports, request);
      const channel = signee.ssn === undefined ? 'Sim' : 'App';
      const own = { ...ports, identity: ports.foreign[scheme] };
      return startQualified(own, { ...request, ...back, channel }, scheme);
    },
  ),
  /**
   * Signs by a click and returns a token for polling. A drawing is shown in the signature.
   *
   * @example
   * const token = await identity.signByClick(place);
   */
  signByClick: placeUseCase(signingErrors.click, async (ports, request, drawing?: Drawing) => {
    const { processKey, signeeKey } = request;
    const token = newToken(ports.random);
    // Stored with the signature: otherwise it could never be polled, as signing again is refused.
    await signByClick(ports, { ...request, ...defined({ drawing }) }, async (unit) => {
      const createdAtMs = ports.now();
      const challenge: Challenge = {
        token,
        kind: 'click',
        processKey,
        signeeKey,
        tries: 0,
        createdAtMs,
        expiresAtMs: createdAtMs + loginDeadlineMs,
        state: 'done',
      };
      await unit.challenges.add(challenge);
    });
    return token;
  }),
  /**
   * Sends a one-time code to the signee.
   *
   * @example
   * const { token } = await identity.sendCode(place);
   */
  sendCode: placeUseCase(signingErrors.sendCode, startCode, ['message.phone.missing']),
  /**
   * Signs with a one-time code. A drawing is shown in the signature.
   *
   * @example
   * await identity.signByCode(place, token, '123456');
   */
  signByCode: placeUseCase(
    signingErrors.code,
    (ports, request, token: string, code: string, drawing?: Drawing) =>
      confirmCode(ports, { ...request, token, code, ...defined({ drawing }) }),
  ),
  /**
   * Returns the state of a signature. Without `scheme`: however it was started.
   *
   * @throws process.not_found also for a token of a different place
   * @example
   * const answer = await identity.pollSigning(place, token);
   */
  pollSigning: placeUseCase(
    signingErrors.poll,
    async (ports, request, token: string, scheme?: SigningScheme): Promise<QualifiedAnswer> => {
      const { processKey, signeeKey } = request;
      const nowMs = ports.now();
      const challenge = await ports.store.read(async (unit) => {
        const found = await unit.challenges.find(token);
        const isNamed = (each: Challenge | undefined, one: SigningScheme) =>
          each?.provider === ports.foreign[one].name;
        const isOurs = found?.processKey === processKey && found.signeeKey === signeeKey;
        const isPlain = scheme === undefined || found?.scheme === scheme || isNamed(found, scheme);
        if (found === undefined || !isOurs || !isPlain || found.kind === 'eid-auth') {
          throw new InnsigliError(
            'process.not_found',
            'the process has no such signature in progress',
          );
        }
        return found;
      });
      if (challenge.kind === 'eid-sign') {
        await paceChallenge(ports, challenge);
        return pollQualified(ports, { ...request, token });
      }
      const { state, failureCode = '1121', expiresAtMs } = challenge;
      if (state === 'done') {
        const { process } = await readSignee(ports, request);
        return { state: 'signed', process };
      }
      if (state !== 'waiting' || nowMs >= expiresAtMs)
        return { state: 'failed', hint: failureCode };
      return { state: 'waiting' };
    },
  ),
};

/** Builds the request of a signee from the path parameters. */
export function signeeRequest(
  place: { readonly processKey: string; readonly signeeKey: string },
  circumstances: SigneeRequest['circumstances'],
): SigneeRequest {
  return {
    processKey: asKey('process', place.processKey),
    signeeKey: asKey('signee', place.signeeKey),
    circumstances,
  };
}
