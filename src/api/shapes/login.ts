import type { FastifyReply } from 'fastify';
import {
  failedLogin,
  type LoginFailure,
  type SigneeLoginAnswer,
  type StartedLogin,
} from '../../app/auth/index.ts';
import { defined } from '../../base/defined.ts';
import type { Customer } from '../../domain/auth/index.ts';
import type { Circumstances } from '../../domain/process/index.ts';

type Answer =
  | { readonly state: 'waiting' }
  | { readonly state: 'done'; readonly customer?: Customer }
  | (LoginFailure & { readonly state: 'failed' });

/** A started login in the names of the API. */
export function showStartedLogin(
  started: Pick<StartedLogin, 'token' | 'verificationCode' | 'pollingIntervalSeconds'>,
): object {
  return {
    authRequestId: started.token,
    verificationCode: started.verificationCode,
    pollingInterval: started.pollingIntervalSeconds,
  };
}

/**
 * State of a login in the names of the API.
 *
 * @throws authentication.error.forbidden for a failed login
 */
export function showPoll(answer: Answer, customer?: Customer): object {
  if (answer.state === 'failed') throw failedLogin(answer);
  const isWaiting = answer.state === 'waiting';
  const found = isWaiting ? undefined : (customer ?? answer.customer);
  return {
    waitingForUserInput: isWaiting,
    statusMessage: isWaiting ? 'waiting for the person' : 'ok',
    customer: found ?? null,
  };
}

/** The customer of a signee's login, if it has succeeded. */
export function customerOf(answer: SigneeLoginAnswer): Customer | undefined {
  return answer.state === 'done' ? answer.customer : undefined;
}

/** The client's address and user agent, as recorded for evidence. */
export function circumstancesOf(request: {
  readonly ip: string;
  readonly headers: { readonly 'user-agent'?: string | undefined };
}): Circumstances {
  const userAgent = request.headers['user-agent']?.slice(0, 400);
  return defined({ ip: request.ip, userAgent });
}

/** Returns a token to the client in its published header. */
export function giveToken(reply: FastifyReply, token: string | undefined): void {
  if (token !== undefined) reply.header('x-access-token', token);
}

/**
 * The header Content-Disposition for a file of that name: a single parameter, whatever the name
 * contains.
 *
 * @spec RFC 8187 §3.2.1
 */
export function dispositionOf(kind: 'inline' | 'attachment', fileName: string): string {
  const escaped = encodeURIComponent(fileName.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename*=UTF-8''${escaped}`;
}
