import { CoreError } from '../base/errors.ts';
import { isLoopbackHost } from '../base/loopback.ts';
import type { DiagnosisWish, Toolkit } from './toolkit.types.ts';

/**
 * Requires that a program that runs for long can do its work: a key that is strong enough and, with
 * `strict`, every check of `innsigli doctor`. What may pass by itself, such as a mail server that
 * is away, keeps nothing from starting.
 *
 * @throws key.weak
 * @throws config.invalid when a check fails
 */
export async function requireFitness(
  toolkit: Toolkit,
  strict: boolean,
  wish: DiagnosisWish = {},
): Promise<void> {
  await toolkit.requireStrongKey();
  if (!strict) return;
  const found = await toolkit.diagnose({ ...wish, isService: true });
  const failed = found.filter(({ status, passing }) => status === 'failed' && passing !== true);
  if (failed.length === 0) return;
  const said = failed.map(({ name, message }) => `${name}: ${message}`).join('; ');
  throw new CoreError('config.invalid', `production cannot begin: ${said}`, {
    hint: 'innsigli doctor tells more',
  });
}

/** Where a server listens, and who stands before it. */
export interface ListeningPlace {
  readonly host: string;
  readonly tls?: unknown;
  readonly trustProxy?: readonly string[];
}

/**
 * Requires that credentials and documents do not travel in clear: TLS here, or at a proxy that is
 * named, or an address that only this machine reaches.
 *
 * @throws config.invalid
 */
export function requireSafePlace({ host, tls, trustProxy = [] }: ListeningPlace): void {
  if (tls !== undefined || trustProxy.length > 0 || isLoopbackHost(host)) return;
  throw new CoreError('config.invalid', `production on ${host}: expected TLS, found plain HTTP`, {
    hint: '--tls-key and --tls-cert, or --trust-proxy with the address of the proxy that has TLS',
  });
}
