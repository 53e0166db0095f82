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

/** A started login in the words of the interface. */
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
 * State of a login, in the words of the interface.
 *
 * @throws authentication.error.forbidden for one that failed
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

/** The customer of a login of a signee, if it is done. */
export function customerOf(answer: SigneeLoginAnswer): Customer | undefined {
  return answer.state === 'done' ? answer.customer : undefined;
}

/** Observations of a client. */
export function circumstancesOf(request: {
  readonly ip: string;
  readonly headers: { readonly 'user-agent'?: string | undefined };
}): Circumstances {
  const userAgent = request.headers['user-agent']?.slice(0, 400);
  return defined({ ip: request.ip, userAgent });
}

/** Hands a token out in the header that is published for it. */
export function giveToken(reply: FastifyReply, token: string | undefined): void {
  if (token !== undefined) reply.header('x-access-token', token);
}

/**
 * The header Content-Disposition for a file of that name: one parameter, whatever the name holds.
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
