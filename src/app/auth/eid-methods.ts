import { type EidMethod, eidMethods, type LoginScheme } from '../../domain/auth/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type {
  EidFinding,
  IdentityProvider,
  IdentityProviders,
  IdentityRequest,
} from '../ports/index.ts';
import type { AuthPorts } from './ports.ts';

/** A method by which persons can log in or sign, and its provider. */
export interface EidMethodFacts {
  readonly method: EidMethod;
  /** Name of the provider: `simulator`. */
  readonly provider: string;
  /** Whether test persons respond: then the result proves nothing. */
  readonly isSimulated: boolean;
  /** Whether the method signs documents too. */
  readonly signs: boolean;
}

/** A finding of {@link EidFinding} with the provider and methods it concerns. */
export interface EidMethodFinding extends EidFinding {
  readonly methods: readonly EidMethod[];
  /** Name of the provider. */
  readonly provider: string;
}

type Providers = Pick<AuthPorts, 'identity' | 'foreign' | 'providers'>;

/** Company and flow that determine the provider. */
type Place = Parameters<IdentityProviders['choose']>[1];

/** The provider of a method for a company and flow. */
export function providerOfMethod(
  ports: Providers,
  method: EidMethod,
  place: Place = {},
): IdentityProvider {
  return providerFor(ports, schemeOfMethod(method), method === 'sim' ? 'Sim' : 'App', place);
}

/** The provider at which a login is to be started. */
export function providerFor(
  ports: Providers,
  scheme: LoginScheme,
  channel: IdentityRequest['channel'],
  place: Place,
): IdentityProvider {
  const method = scheme === 'sim-app' ? channel : scheme;
  return ports.providers?.choose(method, place) ?? usualProvider(ports, scheme);
}

/** The default provider of a scheme, used if company and flow select none. */
export function usualProvider(
  { identity, foreign }: Omit<Providers, 'providers'>,
  scheme: LoginScheme,
): IdentityProvider {
  return scheme === 'sim-app' ? identity : foreign[scheme];
}

/** The scheme under which logins by a method are stored. */
export function schemeOfMethod(method: EidMethod): LoginScheme {
  return method === 'sim' || method === 'app' ? 'sim-app' : method;
}

/** Methods with a configured provider for the company, or for the given flow. */
export function configuredMethods(
  ports: Providers,
  companyKey: CompanyKey,
  flowKey?: string,
): readonly EidMethodFacts[] {
  const place = { companyKey, flowKey };
  const from = (method: EidMethod) => providerOfMethod(ports, method, place);
  const facts = eidMethods.map((method) => ({ method, from: from(method) }));
  return facts
    .filter(({ from }) => isConfigured(from))
    .map(({ method, from }) => ({
      ...{ method, provider: from.name, isSimulated: from.isSimulated },
      signs: from.signing !== undefined && method !== 'device-link',
    }));
}

/** Runs the checks of all providers and reports the methods without one. */
export async function checkMethods(
  ports: Providers,
  companyKey: CompanyKey,
): Promise<readonly EidMethodFinding[]> {
  const from = (method: EidMethod) => providerOfMethod(ports, method, { companyKey });
  const found: EidMethodFinding[] = [];
  for (const provider of new Set(eidMethods.map(from))) {
    const methods = eidMethods.filter((each) => from(each) === provider);
    const findings = isConfigured(provider) ? await findingsOf(provider) : [absent];
    found.push(...findings.map((each) => ({ methods, provider: provider.name, ...each })));
  }
  return found;
}

const absent: EidFinding = {
  name: 'configuration',
  isOk: true,
  message: 'no provider is configured: this method cannot be used to log in or sign',
};

async function findingsOf(provider: IdentityProvider): Promise<readonly EidFinding[]> {
  try {
    return (await provider.check?.()) ?? [];
  } catch (error) {
    // A failing check is itself a finding; error messages of drivers contain no secrets.
    const why = error instanceof Error ? error.message : 'unknown';
    return [{ name: 'check', isOk: false, message: `the check failed: ${why}` }];
  }
}

/** A method without a driver has a placeholder provider, named `none…`, that rejects everything. */
function isConfigured({ name }: IdentityProvider): boolean {
  return !/^none\b/.test(name);
}
