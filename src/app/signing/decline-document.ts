import { invalid } from '../../base/input.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import { runCommand } from '../service/index.ts';
import { readSignee, type SigneeRequest, type SigningPorts } from './find-signee.ts';

const REASON_MAX = 2000;

/**
 * Refuses to sign, which ends the process for all; only where the flow lets signees decline.
 *
 * @throws validation.error without a reason, process.not_found, error.signee.not_found
 * @throws signing.forbidden.*, process.state.refused when the flow does not permit it
 */
export async function declineDocument(
  ports: SigningPorts,
  request: SigneeRequest,
  text: string,
): Promise<SigningProcess> {
  const reason = typeof text === 'string' ? text.trim() : '';
  if (reason === '' || reason.length > REASON_MAX) {
    invalid('reason', `expected 1 to ${REASON_MAX} characters`);
  }
  const { processKey, signeeKey, circumstances } = request;
  const { process } = await readSignee(ports, request);
  const command = { type: 'decline', signeeKey, reason, circumstances } as const;
  return runCommand(ports, processKey, command, process);
}
