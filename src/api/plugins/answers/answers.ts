import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { errorBody, type Failure, failureOf } from '../../failure.ts';
import { isPageAddress } from '../../failure-content.ts';
import type { ApiApp, FailurePage } from '../../route.ts';
import { answerAfterPending } from '../connections/pipelining.ts';
import { listMethods } from './fixed-answers.ts';
import { securityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Page for unknown page addresses. Set by the plugin that serves the pages. */
    readonly readers: { failurePage?: FailurePage };
  }
}

/**
 * Sends every failure as an ErrorResponse, including unknown addresses and methods. Below page
 * addresses, clients that accept HTML get a page.
 */
export function addFailureAnswers(app: ApiApp): void {
  app.decorate('readers', {});
  const methodsOf = listMethods(app);
  const pageFor = (request: FastifyRequest) =>
    request.routeOptions.config?.facts?.failurePage ??
    (isForReader(request) ? app.readers.failurePage : undefined);
  app.setErrorHandler((error, request, reply) => {
    const { body, query: querystring, params, headers } = request;
    const failure = failureOf(error, { body, querystring, params, headers });
    if (failure.status >= 500) request.log.error(facts(error, failure), 'failed');
    return sendFailure(request, reply, failure, pageFor(request));
  });
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsOf(request.url);
    // Patterns accept any key, the router does not: one with an impossible suffix has no route.
    if (methods.length === 0 || methods.includes(request.method as 'GET')) {
      const error = new InnsigliError('route.not_found', 'the route does not exist');
      return sendFailure(request, reply, failureOf(error), pageFor(request));
    }
    const allow = methods.join(', ');
    const error = new InnsigliError('request.method.unsupported', `expected ${allow}`);
    reply.header('allow', allow);
    return sendFailure(request, reply, failureOf(error), pageFor(request));
  });
}

/** Responds to a request that the framework rejected before routing: a malformed address. */
export function answerUnrouted(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders).header('x-request-id', request.id);
  sendFailure(request, reply, failureOf(error));
}

/** Answers non-HTTP input or oversized headers after all pending responses, then disconnects. */
export function answerUnread(error: { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
  else answerAfterPending(socket, () => socket.writable && refuseUnread(error, socket));
}

function refuseUnread(error: { readonly code?: string }, socket: Socket): void {
  const { status, reason, code, message } = unread[error.code ?? ''] ?? noHttp;
  const body = JSON.stringify(errorBody(code, message));
  const headers = Object.entries({
    ...securityHeaders,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${head}\r\n${body}`);
  // A client that has read the response closes its side, too; any other would hold its connection.
  setTimeout(() => socket.destroy(), limits.lingerMs).unref();
}

interface Unread {
  readonly status: number;
  readonly reason: string;
  readonly code: ErrorCode;
  readonly message: string;
}

const noHttp: Unread = {
  ...{ status: 400, reason: 'Bad Request', code: 'validation.error' },
  message: 'the request is not well-formed',
};
const unread: Readonly<Record<string, Unread>> = {
  HPE_HEADER_OVERFLOW: {
    ...{ status: 431, reason: 'Request Header Fields Too Large', code: 'limit.exceeded' },
    message: 'the headers exceed the size limit',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    ...{ status: 408, reason: 'Request Timeout', code: 'validation.error' },
    message: 'the request did not come in time',
  },
};

/** True for people who open a page address: programs ask for other types, or for none. */
function isForReader({ url, headers: { accept = '' } }: FastifyRequest): boolean {
  return isPageAddress(url) && namesHtml(accept);
}

/** True if the media ranges include HTML without `q=0`. @spec RFC 9110 §12.4.2, §12.5.1 */
function namesHtml(accept: string): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((each) => /^q=0(\.0{0,3})?$/.test(each));
  });
}

function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
  failurePage?: FailurePage,
) {
  const { status, code, message, retryAfterSeconds } = failure;
  const route = request.routeOptions.config?.facts;
  if (code === 'authentication.credentials.invalid') {
    const basic = 'Basic realm="innsigli", charset="UTF-8"';
    const isOperators = route?.access === 'operator';
    reply.header('www-authenticate', isOperators ? 'Bearer realm="innsigli"' : basic);
  }
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  // Other clients get a page at this address: a cache must not send them this response.
  if (failurePage === undefined && isPageAddress(request.url)) {
    const known = String(reply.getHeader('vary') ?? '');
    reply.header('vary', known === '' ? 'accept' : `${known}, accept`);
  }
  if (failurePage !== undefined) {
    const page = failurePage(failure, request, reply);
    return reply.code(status).type('text/html; charset=utf-8').send(page);
  }
  const body = route?.failureBody?.(failure) ?? errorBody(code, message, failure);
  // Bypass the schema of the route, which need not list every status.
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body);
}

// Codes and positions in the program only; messages of foreign errors can contain data of requests.
function facts(error: unknown, { code }: Failure): object {
  const { name, stack } = error as Error;
  const frames = stack?.split('\n').filter((line) => line.trimStart().startsWith('at '));
  const detail = isInnsigliError(error) ? { detail: error.message } : {};
  return { code, name, ...detail, frames: frames?.slice(0, 12) };
}
