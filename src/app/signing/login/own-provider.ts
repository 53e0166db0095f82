import type { IdentityProvider, ServedMethod } from '../../ports/index.ts';
import type { SigningPorts } from '../find-signee.ts';

/** Selects the provider of a method for the company and flow of a process. */
export function withProviderFor<P extends SigningPorts>(
  ports: P,
  method: ServedMethod,
  { companyKey, flowKey }: { readonly companyKey: string; readonly flowKey?: string | undefined },
): P {
  const identity = ports.providers?.choose(method, { companyKey, flowKey });
  return identity === undefined ? ports : { ...ports, identity };
}

/** Selects the provider that started the session of a token. */
export async function withProviderOfToken<P extends SigningPorts>(
  ports: P,
  token: string,
): Promise<P> {
  if (ports.providers === undefined && ports.foreign === undefined) return ports;
  const challenge = await ports.store.read((unit) => unit.challenges.find(token));
  const identity = providerNamed(ports, challenge?.provider);
  return identity === undefined ? ports : { ...ports, identity };
}

/** Returns the provider with that name. */
export function providerNamed(
  { identity, foreign, providers }: Pick<SigningPorts, 'identity' | 'foreign' | 'providers'>,
  name: string | undefined,
): IdentityProvider | undefined {
  if (name === undefined) return undefined;
  const known = [identity, ...Object.values(foreign ?? {})];
  return known.find((each) => each.name === name) ?? providers?.named(name);
}
