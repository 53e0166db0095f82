import type { Customer, LookupType } from '../../domain/auth/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { Circumstances } from '../../domain/process/index.ts';
import { pollFlowLogin, startFlowLogin } from './flow-login.ts';
import type { AuthPorts } from './ports.ts';
import { failedLogin } from './settle-login.ts';

/** A login that is waited for. */
export interface WaitingLogin {
  readonly flowKey: string;
  readonly phoneNumber: string;
  readonly lookup?: LookupType;
  readonly callerKey?: CompanyKey;
  readonly circumstances?: Circumstances;
  /** Resolves after that time; throws when nobody waits any more. */
  wait(ms: number): Promise<void>;
}

/**
 * Logs a person in by SIM and waits until they have answered, at most as long as a login lives.
 *
 * @throws flow.not_found, authentication.error.idp.start, authentication.error.forbidden
 */
export async function waitForLogin(ports: AuthPorts, request: WaitingLogin): Promise<Customer> {
  const { flowKey, phoneNumber, lookup, wait, ...caller } = request;
  const scheme = 'sim-app';
  const start = { channel: 'Sim', loginHint: phoneNumber, includeVerificationCode: false } as const;
  const started = await startFlowLogin(ports, { scheme, flowKey, ...start, ...caller });
  const poll = { scheme, token: started.token, flowKey } as const;
  // The answer «failed» comes when the time is over, so this ends.
  for (;;) {
    await wait(started.pollingIntervalSeconds * 1000);
    const answer = await pollFlowLogin(ports, { ...poll, ...(lookup && { lookup }) });
    if (answer.state === 'done') return answer.customer;
    if (answer.state === 'failed') throw failedLogin(answer.hint);
  }
}
