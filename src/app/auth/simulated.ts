import type { LoginScheme } from '../../domain/auth/index.ts';
import { restsOnTest, type Signee } from '../../domain/process/index.ts';
import { testPersonOutcome } from '../../domain/signing/index.ts';
import type { ForeignScheme } from '../ports/index.ts';
import type { AuthPorts } from './ports.ts';

/** True when a simulator answers: as the provider of the scheme, or for what the signee does. */
export function isSimulated(
  { identity, foreign, simulated }: Pick<AuthPorts, 'identity' | 'foreign' | 'simulated'>,
  scheme: LoginScheme | ForeignScheme | undefined,
  signee?: Signee,
): boolean {
  const provider = scheme === undefined || scheme === 'sim-app' ? identity : foreign[scheme];
  if (scheme !== undefined) return provider.isSimulated;
  if (signee === undefined) return false;
  const { signatureType, phoneNumber } = signee;
  if (signatureType === 'Qualified') return provider.isSimulated;
  const isTestNumber = phoneNumber !== undefined && testPersonOutcome(phoneNumber) !== undefined;
  return restsOnTest(signee) || (signatureType === 'Simple' && simulated && isTestNumber);
}
