import { type EidMethod, eidMethods, type LoginScheme } from '../../domain/auth/index.ts';
import type { EidFinding, IdentityProvider } from '../ports/index.ts';
import type { AuthPorts } from './ports.ts';

/** A way in which persons can log in or sign, and who answers for it. */
export interface EidMethodFacts {
  readonly method: EidMethod;
  /** Name of the provider: `simulator`. */
  readonly provider: string;
  /** Test persons answer: it proves nothing. */
  readonly isSimulated: boolean;
  /** It signs documents, too. */
  readonly signs: boolean;
}

/** A finding of {@link EidFinding} with what it is about. */
export interface EidMethodFinding extends EidFinding {
  readonly methods: readonly EidMethod[];
  /** Name of the provider. */
  readonly provider: string;
}

type Providers = Pick<AuthPorts, 'identity' | 'foreign'>;

/** The provider of a method. */
export function providerOfMethod(ports: Providers, method: EidMethod): IdentityProvider {
  return method === 'sim' || method === 'app' ? ports.identity : ports.foreign[method];
}

/** The scheme of a method, as logins are kept. */
export function schemeOfMethod(method: EidMethod): LoginScheme {
  return method === 'sim' || method === 'app' ? 'sim-app' : method;
}

/** Methods for which somebody answers. */
export function configuredMethods(ports: Providers): readonly EidMethodFacts[] {
  const facts = eidMethods.map((method) => ({ method, from: providerOfMethod(ports, method) }));
  return facts
    .filter(({ from }) => isThere(from))
    .map(({ method, from }) => ({
      ...{ method, provider: from.name, isSimulated: from.isSimulated },
      signs: from.signing !== undefined && method !== 'device-link',
    }));
}

/** What the providers say of themselves, and of which methods nobody answers for. */
export async function checkMethods(ports: Providers): Promise<readonly EidMethodFinding[]> {
  const found: EidMethodFinding[] = [];
  for (const provider of new Set(eidMethods.map((each) => providerOfMethod(ports, each)))) {
    const methods = eidMethods.filter((each) => providerOfMethod(ports, each) === provider);
    const findings = isThere(provider) ? await findingsOf(provider) : [absent];
    found.push(...findings.map((each) => ({ methods, provider: provider.name, ...each })));
  }
  return found;
}

const absent: EidFinding = {
  name: 'configuration',
  isOk: true,
  message: 'no provider is configured: nobody can log in or sign this way',
};

async function findingsOf(provider: IdentityProvider): Promise<readonly EidFinding[]> {
  try {
    return (await provider.check?.()) ?? [];
  } catch (error) {
    // A check that fails is a finding itself; messages of drivers hold no secrets.
    const why = error instanceof Error ? error.message : 'unknown';
    return [{ name: 'check', isOk: false, message: `the check has failed: ${why}` }];
  }
}

/** A method without a driver has a provider that refuses everything, and is called so. */
function isThere({ name }: IdentityProvider): boolean {
  return !/^none\b/.test(name);
}
