import { Type } from '@sinclair/typebox';
import type { ApiPorts, Counters } from '../ports.ts';
import { type ApiApp, addRoute } from '../route.ts';

const tag = 'Service';

const checks = Type.Object({
  ready: Type.Boolean(),
  checks: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), ok: Type.Boolean(), message: Type.String() }), {
      description: 'For who runs the service only.',
    }),
  ),
});

const begin = Type.Object({
  description: Type.String({ description: 'Every route, OpenAPI 3.1.' }),
  page: Type.String({ description: 'The same to read and try in a browser.' }),
});

/** Gives the counters as Prometheus reads them. */
export type ReadMetrics = (counters: Counters) => string;

/** Adds what tells machines how the service is. */
export function registerHealth(app: ApiApp, ports: ApiPorts, readMetrics: ReadMetrics): void {
  addRoute(app, {
    method: 'GET',
    path: '/',
    base: 'root',
    access: 'open',
    tag,
    summary: 'Where to begin',
    answers: { 200: { description: 'Addresses to read on at.', schema: begin } },
    handle: async () => ({ description: '/openapi.json', page: '/api/swagger-ui/' }),
  });
  addRoute(app, {
    method: 'GET',
    path: '/healthz',
    base: 'root',
    access: 'open',
    tag,
    summary: 'Whether the program runs',
    answers: { 200: { description: 'It does.', schema: Type.Object({ ok: Type.Boolean() }) } },
    handle: async () => ({ ok: true }),
  });
  addRoute(app, {
    method: 'GET',
    path: '/readyz',
    base: 'root',
    access: 'open',
    tag,
    summary: 'Whether it can do its work; what was looked at, for who runs it',
    answers: {
      200: { description: 'It can.', schema: checks },
      503: { description: 'It cannot.', schema: checks },
    },
    handle: async ({ request, reply }) => {
      const readiness = await ports.readiness();
      const { ready } = readiness;
      reply.code(ready ? 200 : 503);
      return reply.send(app.isOperator(request) ? readiness : { ready });
    },
  });
  addRoute(app, {
    method: 'GET',
    path: '/metrics',
    base: 'root',
    access: 'operator',
    tag,
    summary: 'Counters for Prometheus, for who runs the service',
    answers: { 200: { description: 'The counters.', types: ['text/plain'] } },
    handle: async ({ reply }) =>
      reply
        .type('text/plain; version=0.0.4; charset=utf-8')
        .send(readMetrics(await ports.counters())),
  });
}
