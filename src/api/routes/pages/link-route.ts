import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import { onCode } from '../../../base/errors.ts';
import { pageHeaders, unknownPage } from '../../pages/index.ts';
import { pathKey } from '../../schemas/index.ts';
import { routesOf } from '../routes-of.ts';
import { failurePage } from './failure-page.ts';

/** Adds a page open to anyone, whose failures are pages, too. */
export const addPage = routesOf({
  ...{ base: 'root', access: 'open', tag: 'Pages of links', failurePage },
});

/** Properties shared by the routes of a link. */
export const linkRoute = {
  params: Type.Object({
    Key: pathKey('A process or a sequence.'),
    PersonKey: pathKey('Its signee.'),
  }),
  answers: {
    200: { description: 'A page.', types: ['text/html'] },
    404: { description: 'A page for an unknown link.', types: ['text/html'] },
  },
} as const;

/** Parameters of the routes of a document of a link. */
export const documentParams = Type.Object({
  ...linkRoute.params.properties,
  DocumentKey: Type.String({ maxLength: 100, description: 'The process of the document.' }),
});

const word = (description: string) => Type.Optional(Type.String({ maxLength: 20, description }));

/** Returns the result of `send`, or the page for an unknown link if flow or signee is missing. */
export async function orUnknownPage(
  reply: FastifyReply,
  send: () => Promise<unknown>,
  codes = /^(process\.not_found|error\.signee\.not_found)$/,
): Promise<unknown> {
  return send().catch(
    onCode(codes, () => {
      reply.code(404).type('text/html; charset=utf-8').headers(pageHeaders());
      return reply.send(unknownPage());
    }),
  );
}

/** Query of the signing page. */
export const linkQuery = Type.Object(
  {
    iframe: word('`true`: without header and footer, for a frame of a registered origin.'),
    lng: word('Language, such as `en-us`.'),
    skipGreeting: word('Accepted for compatibility; the page has no greeting to skip.'),
    showEndScreen: word('`false`: after the signature show only that it was made.'),
    hideSignDocumentHeaderText: word('`true`: omit the requester, the request and its deadline.'),
  },
  { additionalProperties: true },
);
