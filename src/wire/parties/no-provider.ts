import type { ForeignScheme, IdentityProvider } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';

/**
 * A provider that rejects every login.
 *
 * @param scheme undefined for `Sim` and `App`
 * @param code error code for attempts to start a login
 * @param hint reason why there is no provider
 */
export function noProvider(
  scheme: ForeignScheme | undefined,
  code: 'authentication.error.idp.start' | 'eid.provider.error',
  hint: string,
): IdentityProvider {
  const refuse = async (): Promise<never> => {
    throw new InnsigliError(code, 'no identity provider is configured', { hint });
  };
  const name = `none ${scheme ?? ''}`.trim();
  const facts = { name, isSimulated: false, phoneChannels: [], pollMs: 0 } as const;
  const cancel = async () => undefined;
  const none = { certificates: refuse, signature: refuse, evidence: refuse };
  return { ...facts, ...none, start: refuse, poll: refuse, cancel };
}
