import type { FastifyRequest } from 'fastify';
import { isCoreError } from '../../base/errors.ts';
import { type ProcessAccess, readCredentials } from '../plugins/index.ts';
import type { ApiApp } from '../route.ts';

/** True when the company of the process asks: an owner who looks is no signee who looks. */
export async function isOfCompany(
  app: ApiApp,
  request: FastifyRequest,
  { by, company }: Pick<ProcessAccess, 'by' | 'company'>,
): Promise<boolean> {
  if (by === 'company') return true;
  if (readCredentials(request).kind !== 'basic') return false;
  try {
    return (await app.requireCompany(request)).company.key === company.company.key;
  } catch (error) {
    if (isCoreError(error) && error.code === 'authentication.credentials.invalid') return false;
    throw error;
  }
}

/** What `record` gives; undefined where the process is over or asks for a login. */
export async function whereOpen<T>(record: () => Promise<T>): Promise<T | undefined> {
  try {
    return await record();
  } catch (error) {
    if (isCoreError(error) && /^(signing|process)\./.test(error.code)) return undefined;
    throw error;
  }
}
