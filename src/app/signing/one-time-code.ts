import { isSameSecret } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { clientShareName } from '../../base/network/ip-address.ts';
import type { Count, Span } from '../../domain/login-bounds.ts';
import { normalPhone } from '../../domain/person/index.ts';
import {
  type ActivityDraft,
  type Signee,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import {
  afterWrongCode,
  type Challenge,
  type CodeBounds,
  type CodeFailure,
  codeLifeMs,
  codeRefusal,
  codesADay,
  codesAtOnce,
  codesShareOfAdded,
  codesShareOfClient,
  codesShareOfLink,
  codeTries,
  newCode,
  testPersonOutcome,
  typedCode,
  usualCodeBounds,
} from '../../domain/signing/index.ts';
import { appendActivity } from '../activity/index.ts';
import { countEvent, rateLimitError } from '../counted-times.ts';
import { queueMessage, requireChannel } from '../message/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { commitSignature } from './commit-signature.ts';
import { lockSigner, type SigneeRequest, type SigningPorts } from './find-signee.ts';
import { sessionIdOf } from './login/eid-session.ts';
import type { DrawnRequest } from './sign-by-click.ts';

/** A one-time code that was queued for sending. */
export interface StartedCode {
  /** Unpredictable token, to be submitted with the code. */
  readonly token: string;
  readonly channel: 'Sms' | 'Email';
  readonly expiresAtMs: number;
}

/**
 * Sends a one-time code to a signee (`Simple`) by text message, or by mail if the signee has no
 * phone number. Only the message contains the code itself; the store contains a keyed digest.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002
 * @throws message.channel.none if the channel is closed
 * @throws message.phone.missing if the signee has neither phone number nor e-mail address
 * @throws process.state.refused if too many codes were requested
 */
export async function startCode(ports: SigningPorts, request: SigneeRequest): Promise<StartedCode> {
  const { processKey, signeeKey } = request;
  const token = Buffer.from(ports.random(32)).toString('hex');
  const code = newCode(ports.random);
  return ports.store.write(async (unit) => {
    const { process, signee, nowMs } = await lockSigner(unit, ports, request, 'Simple');
    const expiresAtMs = nowMs + codeLifeMs;
    const channel = channelTo(signee);
    requireChannel(ports, channel, 'the code');
    const bounds = ports.codeBounds ?? usualCodeBounds;
    const counts = [
      ...countsOfAsker(request, bounds),
      ...countsOfReader(ports, signee, channel, bounds),
    ];
    const waitMs = await countEvent(unit, counts, nowMs);
    if (waitMs > 0) {
      const hint = 'use the newest code, or wait';
      throw rateLimitError('process.state.refused', 'too many codes were sent', waitMs, hint);
    }
    await unit.challenges.add({
      token,
      kind: 'code',
      processKey,
      signeeKey,
      codeHash: ports.vault.mac(code, codeContext(token)),
      tries: 0,
      createdAtMs: nowMs,
      expiresAtMs,
      state: 'waiting',
    });
    const draft = { template: 'OneTimeCode', channel, signeeKey } as const;
    await queueMessage(unit, ports, process, draft, { code }, nowMs);
    return { token, channel, expiresAtMs };
  });
}

/** Binds the digest of a code to its challenge. */
function codeContext(token: string): string {
  return `challenge.code ${token}`;
}

function channelTo({ phoneNumber, email }: Signee): StartedCode['channel'] {
  if (phoneNumber !== undefined) return 'Sms';
  if (email !== undefined) return 'Email';
  throw new InnsigliError(
    'message.phone.missing',
    'the signee has neither phone nor e-mail address',
  );
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * Limits new codes, since each allows further attempts. The holder of a link gets only a share: the
 * rest is left for the actual signee, who has a different IP address. The company is counted
 * separately.
 */
function countsOfAsker(
  { processKey, signeeKey, companyKey, circumstances }: SigneeRequest,
  { anHour, aDay }: CodeBounds,
): readonly Count[] {
  const subject = `code for ${processKey} ${signeeKey}`;
  if (companyKey !== undefined) {
    const spans = [[codeLifeMs, codesAtOnce] as const, [dayMs, codesADay] as const];
    return [{ subject: `${subject} by company`, spans }];
  }
  const ofLink: readonly Span[] = [
    [codeLifeMs, codesAtOnce],
    [hourMs, shareOf(anHour, codesShareOfLink)],
    [dayMs, Math.min(codesADay, shareOf(aDay, codesShareOfLink))],
  ];
  const link = { subject: `${subject} by link`, spans: ofLink };
  const client = clientShareName(circumstances.ip);
  if (client === undefined) return [link];
  const ofClient = ofLink.map(([ms, most]) => [ms, shareOf(most, codesShareOfClient)] as const);
  return [{ subject: `${subject} by client ${client}`, spans: ofClient }, link];
}

/**
 * The limits of this phone or mailbox, across all documents. Numbers of signees added through a
 * link are unverified: all such signees together leave the larger share to the owner of the number.
 */
function countsOfReader(
  ports: SigningPorts,
  { phoneNumber = '', email = '', byLink }: Signee,
  channel: StartedCode['channel'],
  { anHour, aDay }: CodeBounds,
): readonly Count[] {
  if (channel === 'Sms' && isFreeNumber(ports, phoneNumber)) return [];
  const reader = channel === 'Sms' ? normalPhone(phoneNumber) : email.trim().toLowerCase();
  const subject = `code to ${channel} ${reader}`;
  const own = { subject, spans: spansOf(anHour, aDay) };
  if (byLink?.isAdded !== true) return [own];
  const spans = spansOf(shareOf(anHour, codesShareOfAdded), shareOf(aDay, codesShareOfAdded));
  return [own, { subject: `${subject}, added`, spans }];
}

function shareOf(most: number, share: number): number {
  return Math.max(1, Math.floor(most * share));
}

function spansOf(anHour: number, aDay: number): readonly Span[] {
  return [
    [hourMs, anHour],
    [dayMs, aDay],
  ];
}

// Test numbers of the simulator belong to no one.
function isFreeNumber({ simulated, identity, loginBounds }: SigningPorts, phone: string): boolean {
  if (loginBounds?.boundsTestNumbers === true) return false;
  if (simulated && testPersonOutcome(phone) !== undefined) return true;
  return identity.isTestNumber?.(phone) === true;
}

/** A one-time code submitted by a signee. */
interface CodeAnswer extends DrawnRequest {
  readonly token: string;
  readonly code: string;
}

/**
 * Signs for a signee who submits the correct one-time code (`Simple`): the company's key signs on
 * their behalf. Incorrect codes are counted before anything else happens. The correct one can be
 * submitted again until the signature is committed.
 *
 * @returns the process with the signature
 * @throws 1120 if the code is incorrect, 1121 if it has expired or there were too many attempts
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
  /** Channel of the code. `TestNumber` accepts any code. */
  readonly channel: 'Sms' | 'Email' | 'TestNumber';
}

interface RefusedAnswer {
  readonly failure: CodeFailure;
  /** Whether all attempts for this code are used up. */
  readonly isSpent?: boolean;
}

async function checkAnswer(
  unit: StoreUnit,
  ports: SigningPorts,
  answer: CodeAnswer,
): Promise<CheckedAnswer | RefusedAnswer> {
  const { processKey, signeeKey, token, circumstances } = answer;
  // Locks the process first, which serializes attempts for the same code.
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
  // A test number accepts any code except an empty one.
  const isAny = outcome === 'valid' && typedCode(answer.code) !== '';
  if (!isAny && !isCode) {
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
  return isSameSecret(codeHash ?? '', vault.mac(typedCode(code), codeContext(token)));
}

function codeError({ failure, isSpent = false }: RefusedAnswer): InnsigliError {
  const sentences: Readonly<Record<CodeFailure, string>> = {
    1120: 'the one-time code is incorrect',
    1121: isSpent ? 'too many incorrect one-time codes' : 'the one-time code has expired',
    1122: 'the one-time code does not exist',
  };
  const hint =
    failure === '1120' && !isSpent ? 'use the code of the newest message' : 'request a new code';
  return new InnsigliError(failure, sentences[failure], { hint });
}
