import type { SigningProcess } from '../../domain/process/index.ts';
import { commitSignature } from './commit-signature.ts';
import type { SigneeRequest } from './find-signee.ts';
import type { SigningPorts } from './ports.ts';

/**
 * Signs for a signee who says so by a click (`ClickToSign`): the key of the company signs in
 * their name.
 *
 * @returns the process with the signature
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002, process.conflict
 */
export function signByClick(ports: SigningPorts, request: SigneeRequest): Promise<SigningProcess> {
  const { processKey, signeeKey, circumstances } = request;
  const how = { method: 'click', provedBy: 'click', type: 'ClickToSign' } as const;
  return commitSignature({ processKey, signeeKey, circumstances, ...how }, ports);
}
