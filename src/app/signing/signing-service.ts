import { invalid } from '../../base/input.ts';
import {
  closedCodes,
  ownTurnCodes,
  type SigningProcess,
  signingCodes,
} from '../../domain/process/index.ts';
import type { Service } from '../operation.ts';
import { runCommand } from '../service/index.ts';
import { forSignee, readSignee, type SigningPorts } from './find-signee.ts';
import { pollAuth, startAuth } from './login/auth.ts';
import { type EidChoice, mismatchCode } from './login/eid-session.ts';
import { challengePace } from './login/login-prompt.ts';
import { pollQualified, startQualified } from './login/qualified.ts';
import { confirmCode, startCode } from './one-time-code.ts';
import { signByClick } from './sign-by-click.ts';
import { viewOperations } from './view-document.ts';

const place = ['process.not_found', 'error.signee.not_found'] as const;
const unproved = 'signing.forbidden.verification.missing';
const unprovable = 'authentication.error.signee.unprovable';
const gone = 'authentication.token.invalid';
const toSign = [...place, ...signingCodes, 'signing.forbidden.type', 'process.conflict'] as const;

/** Error codes of the signing methods. */
export const signingErrors = {
  click: [...toSign, mismatchCode],
  sendCode: [...toSign, 'process.state.refused', 'message.channel.none'],
  code: [...toSign, mismatchCode, '1120', '1121', '1122'],
  qualified: [
    ...toSign,
    unprovable,
    'authentication.error.idp.start',
    mismatchCode,
    'authentication.start.too_frequent',
  ],
  foreign: [...toSign, 'eid.provider.error', unprovable, 'authentication.start.too_frequent'],
  poll: [
    ...place,
    mismatchCode,
    'authentication.poll.too_frequent',
    'signing.forbidden.canceled',
    'signing.forbidden.blocked',
    'process.conflict',
  ],
} as const;

const REASON_MAX = 2000;

/**
 * Operations of a signee. Each may throw process.not_found, error.signee.not_found, and the
 * signing.forbidden.* code or 2002 of the rule that refuses it.
 */
export const signingOperations = {
  ...viewOperations,
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
  sendCode: forSignee(signingErrors.sendCode, startCode, ['message.phone.missing']),
  /**
   * Signs with the one-time code.
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
   * Returns the status of a signature. Poll no more often than the polling interval allows.
   *
   * @example
   * const { state } = await acme.signing.pollQualified({ processKey, signeeKey }, session.token);
   */
  pollQualified: forSignee([...signingErrors.poll, gone], async (ports, request, token: string) => {
    await notePoll(ports, token);
    return pollQualified(ports, { ...request, token });
  }),
  /**
   * Declines to sign, which ends the process. The flow must permit it.
   *
   * @example
   * await acme.signing.decline({ processKey, signeeKey }, 'Wrong amount');
   */
  decline: forSignee(
    [...place, ...ownTurnCodes, unproved, 'process.state.refused'],
    async (ports, request, reason: string): Promise<SigningProcess> => {
      const text = typeof reason === 'string' ? reason.trim() : '';
      if (text === '' || text.length > REASON_MAX) {
        invalid('reason', `expected 1 to ${REASON_MAX} characters`);
      }
      const { processKey, signeeKey, circumstances } = request;
      const { process } = await readSignee(ports, request);
      const command = { type: 'decline', signeeKey, reason: text, circumstances } as const;
      return runCommand(ports, processKey, command, process);
    },
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
      mismatchCode,
      'authentication.start.too_frequent',
    ],
    (ports, request, choice: EidChoice) => startAuth(ports, { ...request, ...choice }),
  ),
  /**
   * Returns the status of a login. Poll no more often than the polling interval allows.
   *
   * @example
   * const { state } = await acme.signing.pollAuth({ processKey, signeeKey }, session.token);
   */
  pollAuth: forSignee(
    [...place, ...closedCodes, mismatchCode, gone],
    async (ports, request, token: string) => {
      await notePoll(ports, token);
      return pollAuth(ports, { ...request, token });
    },
  ),
};

/** The methods of {@link signingOperations}. */
export type SigningService = Service<typeof signingOperations>;

/** Records the poll: a login being polled does not give way to a new one for the same number. */
async function notePoll({ store }: SigningPorts, token: string): Promise<void> {
  await store.writeRelaxed((unit) => unit.polls.take(challengePace(token), 0));
}
