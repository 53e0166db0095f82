import { defined } from '../../base/defined.ts';
import {
  type ErrorFinding,
  InnsigliError,
  isInnsigliError,
  onCode,
  restated,
} from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import type { DiagnosisOptions, Toolkit } from '../toolkit.types.ts';

/** Address of a server, and the proxies in front of it. */
export interface ListeningPlace {
  readonly host: string;
  readonly tls?: unknown;
  readonly trustProxy?: readonly string[];
}

type Fitness = Pick<Toolkit, 'requireStrongKey' | 'diagnose'>;

/** Exit code for problems that must be fixed in settings or keys. */
const CONFIGURATION = 10;
const hint = 'check again with innsigli doctor --production';

/**
 * Checks that a long-running program can do its work: a key of sufficient strength and, with
 * `strict`, every check of `innsigli doctor` and a safe address. All problems are reported
 * together. Temporary failures, such as an unreachable mail server, do not prevent the start.
 *
 * @throws key.weak
 * @throws config.invalid if a check fails
 */
export async function requireFitness(
  toolkit: Fitness,
  strict: boolean,
  options: DiagnosisOptions = {},
  place?: ListeningPlace,
): Promise<void> {
  if (!strict) return toolkit.requireStrongKey();
  const weak = await toolkit.requireStrongKey().catch(onCode('key.weak', (error) => error));
  const findings = await refusals(toolkit, options, place);
  if (weak === undefined && findings.length === 0) return;
  const names = findings.map(({ name }) => name).join(', ');
  const { code, details } = weak ?? { code: 'config.invalid', details: {} };
  throw new InnsigliError(code, `production cannot start: ${names}`, { details, hint, findings });
}

/**
 * Adds all other problems that production rejects to the error that prevents opening the service. A
 * temporary error is returned unchanged, and so is one about a missing data directory: examining it
 * would create it.
 */
export async function withRefusals(
  error: unknown,
  toolkit: Fitness,
  options: DiagnosisOptions = {},
  place?: ListeningPlace,
): Promise<unknown> {
  if (!isInnsigliError(error) || error.kind.exitCode !== CONFIGURATION) return error;
  if (error.code === 'config.datadir.missing') return error;
  const all = await refusals(toolkit, options, place);
  const findings = all.filter(({ message }) => !message.startsWith(error.message));
  return restated(error, { findings });
}

async function refusals(
  toolkit: Fitness,
  options: DiagnosisOptions,
  place: ListeningPlace | undefined,
): Promise<readonly ErrorFinding[]> {
  const found = await toolkit.diagnose({ ...options, isService: true, closesData: true });
  const failed = found.filter(({ status, passing }) => status === 'failed' && passing !== true);
  return [
    ...(place === undefined || isSafePlace(place) ? [] : [unsafePlace(place)]),
    ...failed.map(({ name, message, hint: advice }) => ({
      name,
      message,
      ...defined({ hint: advice }),
    })),
  ];
}

/**
 * Whether credentials and documents are never sent in clear: TLS here or at a named proxy, or an
 * address that only this machine can reach.
 */
function isSafePlace({ host, tls, trustProxy = [] }: ListeningPlace): boolean {
  return tls !== undefined || trustProxy.length > 0 || isLoopbackHost(host);
}

function unsafePlace({ host }: ListeningPlace): ErrorFinding {
  return {
    name: 'address',
    message: `production on ${host}: expected TLS, found plain HTTP`,
    hint:
      'pass --tls-key and --tls-cert, or --trust-proxy with the address of the proxy that ' +
      'uses TLS',
  };
}
