import { defined } from '../../base/defined.ts';
import type { EidMethod } from '../../domain/auth/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { useCase } from '../operation.ts';
import {
  cancelSession,
  pollQualified,
  refreshSession,
  type SessionPoll,
  type SigneeRef,
  type StartedSession,
  signingErrors,
  startQualified,
} from '../signing/index.ts';
import { providerOfMethod } from './eid-methods.ts';
import type { AuthPorts } from './ports.ts';
import { signeeRequest } from './sign-with-token.ts';

/** A signature to be started by a program of the company for a signee. */
export interface CompanySigningRequest {
  readonly method: Exclude<EidMethod, 'device-link'>;
  /** Phone number for `sim`, national number for others. Default: that of the signee. */
  readonly loginHint?: string;
}

/** An e-ID session of a signee: a signature, or a login before it. */
export interface SigneeSession extends SigneeRef {
  readonly token: string;
  /** Default: `sign`. */
  readonly purpose?: 'sign' | 'login';
}

const gone = 'authentication.token.invalid';

/** Signatures started by a program of the company. */
export const signingOperations = {
  /**
   * Starts a signature of a signee (`Qualified`) by any method except a device link.
   *
   * @example
   * const place = { processKey, signeeKey };
   * const session = await acme.auth.startSigning(place, { method: 'eid-se' });
   */
  startSigning: useCase(
    [...new Set([...signingErrors.qualified, ...signingErrors.foreign])],
    async (
      ports: AuthPorts,
      companyKey,
      place: SigneeRef,
      { method, loginHint }: CompanySigningRequest,
    ): Promise<StartedSession> => {
      const request = { ...signeeRequest(place, place.circumstances ?? {}), companyKey };
      const channel = method === 'sim' ? 'Sim' : 'App';
      const choice = { channel, includeVerificationCode: true, ...defined({ loginHint }) } as const;
      // A default: `startQualified` chooses the provider by company and flow of the process.
      const identity = providerOfMethod(ports, method, { companyKey });
      const scheme = method === 'sim' || method === 'app' ? undefined : method;
      return startQualified({ ...ports, identity }, { ...request, ...choice }, scheme);
    },
  ),
  /**
   * Polls the state of a signature, at most once per polling interval.
   *
   * @example
   * const { state } = await acme.auth.pollSigning({ ...place, token: session.token });
   */
  pollSigning: useCase(
    [...signingErrors.poll, gone],
    async (ports: AuthPorts, companyKey, session: SigneeSession) =>
      pollQualified(ports, pollOf(companyKey, session)),
  ),
  /**
   * Returns the current text for the QR code of a signature or login of a signee, without a request
   * to the provider.
   *
   * @example
   * const link = await acme.auth.refreshSigning({ ...place, token: session.token });
   */
  refreshSigning: useCase(
    ['process.not_found', gone],
    async (ports: AuthPorts, companyKey, session: SigneeSession) =>
      refreshSession(ports, pollOf(companyKey, session), kindOf(session)),
  ),
  /**
   * Cancels a pending signature or login of a signee, at the provider too. Other signees can sign
   * the document immediately.
   *
   * @example
   * await acme.auth.cancelSigning({ ...place, token: session.token });
   */
  cancelSigning: useCase(
    ['process.not_found', gone],
    async (ports: AuthPorts, companyKey, session: SigneeSession): Promise<void> => {
      await cancelSession(ports, pollOf(companyKey, session), kindOf(session));
    },
  ),
};

function pollOf(companyKey: CompanyKey, { token, ...place }: SigneeSession): SessionPoll {
  return { ...signeeRequest(place, place.circumstances ?? {}), companyKey, token };
}

function kindOf({ purpose = 'sign' }: SigneeSession): 'eid-sign' | 'eid-auth' {
  return purpose === 'sign' ? 'eid-sign' : 'eid-auth';
}
