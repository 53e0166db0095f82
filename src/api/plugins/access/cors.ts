import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CompanyService } from '../../../app/company-service.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp, RouteFacts } from '../../route.ts';
import { listMethods } from '../answers/fixed-answers.ts';

/** Request headers that pages may send, besides those allowed to every page. */
const requestHeaders = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'x-access-token',
  'x-request-id',
].join(', ');

/** Response headers that pages may read, besides those allowed to every page. */
const answerHeaders = [
  'content-disposition',
  'etag',
  'idempotency-replayed',
  'retry-after',
  'x-access-token',
  'x-innsigli-simulated',
  'x-request-id',
  'x-seal-count',
].join(', ');

/** Seconds for which a browser may cache the result of a preflight request. */
const PREFLIGHT_SECONDS = 60;

/** Status codes of failures that reveal company data; all others are the same for everyone. */
const ofOneCompany: ReadonlySet<number> = new Set([403, 406, 409, 502, 507]);

/**
 * Lets browsers pass responses to pages of origins that companies have registered. Pages of any
 * registered origin may send requests; the company that the response concerns decides which may
 * read it. A response without these headers is the same as if no origin were registered.
 * Browsers add no credentials of their own: they are what the page puts into the request, so
 * `Access-Control-Allow-Credentials` is never sent.
 *
 * @spec Fetch §3.3 (CORS protocol)
 */
export function addCors(app: ApiApp, ports: ApiPorts): void {
  const methodsOf = listMethods(app, isForPages);
  app.addHook('onRequest', async (request, reply) => {
    const { origin, 'access-control-request-method': wanted } = request.headers;
    if (request.method !== 'OPTIONS' || origin === undefined || wanted === undefined) return;
    const methods = methodsOf(request.url);
    if (methods.length === 0 || !(await ports.allowsOrigin(origin))) return;
    return reply
      .code(204)
      .headers({
        vary: 'origin',
        'access-control-allow-origin': origin,
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      })
      .send();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { origin } = request.headers;
    if (!isForPages(request.routeOptions.config?.facts)) return payload;
    // Caches need it on responses to requests without an origin, too.
    reply.header('vary', 'origin');
    if (origin !== undefined && (await mayRead(ports, request, reply, origin))) {
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': answerHeaders,
      });
    }
    return payload;
  });
}

/** True for routes open to foreign pages: not monitoring, the API description or our own pages. */
function isForPages(facts: RouteFacts | undefined): boolean {
  return facts?.url.startsWith('/api/') === true;
}

async function mayRead(
  ports: ApiPorts,
  request: FastifyRequest,
  { statusCode }: FastifyReply,
  origin: string,
): Promise<boolean> {
  if (!(await ports.allowsOrigin(origin))) return false;
  // The preflight has already revealed this to everyone.
  if (statusCode >= 400 && !ofOneCompany.has(statusCode)) return true;
  const owner = await ownerOf(ports, request);
  if (owner === undefined) return statusCode >= 400;
  return ports.allowsOrigin(origin, owner.company.key);
}

/** The company that a response concerns: that of the requested object, else that of the caller. */
async function ownerOf(
  ports: ApiPorts,
  request: FastifyRequest,
): Promise<CompanyService | undefined> {
  if (request.company !== null) return request.company;
  const [path, body, query] = [request.params, request.body, request.query].map(record);
  // The path takes precedence. A body has only members that the route accepts.
  const asked = [
    [ports.companyOfProcess, path?.['ProcessKey']],
    [ports.companyOfSequence, path?.['SequenceKey']],
    [ports.companyOfFlow, path?.['FlowKey']],
    [ports.companyOfProcess, body?.['processKey']],
    [ports.companyOfFlow, body?.['flowKey'] ?? query?.['FlowKey']],
  ] as const;
  const [find, key] = asked.find(([, each]) => typeof each === 'string') ?? [];
  if (find === undefined || typeof key !== 'string') return request.caller ?? undefined;
  // A missing process belongs to no company.
  return find(key).catch(() => undefined);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
