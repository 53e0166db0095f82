import { defined } from '../../base/defined.ts';
import type { EidMethod } from '../../domain/auth/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import {
  cancelSession,
  pollQualified,
  type QualifiedAnswer,
  refreshSession,
  type SessionPoll,
  type SigneeRef,
  type StartedSession,
  startQualified,
} from '../signing/index.ts';
import { providerOfMethod } from './eid-methods.ts';
import type { AuthPorts } from './ports.ts';
import { signeeRequest } from './sign-with-token.ts';

/** A signature that a program of the company starts for a signee. */
export interface CompanySigningRequest {
  readonly method: Exclude<EidMethod, 'device-link'>;
  /** Phone for `sim`, national number for others. Default: that of the signee. */
  readonly loginHint?: string;
}

/** A session of a signee: a signature, or a login before it. */
export interface SigneeSession extends SigneeRef {
  readonly token: string;
  /** Default: `sign`. */
  readonly purpose?: 'sign' | 'login';
}

/** Starts a signature with the signee's own identity at the provider of a method. */
export async function startCompanySigning(
  ports: AuthPorts,
  companyKey: CompanyKey,
  place: SigneeRef,
  { method, loginHint }: CompanySigningRequest,
): Promise<StartedSession> {
  const request = { ...signeeRequest(place, place.circumstances ?? {}), companyKey };
  const channel = method === 'sim' ? 'Sim' : 'App';
  const choice = { channel, includeVerificationCode: true, ...defined({ loginHint }) } as const;
  // The provider is chosen for company and flow of the process.
  const identity = providerOfMethod(ports, method, { companyKey });
  const scheme = method === 'sim' || method === 'app' ? undefined : method;
  return startQualified({ ...ports, identity }, { ...request, ...choice }, scheme);
}

/** How a signature stands, whichever provider it was started at. */
export async function pollCompanySigning(
  ports: AuthPorts,
  companyKey: CompanyKey,
  session: SigneeSession,
): Promise<QualifiedAnswer> {
  return pollQualified(ports, pollOf(companyKey, session));
}

/** Ends a signature or login of a signee that waits; the document is free for others. */
export async function cancelSigneeSession(
  ports: AuthPorts,
  companyKey: CompanyKey,
  session: SigneeSession,
): Promise<void> {
  await cancelSession(ports, pollOf(companyKey, session), kindOf(session));
}

/** The newest text for the QR code or link of a signature or login; its provider is not asked. */
export async function refreshSigneeSession(
  ports: AuthPorts,
  companyKey: CompanyKey,
  session: SigneeSession,
): Promise<string | undefined> {
  return refreshSession(ports, pollOf(companyKey, session), kindOf(session));
}

function pollOf(companyKey: CompanyKey, { token, ...place }: SigneeSession): SessionPoll {
  return { ...signeeRequest(place, place.circumstances ?? {}), companyKey, token };
}

function kindOf({ purpose = 'sign' }: SigneeSession): 'eid-sign' | 'eid-auth' {
  return purpose === 'sign' ? 'eid-sign' : 'eid-auth';
}
