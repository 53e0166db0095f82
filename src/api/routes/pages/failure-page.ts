import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../../failure.ts';
import { layout, type PageWords, pageHeaders, pageWords } from '../../pages/index.ts';
import { requestedLanguage } from './asked-language.ts';

/** Renders the page about a rejected or failed request to a page, instead of JSON. */
export function failurePage(
  failure: Failure,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  // Unvalidated: the query itself may be what was rejected.
  const { lng } = request.query as { readonly lng?: unknown };
  const language = requestedLanguage(lng, request.headers['accept-language']);
  const words = pageWords(language);
  const text = words[wordOf(failure, request.method)];
  reply.headers({ ...pageHeaders(), vary: 'accept, accept-language' });
  return layout({ language, alert: { text } }, words.title, []);
}

function wordOf({ status }: Failure, method: string): keyof PageWords {
  if (status === 429 || status === 503) return 'errorThrottled';
  if (status === 413) return 'formTooLarge';
  if (status >= 500) return 'errorUnexpected';
  return method === 'GET' || method === 'HEAD' ? 'unknown' : 'errorForm';
}
