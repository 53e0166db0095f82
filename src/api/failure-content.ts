import type { TSchema } from '@sinclair/typebox';
import { errorResponse } from './schemas/index.ts';

interface FailureFacts {
  readonly path: string;
  readonly base?: 'api' | 'root';
  readonly failurePage?: unknown;
  readonly failureSchema?: TSchema;
}

const page = { 'text/html': { schema: { type: 'string', format: 'binary' } } };

/** True for a page's address: its failures are shown to the reader as a page. */
export function isPageAddress(url: string): boolean {
  return /^\/[sf]\//i.test(url);
}

/** Response bodies of the failures of a route, by content type, for the OpenAPI description. */
export function failureContent(facts: FailureFacts): object {
  if (facts.failurePage !== undefined) return page;
  const json = { 'application/json': { schema: facts.failureSchema ?? errorResponse } };
  return facts.base === 'root' && isPageAddress(facts.path) ? { ...json, ...page } : json;
}
