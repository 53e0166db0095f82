import type { FastifyRequest } from 'fastify';
import type { CompanyService } from '../../../app/company-service.ts';
import { isInnsigliError } from '../../../base/errors.ts';
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
  try {
    return (await app.requireCompany(request)).company;
  } catch (error) {
    if (isInnsigliError(error) && error.code === 'authentication.credentials.invalid')
      return undefined;
    throw error;
  }
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
  try {
    return await record();
  } catch (error) {
    if (isInnsigliError(error) && /^(signing|process)\./.test(error.code)) return undefined;
    throw error;
  }
}
