import type { FastifyReply, FastifyRequest } from 'fastify';
import { CoreError, isCoreError } from '../../base/errors.ts';
import { type Failure, failureOf } from '../failure.ts';
import type { ApiApp } from '../route.ts';

/** Answers every failure as an ErrorResponse, and unknown addresses too. */
export function addFailureAnswers(app: ApiApp): void {
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error);
    if (failure.status >= 500) request.log.error(facts(error, failure), 'failed');
    return sendFailure(request, reply, failure);
  });
  app.setNotFoundHandler((request, reply) => {
    const error = new CoreError('route.not_found', 'there is no such address or method');
    return sendFailure(request, reply, failureOf(error));
  });
}

function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure) {
  const { status, code, message, fields, retryAfterSeconds } = failure;
  if (code === 'authentication.credentials.invalid') {
    reply.header('www-authenticate', 'Basic realm="innsigli", charset="UTF-8"');
  }
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  const own = request.routeOptions.config?.facts?.failureBody;
  const responseStatus = {
    errorCode: code,
    message,
    ...(fields.length === 0 ? {} : { errors: fields }),
  };
  const body = own?.(failure) ?? { responseStatus, errorCode: code, message };
  // Without the schema of the route, which need not have every status.
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body);
}

// Codes and places of the program; messages of foreign errors can hold data of requests.
function facts(error: unknown, { code }: Failure): object {
  const { name, stack } = error as Error;
  const frames = stack?.split('\n').filter((line) => line.trimStart().startsWith('at '));
  const detail = isCoreError(error) ? { detail: error.message } : {};
  return { code, name, ...detail, frames: frames?.slice(0, 12) };
}
