import { codeOf } from '../../base/errors.ts';
import { loginDeadlineMs } from '../../domain/auth/index.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import { runCommand } from '../service/index.ts';
import {
  type EidChoice,
  graceMs,
  requireProvable,
  type StartedSession,
  startRequest,
} from './eid-session.ts';
import { readSignee, requireType, type SigneeRequest } from './find-signee.ts';
import type { SigningPorts } from './ports.ts';

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
  const { processKey, signeeKey } = request;
  const found = await readSignee(ports, request);
  requireType(found, 'Qualified');
  await requireProvable(ports, found, request.channel);
  const start = startRequest(request, found.signee, 'sign', found.process.fileName);
  const leaseMs = loginDeadlineMs + graceMs;
  const command = { type: 'startSigning', signeeKey, leaseMs } as const;
  const leased = await runCommand(ports, processKey, command, found.process);
  const leaseToken = leased.leaseToken;
  const startedAtMs = ports.now();
  try {
    const session = await ports.identity.start(start);
    const token = Buffer.from(ports.random(32)).toString('hex');
    await ports.store.write((unit) =>
      unit.challenges.add({
        token,
        kind: 'eid-sign',
        processKey,
        signeeKey,
        tries: 0,
        createdAtMs: startedAtMs,
        expiresAtMs: startedAtMs + loginDeadlineMs,
        leaseToken,
        providerRef: session.ref,
        provider: ports.identity.name,
        pollingMs: session.pollingIntervalSeconds * 1000,
        state: 'waiting',
      }),
    );
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
