import type { CompanyLogin } from '../../app/auth/index.ts';
import { isInnsigliError } from '../../base/errors.ts';
import type { EidFailure } from './eid-session.types.ts';

/**
 * The session of `start`, or why the provider has refused it. What is wrong with the configuration
 * or the request is thrown on.
 */
export async function startedOrRefused<T extends object = CompanyLogin>(
  start: () => Promise<T>,
): Promise<T | EidFailure> {
  try {
    return await start();
  } catch (error) {
    const isStart =
      isInnsigliError(error) &&
      (error.code === 'authentication.error.idp.start' || error.code === 'eid.provider.error');
    if (!isStart) throw error;
    const { reason, providerCode } = error.details as Readonly<Record<string, unknown>>;
    if (typeof reason !== 'string') throw error;
    const told = typeof providerCode === 'string' ? { providerCode } : {};
    return { state: 'failed', hint: reason, ...told };
  }
}

/** True for a start that was refused. */
export function isRefused(started: object): started is EidFailure {
  return 'state' in started && started.state === 'failed';
}
