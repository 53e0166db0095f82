import type { TSchema } from '@sinclair/typebox';
import { errorResponse } from './schemas/index.ts';

interface FailureFacts {
  readonly path: string;
  readonly base?: 'api' | 'root';
  readonly failurePage?: unknown;
  readonly failureSchema?: TSchema;
}

const page = { 'text/html': { schema: { type: 'string', format: 'binary' } } };

/** True for an address of pages: a person who asks for one is told there what failed. */
export function isPageAddress(url: string): boolean {
  return /^\/[sf]\//i.test(url);
}

/** Bodies of the failures of a route, by content type, for the description. */
export function failureContent(facts: FailureFacts): object {
  if (facts.failurePage !== undefined) return page;
  const json = { 'application/json': { schema: facts.failureSchema ?? errorResponse } };
  return facts.base === 'root' && isPageAddress(facts.path) ? { ...json, ...page } : json;
}
