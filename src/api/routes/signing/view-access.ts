import type { FastifyRequest } from 'fastify';
import type { CompanyService } from '../../../app/company-service.ts';
import { onCode } from '../../../base/errors.ts';
import { asKey } from '../../../domain/keys.ts';
import { readCredentials } from '../../plugins/index.ts';
import type { ApiApp } from '../../route.ts';
import { circumstancesOf } from '../../shapes/index.ts';

/** The company of a request's credentials where none are required: invalid ones count as none. */
async function findCaller(
  app: ApiApp,
  request: FastifyRequest,
): Promise<CompanyService['company'] | undefined> {
  if (readCredentials(request).kind !== 'basic') return undefined;
  const found = await app
    .requireCompany(request)
    .catch(onCode('authentication.credentials.invalid'));
  return found?.company;
}

/** Codes of logins rejected for the callers that {@link startedBy} returns. */
export const startedByErrors = [
  'authentication.start.too_frequent',
  'authentication.key.scope',
] as const;

/** The caller who starts a login on a route open to anyone, for rate limits. */
export async function startedBy(app: ApiApp, request: FastifyRequest) {
  const caller = await findCaller(app, request);
  const circumstances = circumstancesOf(request);
  return {
    circumstances,
    ...(caller === undefined ? {} : { callerKey: asKey('company', caller.key) }),
  };
}

/** Returns the result of `record`. Undefined if the process is not open or requires a login. */
export async function whereOpen<T>(record: () => Promise<T>): Promise<T | undefined> {
  return record().catch(onCode(/^(signing|process)\./));
}
