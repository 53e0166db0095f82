import { Type } from '@sinclair/typebox';
import { CoreError } from '../../base/errors.ts';
import type { ApiPorts } from '../ports.ts';
import { type ApiApp, addRoute } from '../route.ts';

const tag = 'Service';

const validateQuery = Type.Object({
  FlowKey: Type.Optional(Type.String({ description: 'Checked when it is given.' })),
  WebHookSignatureKey: Type.Optional(Type.String({ description: 'Checked when it is given.' })),
});

const checks = Type.Object({
  ready: Type.Boolean(),
  checks: Type.Array(
    Type.Object({ name: Type.String(), ok: Type.Boolean(), message: Type.String() }),
  ),
});

/** Adds the check of keys, and what tells machines how the service is. */
export function registerService(app: ApiApp, ports: ApiPorts, readMetrics: () => string): void {
  addRoute(app, {
    method: 'POST',
    path: '/management/apikeys/validate',
    access: 'company',
    tag,
    summary: 'Check keys',
    query: validateQuery,
    answers: { 200: { description: 'Valid.', schema: Type.Object({ valid: Type.Boolean() }) } },
    errors: ['flow.not_found', 'apikeys.webhook_signature_key.invalid'],
    handle: async ({ query: { FlowKey, WebHookSignatureKey: key }, company }) => {
      if (FlowKey !== undefined) await company.flows.css(FlowKey);
      if (key !== undefined && !(await company.isWebhookSignatureKey(key))) {
        throw new CoreError(
          'apikeys.webhook_signature_key.invalid',
          'the webhook signature key is not that of the company',
        );
      }
      return { valid: true };
    },
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
    summary: 'Whether it can do its work',
    answers: {
      200: { description: 'It can.', schema: checks },
      503: { description: 'It cannot, and why.', schema: checks },
    },
    handle: async ({ reply }) => {
      const readiness = await ports.readiness();
      return reply.code(readiness.ready ? 200 : 503).send(readiness);
    },
  });
  addRoute(app, {
    method: 'GET',
    path: '/metrics',
    base: 'root',
    access: 'open',
    tag,
    summary: 'Counters for Prometheus',
    answers: { 200: { description: 'The counters.', types: ['text/plain'] } },
    handle: async ({ reply }) =>
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(readMetrics()),
  });
}
