import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InnsigliError } from '../../../base/errors.ts';
import { pageScript, pageStyle, pageStyleVersion } from '../../pages/index.ts';
import type { ApiPorts } from '../../ports.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { act } from './acts.ts';
import { registerCompanyLook } from './company-look.ts';
import { failurePage } from './failure-page.ts';
import { registerFormPage } from './form/form-page.ts';
import { addPage, linkQuery, linkRoute, orUnknownPage } from './link-route.ts';
import { registerEidReturn } from './login/index.ts';
import { findPlace } from './place.ts';
import { registerReaderFiles, registerShownDocument, registerShownText } from './reading/index.ts';
import { showPage } from './show-page.ts';
import { registerUnsubscribe } from './unsubscribe.ts';
import { registerVerifyPage } from './verify-page.ts';
import { openVisit, type Visit } from './visit.ts';

const fileTypes = ['text/html', 'application/pdf', 'application/octet-stream'];
const said = { description: 'The page with its errors.', types: ['text/html'] };

/** A form with all of its fields: each comma of a drawing takes three bytes. */
const FORM_BYTES_MAX = 64 * 1024;
const YEAR_SECONDS = 31_536_000;

/** Adds the pages that links in mails open, on which people read and sign. */
export function registerPages(app: ApiApp, ports: ApiPorts): void {
  app.readers.failurePage = failurePage;
  registerEidReturn(app, ports);
  registerUnsubscribe(app, ports);
  registerAssets(app);
  registerReaderFiles(app);
  registerShownDocument(app, ports);
  registerShownText(app, ports);
  registerVerifyPage(app, ports);
  registerCompanyLook(app, ports);
  registerFormPage(app, ports);
  addPage(app, 'GET', '/s/{Key}/{PersonKey}', {
    ...linkRoute,
    query: linkQuery,
    answers: {
      ...linkRoute.answers,
      303: { description: 'The e-ID has responded: the page shows the result.' },
    },
    summary: 'The signing page',
    description:
      'Requester, request and deadline; the documents and the methods to sign them. Behind a ' +
      'login or passcode, if required. Works without scripts.',
    handle: ({ params, request, reply }) =>
      sendVisit(app, ports, { ...params, request, reply }, showPage),
  });
  addPage(app, 'POST', '/s/{Key}/{PersonKey}', {
    ...linkRoute,
    query: linkQuery,
    answers: {
      ...linkRoute.answers,
      200: { description: 'A page, or the requested file.', types: fileTypes },
      204: {
        description:
          'Recorded as shown: a script reads the document in ranges at `Content-Location`. Its ' +
          'digest is the entity tag.',
      },
      303: { description: 'Done or rejected: the page shows the result.' },
      403: said,
      409: said,
      422: said,
    },
    summary: 'An action on the signing page',
    description: 'Body of a form of the page, with the token stored in the browser.',
    rawTypes: ['application/x-www-form-urlencoded'],
    bodyBytesMax: FORM_BYTES_MAX,
    handle: ({ params, body, request, reply }) => {
      const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
      return sendVisit(app, ports, { ...params, request, reply }, (visit) => act(visit, form));
    },
  });
}

interface Call {
  readonly Key: string;
  readonly PersonKey: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function sendVisit(
  app: ApiApp,
  ports: ApiPorts,
  { Key, PersonKey, request, reply }: Call,
  show: (visit: Visit) => Promise<string | object>,
): Promise<unknown> {
  return orUnknownPage(reply, async () => {
    const place = await findPlace(ports, Key, PersonKey);
    const answer = await show(await openVisit(app, ports, request, reply, place));
    return typeof answer === 'string' ? reply.send(answer) : answer;
  });
}

/** Assets by name. The style sheet's name changes with its content, so it is cached permanently. */
const assets: Readonly<Record<string, readonly [type: string, text: string, maxAge: number]>> = {
  [`${pageStyleVersion}.css`]: ['text/css', pageStyle, YEAR_SECONDS],
  'page.js': ['text/javascript', pageScript, 300],
};

function registerAssets(app: ApiApp): void {
  addRoute(app, {
    method: 'GET',
    path: '/s/assets/{Asset}',
    base: 'root',
    access: 'open',
    tag: 'Pages of links',
    summary: 'A resource of the pages: style sheet or script',
    params: Type.Object({ Asset: Type.String({ maxLength: 60, description: 'Its name.' }) }),
    answers: { 200: { description: 'The file.', types: ['text/css', 'text/javascript'] } },
    errors: ['route.not_found'],
    handle: async ({ params: { Asset }, reply }) => {
      const asset = Object.hasOwn(assets, Asset) ? assets[Asset] : undefined;
      if (asset === undefined) {
        throw new InnsigliError('route.not_found', 'the resource does not exist');
      }
      const [type, text, maxAge] = asset;
      return reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', `public, max-age=${maxAge}`)
        .send(text);
    },
  });
}
