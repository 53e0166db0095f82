import { isCoreError } from '../../base/errors.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import { runCommand } from '../service/index.ts';
import { type EidChoice, type StartedSession, sessionMs, startRequest } from './eid-session.ts';
import { readSignee, requireType, type SigneeRequest } from './find-signee.ts';
import type { SigningPorts } from './ports.ts';

/** Time behind the end of a session in which its signature can still be put in place. */
const GRACE_MS = 30_000;

/**
 * Starts a signature with the signee's own electronic identity (`Qualified`). Nobody else can sign
 * the document until it is done, has failed, or its time is over.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002
 * @throws validation.error without a number, authentication.error.idp.start
 */
export async function startQualified(
  ports: SigningPorts,
  request: SigneeRequest & EidChoice,
): Promise<StartedSession> {
  const { processKey, signeeKey } = request;
  const found = await readSignee(ports, request);
  requireType(found, 'Qualified');
  const start = startRequest(request, found.signee, 'sign', found.process.fileName);
  const leaseMs = sessionMs + GRACE_MS;
  const leased = await runCommand(ports, processKey, { type: 'startSigning', signeeKey, leaseMs });
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
        expiresAtMs: startedAtMs + sessionMs,
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
  { key, leaseToken: token }: SigningProcess,
  { signeeKey }: SigneeRequest,
  error: unknown,
): Promise<void> {
  const cause = isCoreError(error) ? error.code : 'internal.unexpected';
  await runCommand(ports, key, { type: 'abandonSigning', signeeKey, token, cause });
}
