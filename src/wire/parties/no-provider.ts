import type { ForeignScheme, IdentityProvider } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';

/**
 * A provider that serves nobody.
 *
 * @param scheme absent: for `Sim` and `App`
 * @param code of the error of its starts
 * @param hint says why there is none
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
