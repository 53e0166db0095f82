import type { FastifyRequest } from 'fastify';
import type { CompanyService } from '../../../app/company-service.ts';
import { onCode } from '../../../base/errors.ts';
import { asKey } from '../../../domain/keys.ts';
import { readCredentials } from '../../plugins/index.ts';
import type { ApiApp } from '../../route.ts';
import { circumstancesOf } from '../../shapes/index.ts';

/**
 * The company whose credentials a request has, on a route that asks for none: wrong ones are as
 * good as none there.
 */
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

/** Codes of logins refused for the starters that {@link startedBy} returns. */
export const startedByErrors = [
  'authentication.start.too_frequent',
  'authentication.key.scope',
] as const;

/** The starter of a login on a route for anybody, for rate limits. */
export async function startedBy(app: ApiApp, request: FastifyRequest) {
  const caller = await findCaller(app, request);
  const circumstances = circumstancesOf(request);
  return {
    circumstances,
    ...(caller === undefined ? {} : { callerKey: asKey('company', caller.key) }),
  };
}

/** The result of `record`; undefined if the process is over or requires a login. */
export async function whereOpen<T>(record: () => Promise<T>): Promise<T | undefined> {
  return record().catch(onCode(/^(signing|process)\./));
}
