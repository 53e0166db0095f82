import { Type } from '@sinclair/typebox';
import { onCode } from '../../../../base/errors.ts';
import { pageHeaders, returnPage } from '../../../pages/index.ts';
import type { ApiPorts } from '../../../ports.ts';
import type { ApiApp } from '../../../route.ts';
import { addPage } from '../link-route.ts';

const text = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, pattern: '^[\\x20-\\x7e]*$', description }));

/** Authorization response; a provider may add members. @spec RFC 6749 §4.1.2, RFC 9207 §2 */
const query = Type.Object(
  {
    state: text(512, 'The session, as sent to the provider.'),
    code: text(2048, 'The authorization code.'),
    error: text(128, 'The reason for a missing code.'),
    iss: text(512, 'The provider.'),
  },
  { additionalProperties: true },
);

/** Adds the page to which people return from the page of their e-ID provider. */
export function registerEidReturn(app: ApiApp, { identity }: ApiPorts): void {
  addPage(app, 'GET', '/s/eid/callback', {
    summary: 'Return from an e-ID provider',
    description: 'The redirect URI to register with a provider. The login itself is polled.',
    query,
    answers: {
      200: { description: 'The response belongs to a pending login.', types: ['text/html'] },
      401: {
        description: 'The response does not belong to a pending login.',
        types: ['text/html'],
      },
    },
    handle: async ({ request, reply }) => {
      reply.type('text/html; charset=utf-8').headers(pageHeaders());
      // HEAD must not consume it: the provider's response is meant for the person's browser.
      if (request.method === 'HEAD') return reply.send('');
      const address = new URL(request.url, identity.frontEnd).href;
      const isUnknown = onCode('authentication.token.invalid', () => 401);
      const status = (await identity.takeReturn(address).catch(isUnknown)) ?? 200;
      return reply.code(status).send(returnPage(status === 200));
    },
  });
}
