import { CoreError } from '../../base/errors.ts';
import { clientShareName } from '../../base/ip-address.ts';
import { normalPhone } from '../../domain/person/index.ts';
import type { Signee } from '../../domain/process/index.ts';
import {
  codeLifeMs,
  codesADay,
  codesADayByClient,
  codesAtOnce,
  codesAtOnceByClient,
  codesShareOfAdded,
  newCode,
  testPersonOutcome,
  usualCodeBounds,
} from '../../domain/signing/index.ts';
import type { Span } from '../../domain/tally/index.ts';
import { takeTimes } from '../counted-times.ts';
import { queueMessage, requireChannel } from '../message/index.ts';
import type { StoreUnit } from '../ports/index.ts';
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
    await requireRoom(unit, request, nowMs);
    await takeShare(unit, request, nowMs);
    await takeOfReader(unit, ports, signee, channel, nowMs);
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
  throw new CoreError('message.phone.missing', 'the signee has neither phone nor e-mail address');
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** New codes bring new tries, so there are not many of them. */
async function requireRoom(
  unit: StoreUnit,
  { processKey, signeeKey }: SigneeRequest,
  nowMs: number,
): Promise<void> {
  const messages = await unit.messages.ofProcess(processKey);
  const sentAtMs = messages
    .filter((each) => each.template === 'OneTimeCode' && each.signeeKey === signeeKey)
    .map(({ createdAtMs }) => createdAtMs);
  const bounds = [
    [codeLifeMs, codesAtOnce],
    [dayMs, codesADay],
  ] as const;
  for (const [spanMs, most] of bounds) {
    const recent = sentAtMs.filter((atMs) => atMs > nowMs - spanMs);
    if (recent.length < most) continue;
    throw tooMany(`${most} codes were sent, no more for now`, Math.min(...recent) + spanMs - nowMs);
  }
}

/** Takes one of the codes that this client may ask for. */
async function takeShare(
  unit: StoreUnit,
  { processKey, signeeKey, circumstances }: SigneeRequest,
  nowMs: number,
): Promise<void> {
  const client = clientShareName(circumstances.ip);
  if (client === undefined) return;
  const subject = `code for ${processKey} ${signeeKey} by client ${client}`;
  const spans: readonly Span[] = [
    [codeLifeMs, codesAtOnceByClient],
    [dayMs, codesADayByClient],
  ];
  const waitMs = await takeTimes(unit, [{ subject, spans }], nowMs);
  if (waitMs > 0) throw tooMany('enough codes were sent to this client for now', waitMs);
}

/**
 * Takes one of the codes that this phone or mailbox may get, whoever's the document is. Who was
 * added by link has a number that a link has named: all of them together leave most to the person.
 */
async function takeOfReader(
  unit: StoreUnit,
  ports: SigningPorts,
  signee: Signee,
  channel: StartedCode['channel'],
  nowMs: number,
): Promise<void> {
  const { phoneNumber = '', email = '', byLink } = signee;
  if (channel === 'Sms' && isFreeNumber(ports, phoneNumber)) return;
  const reader = channel === 'Sms' ? normalPhone(phoneNumber) : email.trim().toLowerCase();
  const { anHour, aDay } = ports.codeBounds ?? usualCodeBounds;
  const part = (most: number) => Math.max(1, Math.floor(most * codesShareOfAdded));
  const subject = `code to ${channel} ${reader}`;
  const own = { subject, spans: spansOf(anHour, aDay) };
  const added = { subject: `${subject}, added`, spans: spansOf(part(anHour), part(aDay)) };
  const waitMs = await takeTimes(unit, byLink?.isAdded === true ? [own, added] : [own], nowMs);
  if (waitMs > 0) throw tooMany('enough codes were sent to this number for now', waitMs);
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

function tooMany(message: string, waitMs: number): CoreError {
  return new CoreError('process.state.refused', message, {
    details: { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) },
    hint: 'use the newest code, or wait',
  });
}
