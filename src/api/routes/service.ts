import { Type } from '@sinclair/typebox';
import { InnsigliError } from '../../base/errors.ts';
import { type ApiApp, addRoute } from '../route.ts';

const tag = 'Service';

const validateQuery = Type.Object({
  FlowKey: Type.Optional(Type.String({ description: 'Checked if present.' })),
  WebHookSignatureKey: Type.Optional(Type.String({ description: 'Checked if present.' })),
});

/** Adds the route that checks API keys. */
export function registerService(app: ApiApp): void {
  addRoute(app, {
    method: 'POST',
    path: '/management/apikeys/validate',
    access: 'company',
    scope: 'any',
    tag,
    summary: 'Check keys',
    description: 'The credentials, and those given in the query.',
    query: validateQuery,
    answers: { 200: { description: 'Valid.', schema: Type.Object({ valid: Type.Boolean() }) } },
    errors: ['flow.not_found', 'apikeys.webhook_signature_key.invalid'],
    handle: async ({ query: { FlowKey, WebHookSignatureKey: key }, company }) => {
      if (FlowKey !== undefined) await company.flows.css(FlowKey);
      if (key !== undefined && !(await company.isWebhookSignatureKey(key))) {
        const message = 'the webhook signature key belongs to a different company';
        throw new InnsigliError('apikeys.webhook_signature_key.invalid', message);
      }
      return { valid: true };
    },
  });
}
