import { InnsigliError } from '../../base/errors.ts';
import { clientShareName } from '../../base/network/ip-address.ts';
import { normalPhone } from '../../domain/person/index.ts';
import type { Signee } from '../../domain/process/index.ts';
import {
  type CodeBounds,
  codeLifeMs,
  codesADay,
  codesAtOnce,
  codesShareOfAdded,
  codesShareOfClient,
  codesShareOfLink,
  newCode,
  testPersonOutcome,
  usualCodeBounds,
} from '../../domain/signing/index.ts';
import type { Count, Span } from '../../domain/tally/index.ts';
import { takeTimes } from '../counted-times.ts';
import { queueMessage, requireChannel } from '../message/index.ts';
import { lockSigner, type SigneeRequest } from './find-signee.ts';
import type { SigningPorts } from './ports.ts';

/** A one-time code on its way. */
export interface StartedCode {
  /** Unpredictable; to be given back with the code. */
  readonly token: string;
  readonly channel: 'Sms' | 'Email';
  readonly expiresAtMs: number;
}

/**
 * Sends a one-time code to a signee (`Simple`): by text message, or by mail to one without a
 * phone. The code itself is nowhere but in the message; what is kept is its keyed digest.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002
 * @throws message.phone.missing when the signee can be reached in no way
 * @throws process.state.refused when too many codes were asked for
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
    const waitMs = await takeTimes(unit, counts, nowMs);
    if (waitMs > 0) throw tooMany(waitMs);
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

/** What ties the digest of a code to its challenge. */
export function codeContext(token: string): string {
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
 * New codes bring new tries, so there are not many of them. Who has a link leaves some to its
 * signee, who comes from another address, and to the company, which counts apart.
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
 * What this phone or mailbox may get, whoever's the document is. Who was added by link has a
 * number that a link has named: all of them together leave most to the person.
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

// Nobody has a number of the simulator.
function isFreeNumber({ simulated, identity, loginBounds }: SigningPorts, phone: string): boolean {
  if (loginBounds?.boundsTestNumbers === true) return false;
  if (simulated && testPersonOutcome(phone) !== undefined) return true;
  return identity.isTestNumber?.(phone) === true;
}

function tooMany(waitMs: number): InnsigliError {
  return new InnsigliError('process.state.refused', 'too many codes were sent', {
    details: { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
    hint: 'use the newest code, or wait',
  });
}
