import { loginDeadlineMs } from '../../../domain/auth/index.ts';
import { closedRule } from '../../../domain/process/index.ts';
import type { Challenge } from '../../../domain/signing/index.ts';
import { refusalError } from '../../service/index.ts';
import { readSignee, type SigneeRequest } from '../find-signee.ts';
import type { SigningPorts } from '../ports.ts';
import { openChallenge, promptOf } from '../signee-prompt.ts';
import { type EidChoice, requirePlaces, type StartedSession, startRequest } from './eid-session.ts';
import { withPrompt } from './login-prompt.ts';

/**
 * Starts a login of a signee with an electronic identity.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*
 * @throws validation.error without a number, authentication.error.idp.start
 * @throws authentication.error.signee.unprovable when no such login can be the signee's
 */
export async function startAuth(
  ports: SigningPorts,
  request: SigneeRequest & EidChoice,
): Promise<StartedSession> {
  const { processKey, signeeKey } = request;
  const { process, signee } = await readSignee(ports, request);
  const nowMs = ports.now();
  const closed = signee.state === 'Signed' ? undefined : closedRule(process, { nowMs });
  if (closed !== undefined) throw refusalError(closed, nowMs);
  const places = await requirePlaces(ports, { process, signee }, request.channel);
  const { start, standing } = startRequest(request, places, 'auth', process.fileName);
  const prompt = promptOf(ports, request, process, start.loginHint, standing);
  return withPrompt(ports, prompt, async (held) => {
    const { ref, ...shown } = await ports.identity.start(start);
    const token = Buffer.from(ports.random(32)).toString('hex');
    const challenge: Challenge = {
      token,
      kind: 'eid-auth',
      processKey,
      signeeKey,
      tries: 0,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + loginDeadlineMs,
      providerRef: ref,
      provider: ports.identity.name,
      pollingMs: shown.pollingIntervalSeconds * 1000,
      state: 'waiting',
    };
    await ports.store.write(async (unit) => {
      await unit.challenges.add(challenge);
      await held.note(unit, openChallenge(challenge));
    });
    return { token, ...shown };
  });
}
