import { Type } from '@sinclair/typebox';
import type { ApiPorts, Counters } from '../ports.ts';
import type { ApiApp } from '../route.ts';
import { routesOf } from './routes-of.ts';

const add = routesOf({ base: 'root', tag: 'Service', access: 'open' });

const checks = Type.Object({
  ready: Type.Boolean(),
  checks: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), message: Type.String() }), {
      description: 'For the operator of the service only.',
    }),
  ),
});

const begin = Type.Object({
  description: Type.String({ description: 'Every route, OpenAPI 3.1.' }),
  page: Type.String({ description: 'Swagger UI for the routes.' }),
});

/** Renders the counters in the Prometheus format. */
export type ReadMetrics = (counters: Counters) => string;

/** Adds the routes that report the state of the service to machines. */
export function registerHealth(app: ApiApp, ports: ApiPorts, readMetrics: ReadMetrics): void {
  add(app, 'GET', '/', {
    summary: 'Get the entry point',
    answers: { 200: { description: 'Links to the description and its viewer.', schema: begin } },
    handle: async () => ({ description: '/openapi.json', page: '/api/swagger-ui/' }),
  });
  add(app, 'GET', '/healthz', {
    summary: 'Check liveness',
    answers: {
      200: { description: 'The service is alive.', schema: Type.Object({ ok: Type.Boolean() }) },
    },
    handle: async () => ({ ok: true }),
  });
  add(app, 'GET', '/readyz', {
    summary: 'Check readiness, with details for the operator',
    answers: {
      200: { description: 'The service is ready.', schema: checks },
      503: { description: 'The service is not ready.', schema: checks },
    },
    handle: async ({ request, reply }) => {
      const readiness = await ports.readiness();
      const { ready } = readiness;
      reply.code(ready ? 200 : 503);
      return reply.send(app.isOperator(request) ? readiness : { ready });
    },
  });
  add(app, 'GET', '/metrics', {
    access: 'operator',
    summary: 'Prometheus metrics, for the operator',
    answers: { 200: { description: 'The counters.', types: ['text/plain'] } },
    handle: async ({ reply }) =>
      reply
        .type('text/plain; version=0.0.4; charset=utf-8')
        .send(readMetrics(await ports.counters())),
  });
}
