import { defined } from '../../base/defined.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import { commitSignature, type SignatureCommit } from './commit-signature.ts';
import type { SigneeRequest, SigningPorts } from './find-signee.ts';
import type { SignatureOrder } from './sign-document.ts';

/** A request to sign, with an optional drawn signature. */
export interface DrawnRequest extends SigneeRequest, Pick<SignatureOrder, 'drawing'> {}

/**
 * Signs for a signee who confirms with a click (`ClickToSign`): the company's key signs on their
 * behalf.
 *
 * @param also further writes in the transaction of the signature
 * @returns the process with the signature
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002, process.conflict
 */
export function signByClick(
  ports: SigningPorts,
  request: DrawnRequest,
  also?: SignatureCommit['also'],
): Promise<SigningProcess> {
  const commit: SignatureCommit = {
    ...request,
    ...{ method: 'click', provedBy: 'click', type: 'ClickToSign' },
    ...defined({ also }),
  };
  return commitSignature(commit, ports);
}
