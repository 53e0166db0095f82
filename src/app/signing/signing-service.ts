import { defined } from '../../base/defined.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import {
  type Circumstances,
  closedCodes,
  ownTurnCodes,
  signingCodes,
} from '../../domain/process/index.ts';
import { plainText } from '../../domain/signing/index.ts';
import { coded, type Service } from '../operation.ts';
import { wholeContent } from '../service/index.ts';
import { declineDocument } from './decline-document.ts';
import type { SigneeRequest, SigningPorts } from './find-signee.ts';
import { pollAuth, startAuth } from './login/auth.ts';
import type { EidChoice } from './login/eid-session.ts';
import { challengePace } from './login/login-prompt.ts';
import { pollQualified, startQualified } from './login/qualified.ts';
import { confirmCode, startCode } from './one-time-code.ts';
import { signByClick } from './sign-by-click.ts';
import {
  openLink,
  type ShownDocument,
  shownDocument,
  type ViewedDocument,
  viewDocument,
} from './view-document.ts';

/** A signee of a process, with what was observed of them; nothing for a local program. */
export interface SigneeRef {
  readonly processKey: string;
  readonly signeeKey: string;
  readonly circumstances?: Circumstances;
}

/** A use case of a signee, as one of the company of the process; of any where none is named. */
function forSignee<
  const Codes extends readonly ErrorCode[],
  More extends readonly unknown[],
  Answer,
>(
  errors: Codes,
  act: (ports: SigningPorts, request: SigneeRequest, ...more: More) => Promise<Answer>,
) {
  const run = async (
    ports: SigningPorts,
    companyKey: CompanyKey | undefined,
    { processKey, signeeKey, circumstances }: SigneeRef,
    ...more: More
  ): Promise<Answer> => {
    const place = {
      processKey: asKey('process', processKey),
      signeeKey: asKey('signee', signeeKey),
    };
    const request = {
      ...place,
      circumstances: observed(circumstances),
      ...defined({ companyKey }),
    };
    return act(ports, request, ...more);
  };
  return coded(errors, run);
}

const place = ['process.not_found', 'error.signee.not_found'] as const;
const unproved = 'signing.forbidden.verification.missing';
const mismatch = 'authentication.error.signee.logon.mismatch';
const unprovable = 'authentication.error.signee.unprovable';
const gone = 'authentication.token.invalid';
const toSign = [...place, ...signingCodes, 'signing.forbidden.type', 'process.conflict'] as const;

const signed = 'signing.forbidden.signee.signed';
const viewErrors = [...place, ...closedCodes, signed, unproved, 'process.file.not_found'] as const;

/** Codes with which the ways to sign can end. */
export const signingErrors = {
  click: [...toSign, mismatch],
  sendCode: [...toSign, 'process.state.refused', 'message.channel.none'],
  code: [...toSign, mismatch, '1120', '1121', '1122'],
  qualified: [
    ...toSign,
    unprovable,
    'authentication.error.idp.start',
    mismatch,
    'authentication.start.too_frequent',
  ],
  foreign: [...toSign, 'eid.provider.error', unprovable, 'authentication.start.too_frequent'],
  poll: [
    ...place,
    mismatch,
    'authentication.poll.too_frequent',
    'signing.forbidden.canceled',
    'signing.forbidden.blocked',
    'process.conflict',
  ],
} as const;

/**
 * Operations of a signee. Each may throw process.not_found, error.signee.not_found, and the rule of
 * signing.forbidden.* or 2002 that refuses it.
 */
export const signingOperations = {
  /**
   * The document as it is signed, byte for byte; each state of it is recorded once.
   *
   * @example
   * const { content } = await acme.signing.view({ processKey, signeeKey });
   */
  view: forSignee(viewErrors, async (ports, request): Promise<ViewedDocument> => {
    const { content, ...viewed } = await viewDocument(ports, request);
    return { ...viewed, content: await wholeContent(content) };
  }),
  /**
   * The same, to be read in pieces.
   *
   * @example
   * const { content } = await acme.signing.openView({ processKey, signeeKey });
   */
  openView: forSignee(viewErrors, viewDocument),
  /**
   * The document that was shown last, for parts of it: what was recorded, and nothing more is.
   *
   * @example
   * const { lengthBytes, open } = await acme.signing.shown({ processKey, signeeKey });
   * const pieces = (await open()).pieces({ offsetBytes: lengthBytes - 1024, lengthBytes: 1024 });
   */
  shown: forSignee(
    [...place, 'process.file.not_found'],
    (ports, request): Promise<ShownDocument> => shownDocument(ports, request),
  ),
  /**
   * Records once that the link was opened; that is no look at the document.
   *
   * @example
   * await acme.signing.openLink({ processKey, signeeKey });
   */
  openLink: forSignee([...place, ...closedCodes, signed], openLink),
  /**
   * Signs with a click (`ClickToSign`).
   *
   * @example
   * const process = await acme.signing.signByClick({ processKey, signeeKey });
   */
  signByClick: forSignee(signingErrors.click, (ports, request) => signByClick(ports, request)),
  /**
   * Sends a one-time code (`Simple`).
   *
   * @example
   * const { token } = await acme.signing.sendCode({ processKey, signeeKey });
   */
  sendCode: forSignee(signingErrors.sendCode, startCode),
  /**
   * Signs with the code.
   *
   * @example
   * await acme.signing.signByCode({ processKey, signeeKey }, token, '123456');
   */
  signByCode: forSignee(signingErrors.code, (ports, request, token: string, code: string) =>
    confirmCode(ports, { ...request, token, code }),
  ),
  /**
   * Starts a signature with an electronic identity (`Qualified`).
   *
   * @example
   * const choice = { channel: 'Sim', loginHint: '6666666' };
   * const session = await acme.signing.startQualified({ processKey, signeeKey }, choice);
   */
  startQualified: forSignee(signingErrors.qualified, (ports, request, choice: EidChoice) =>
    startQualified(ports, { ...request, ...choice }),
  ),
  /**
   * Asks how it stands; not before the polling interval has passed.
   *
   * @example
   * const { state } = await acme.signing.pollQualified({ processKey, signeeKey }, session.token);
   */
  pollQualified: forSignee([...signingErrors.poll, gone], async (ports, request, token: string) => {
    await notePoll(ports, token);
    return pollQualified(ports, { ...request, token });
  }),
  /**
   * Refuses to sign: the end of the process, where the flow permits it.
   *
   * @example
   * await acme.signing.decline({ processKey, signeeKey }, 'Wrong amount');
   */
  decline: forSignee(
    [...place, ...ownTurnCodes, unproved, 'process.state.refused'],
    declineDocument,
  ),
  /**
   * Starts a login with an electronic identity.
   *
   * @example
   * const choice = { channel: 'Sim', loginHint: '6666666' };
   * const session = await acme.signing.startAuth({ processKey, signeeKey }, choice);
   */
  startAuth: forSignee(
    [
      ...place,
      ...closedCodes,
      unprovable,
      'authentication.error.idp.start',
      mismatch,
      'authentication.start.too_frequent',
    ],
    (ports, request, choice: EidChoice) => startAuth(ports, { ...request, ...choice }),
  ),
  /**
   * Asks how it stands; not before the polling interval has passed.
   *
   * @example
   * const { state } = await acme.signing.pollAuth({ processKey, signeeKey }, session.token);
   */
  pollAuth: forSignee(
    [...place, ...closedCodes, mismatch, gone],
    async (ports, request, token: string) => {
      await notePoll(ports, token);
      return pollAuth(ports, { ...request, token });
    },
  ),
};

/** The methods of {@link signingOperations}. */
export type SigningService = Service<typeof signingOperations>;

/** A login that is asked about is not given up for another one of its number. */
async function notePoll({ store, now }: SigningPorts, token: string): Promise<void> {
  await store.writeLightly((unit) => unit.polls.take(challengePace(token), now(), 0));
}

/** Details that a client states, as one short line each: they are stored and shown as evidence. */
function observed({ ip, userAgent }: Circumstances = {}): Circumstances {
  return defined({
    ip: ip && plainText(ip.slice(0, 64)),
    userAgent: userAgent && plainText(userAgent.slice(0, 400)),
  });
}
