import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyServerOptions } from 'fastify';
import { defined } from '../base/defined.ts';
import { limits } from '../base/limits.ts';
import { openHttpServer } from './http-server.ts';
import {
  type Answerer,
  addAuthentication,
  addBinding,
  addBodyBudget,
  addChunkedResponses,
  addClientAddress,
  addCors,
  addDescription,
  addDescriptionRoutes,
  addDownloads,
  addFailureAnswers,
  addHeldDocuments,
  addIdempotency,
  addMetrics,
  addPace,
  addPlaces,
  addSecurityHeaders,
  addVisitorRate,
  answerUnread,
  answerUnrouted,
  limitConnections,
  requestIds,
  routeAddress,
  usualAnswerBytes,
  usualBodyBytes,
} from './plugins/index.ts';
import type { ApiPorts } from './ports.ts';
import { type ApiApp, SMALL_BODY_BYTES } from './route.ts';
import { addAllRoutes } from './routes/index.ts';
import { schemaCompilers } from './schema-compilers.ts';
import { namedSchemas } from './schemas/index.ts';
import type { ServerOptions } from './server-options.ts';

/** A request that takes longer to arrive is cut off. */
const usualPatience: NonNullable<ServerOptions['patience']> = {
  headersMs: 20_000,
  requestMs: 120_000,
};

/**
 * Creates the HTTP interface over `ports`, ready to listen or for injected requests. Closing it
 * closes connections, but nothing of `ports`.
 */
export async function buildApi(ports: ApiPorts, options: ServerOptions = {}): Promise<ApiApp> {
  const { default: fastify, LogController } = await import('fastify');
  const { tls, maxConnections = limits.connections } = options;
  const { headersMs, requestMs } = options.patience ?? usualPatience;
  const { trustProxy: proxies = [] } = options;
  const taking = { headersMs, requestMs, proxies, ...(tls === undefined ? {} : { tls }) };
  const bound = limitConnections({
    most: maxConnections,
    share: Math.ceil(maxConnections * limits.connectionsPart),
    proxies,
  });
  const idOf = requestIds(ports.random);
  const shared = {
    bodyLimit: SMALL_BODY_BYTES,
    // A name such as localhost has addresses of both families, with a server for each.
    serverFactory: (answer: Answerer) => {
      const server = openHttpServer(answer, taking);
      bound(server);
      return server;
    },
    // Tells Fastify the scheme of its addresses.
    ...defined({ https: tls }),
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 1024 },
    requestIdHeader: false as const,
    genReqId: ({ headers }: { headers: IncomingHttpHeaders }) => idOf(headers['x-request-id']),
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: answerUnrouted,
    clientErrorHandler: answerUnread,
    rewriteUrl: ({ url = '/' }: { url?: string }) => routeAddress(url),
    logger: loggerOf(options),
    return503OnClosing: true,
    forceCloseConnections: 'idle' as const,
    schemaController: { compilersFactory: await schemaCompilers() },
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: true,
        removeAdditional: false,
        useDefaults: false,
        keywords: ['x-enum-integers', 'x-aliases', 'dependentRequired'],
        // Optimising generated code takes a seventh of the startup time without speeding up checks.
        code: { optimize: false },
      },
    },
  };
  const app = fastify(shared as FastifyServerOptions) as unknown as ApiApp;
  app.decorate('routeFacts', []);
  for (const schema of namedSchemas.values()) app.addSchema(schema);
  addClientAddress(app, proxies, options.unnamedProxy);
  addPlugins(app, ports, options);
  const readMetrics = addMetrics(app, ports.version);
  await addDescription(app);
  // Registered one level below: the description sees only routes added after its plugin.
  await app.register(async (routes) => {
    addAllRoutes(routes as ApiApp, ports, readMetrics);
    addDescriptionRoutes(routes as ApiApp);
  });
  const { onClose } = options;
  if (onClose !== undefined) app.addHook('onClose', onClose);
  await app.ready();
  return app;
}

/** Registers the plugins around every route, in this order. */
function addPlugins(app: ApiApp, ports: ApiPorts, options: ServerOptions): void {
  const { tls, patience = usualPatience, bodyBytes, answerBytes, parts, log } = options;
  addFailureAnswers(app);
  addSecurityHeaders(app, tls !== undefined);
  addPace(app, patience.paceMs);
  addBinding(app);
  addAuthentication(app, ports, options);
  addCors(app, ports);
  addVisitorRate(app, ports.now);
  addPlaces(app, ports);
  addBodyBudget(app, bodyBytes ?? usualBodyBytes(parts));
  addDownloads(app);
  addIdempotency(app, ports);
  addHeldDocuments(app);
  addChunkedResponses(app, answerBytes ?? usualAnswerBytes(parts));
  if (log !== undefined) addAccessLog(app);
}

function loggerOf({ log, logLevel = 'info' }: ServerOptions) {
  if (log === undefined) return false;
  return {
    level: logLevel,
    stream: { write: log },
    base: null,
    redact: ['req.headers.authorization', 'req.headers["x-access-token"]', 'headers', 'body'],
  };
}

// Logs the pattern of the route instead of the address, which can contain keys and search terms.
function addAccessLog(app: ApiApp): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id } = request;
    const route = request.routeOptions.url ?? 'unknown';
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ requestId: id, method, route, status: reply.statusCode, ms }, 'answered');
    done();
  });
}
