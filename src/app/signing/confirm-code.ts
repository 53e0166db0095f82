import { timingSafeEqual } from 'node:crypto';
import { InnsigliError } from '../../base/errors.ts';
import {
  type ActivityDraft,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import {
  afterWrongCode,
  type Challenge,
  type CodeFailure,
  codeRefusal,
  codeTries,
  testPersonOutcome,
  typedCode,
} from '../../domain/signing/index.ts';
import { appendActivity } from '../activity/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { commitSignature } from './commit-signature.ts';
import { lockSigner, type SigneeRequest } from './find-signee.ts';
import { sessionIdOf } from './login/session-id.ts';
import type { SigningPorts } from './ports.ts';
import { codeContext } from './start-code.ts';

/** A signee's answer to a one-time code. */
export interface CodeAnswer extends SigneeRequest {
  readonly token: string;
  readonly code: string;
}

/**
 * Signs for a signee who has the right one-time code (`Simple`): the key of the company signs in
 * their name. Wrong codes are counted before anything else happens; the right one can be given
 * again until the signature is in its place.
 *
 * @returns the process with the signature
 * @throws 1120 for a wrong code, 1121 for one that is too old or was guessed at too often
 * @throws 1122 for an unknown token
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002, process.conflict
 */
export async function confirmCode(
  ports: SigningPorts,
  answer: CodeAnswer,
): Promise<SigningProcess> {
  const { token, code: _code, ...request } = answer;
  const checked = await ports.store.write((unit) => checkAnswer(unit, ports, answer));
  if ('failure' in checked) throw codeError(checked);
  return commitSignature(
    {
      ...request,
      method: 'code',
      provedBy: 'code',
      channel: checked.channel,
      sessionId: sessionIdOf(token),
      type: 'Simple',
      also: (unit) => unit.challenges.save({ ...checked.challenge, state: 'done' }),
    },
    ports,
  );
}

interface CheckedAnswer {
  readonly challenge: Challenge;
  /** How the code came to who gave it; with a test number any code is right. */
  readonly channel: 'Sms' | 'Email' | 'TestNumber';
}

interface RefusedAnswer {
  readonly failure: CodeFailure;
  /** All tries of this code are used up. */
  readonly isSpent?: boolean;
}

async function checkAnswer(
  unit: StoreUnit,
  ports: SigningPorts,
  answer: CodeAnswer,
): Promise<CheckedAnswer | RefusedAnswer> {
  const { processKey, signeeKey, token, circumstances } = answer;
  // The process is locked first: answers to one code wait for each other.
  const { process, signee, nowMs } = await lockSigner(unit, ports, answer, 'Simple');
  const { phoneNumber } = signee;
  const challenge = await unit.challenges.find(token);
  const isOurs =
    challenge?.kind === 'code' &&
    challenge.processKey === processKey &&
    challenge.signeeKey === signeeKey;
  if (!isOurs) return { failure: '1122' };
  const outcome =
    ports.simulated && phoneNumber !== undefined ? testPersonOutcome(phoneNumber) : undefined;
  if (outcome !== undefined && outcome !== 'valid') return { failure: outcome };
  const refused = codeRefusal(challenge, nowMs);
  const isSpent = challenge.tries >= codeTries;
  if (refused !== undefined) return { failure: refused, isSpent };
  const isCode = isRight(ports, challenge, answer.code);
  if (outcome !== 'valid' && !isCode) {
    const after = afterWrongCode(challenge);
    await unit.challenges.save(after);
    const row: ActivityDraft = {
      status: 'CodeRefused',
      signeeKey,
      createdBy: systemActor,
      description: `attempt ${after.tries}`,
      personal: { ...circumstances },
    };
    await appendActivity(unit, ports, process, [row], nowMs);
    return { failure: '1120', isSpent: after.tries >= codeTries };
  }
  if (!isCode) return { challenge, channel: 'TestNumber' };
  return { challenge, channel: phoneNumber === undefined ? 'Email' : 'Sms' };
}

function isRight({ vault }: SigningPorts, { token, codeHash }: Challenge, code: string): boolean {
  const expected = Buffer.from(codeHash ?? '', 'hex');
  const found = Buffer.from(vault.mac(typedCode(code), codeContext(token)), 'hex');
  return expected.length === found.length && timingSafeEqual(expected, found);
}

function codeError({ failure, isSpent = false }: RefusedAnswer): InnsigliError {
  const sentences: Readonly<Record<CodeFailure, string>> = {
    1120: 'the one-time code is wrong',
    1121: isSpent ? 'too many wrong one-time codes' : 'the one-time code has expired',
    1122: 'there is no such one-time code',
  };
  const hint =
    failure === '1120' && !isSpent ? 'use the code of the newest message' : 'ask for a new code';
  return new InnsigliError(failure, sentences[failure], { hint });
}
