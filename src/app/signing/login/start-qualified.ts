import { defined } from '../../../base/defined.ts';
import { codeOf } from '../../../base/errors.ts';
import { loginDeadlineMs } from '../../../domain/auth/index.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import type { Challenge } from '../../../domain/signing/index.ts';
import { runCommand } from '../../service/index.ts';
import {
  readSignee,
  requireType,
  type SigneeInProcess,
  type SigneeRequest,
} from '../find-signee.ts';
import type { SigningPorts } from '../ports.ts';
import { openChallenge, promptOf } from '../signee-prompt.ts';
import {
  type EidChoice,
  graceMs,
  requirePlaces,
  type StartedSession,
  startRequest,
} from './eid-session.ts';
import { type HeldPrompt, withPrompt } from './login-prompt.ts';

/**
 * Starts a signature with the signee's own electronic identity (`Qualified`). Nobody else can sign
 * the document until it is done, has failed, or its time is over.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002
 * @throws validation.error without a number, authentication.error.idp.start
 * @throws authentication.error.signee.unprovable when no such identity can be the signee's
 */
export async function startQualified(
  ports: SigningPorts,
  request: SigneeRequest & EidChoice,
): Promise<StartedSession> {
  const found = await readSignee(ports, request);
  requireType(found, 'Qualified');
  const places = await requirePlaces(ports, found, request.channel);
  const { start, standing } = startRequest(request, places, 'sign', found.process.fileName);
  const prompt = promptOf(ports, request, found.process, start.loginHint, standing);
  return withPrompt(ports, prompt, (held) => leaseAndStart(ports, request, found, start, held));
}

async function leaseAndStart(
  ports: SigningPorts,
  request: SigneeRequest,
  found: SigneeInProcess,
  start: ReturnType<typeof startRequest>['start'],
  held: HeldPrompt,
): Promise<StartedSession> {
  const { processKey, signeeKey } = request;
  const leaseMs = loginDeadlineMs + graceMs;
  const command = { type: 'startSigning', signeeKey, leaseMs } as const;
  const leased = await runCommand(ports, processKey, command, found.process);
  const leaseToken = leased.leaseToken;
  const startedAtMs = ports.now();
  // Who has held the document before gets what is left; nobody answers into a time that is over.
  const { untilMs = startedAtMs } = leased.lease ?? {};
  try {
    const session = await ports.identity.start(start);
    const token = Buffer.from(ports.random(32)).toString('hex');
    const challenge: Challenge = {
      token,
      kind: 'eid-sign',
      processKey,
      signeeKey,
      tries: 0,
      createdAtMs: startedAtMs,
      expiresAtMs: Math.min(startedAtMs + loginDeadlineMs, untilMs),
      ...defined({ leaseToken }),
      providerRef: session.ref,
      provider: ports.identity.name,
      pollingMs: session.pollingIntervalSeconds * 1000,
      state: 'waiting',
    };
    await ports.store.write(async (unit) => {
      await unit.challenges.add(challenge);
      await held.note(unit, openChallenge(challenge));
    });
    const { ref: _kept, ...shown } = session;
    return { token, ...shown };
  } catch (error) {
    await giveBack(ports, leased, request, error);
    throw error;
  }
}

async function giveBack(
  ports: SigningPorts,
  leased: SigningProcess,
  { signeeKey }: SigneeRequest,
  error: unknown,
): Promise<void> {
  const cause = codeOf(error);
  const { key, leaseToken: token } = leased;
  await runCommand(ports, key, { type: 'abandonSigning', signeeKey, token, cause }, leased);
}
