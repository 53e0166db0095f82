import type { FastifyReply } from 'fastify';
import { pageHeaders, stopPage, stoppedPage } from '../../pages/index.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import { addPage, linkRoute, orUnknownPage } from './link-route.ts';
import { findPlace, type LinkPlace, languageOf, refOf } from './place.ts';

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Adds the page for stopping reminders by mail. */
export function registerUnsubscribe(app: ApiApp, ports: ApiPorts): void {
  addPage(app, 'GET', '/s/{Key}/{PersonKey}/unsubscribe', {
    ...linkRoute,
    summary: 'Page to unsubscribe from reminders',
    handle: ({ params: { Key, PersonKey }, reply }) =>
      sendPage(reply, async () => stopPage(languageOf(await findPlace(ports, Key, PersonKey)))),
  });
  addPage(app, 'POST', '/s/{Key}/{PersonKey}/unsubscribe', {
    ...linkRoute,
    summary: 'Cancel the planned reminders by mail',
    description:
      'Body of the form of the page, and of the unsubscribe button of mail clients (RFC 8058): ' +
      '`List-Unsubscribe=One-Click`. Any other body returns the page again.',
    rawTypes: formTypes,
    bodyBytesMax: 4096,
    handle: ({ params: { Key, PersonKey }, body, reply }) =>
      sendPage(reply, async () => {
        const place = await findPlace(ports, Key, PersonKey);
        if (!asksToStop(body)) return stopPage(languageOf(place));
        await unsubscribe(place);
        return stoppedPage(languageOf(place));
      }),
  });
}

async function unsubscribe({ company, person, documents }: LinkPlace): Promise<void> {
  if (person !== undefined) return company.reminders.unsubscribe(person);
  const [first] = documents;
  if (first === undefined) return;
  await company.reminders.unsubscribe(refOf(first));
}

const urlEncodedForm = /(^|&)List-Unsubscribe=One-Click\s*($|&)/i;
const multipartForm = /name="?List-Unsubscribe"?\s*\r?\n\r?\n\s*One-Click\s/i;

/** True for the form of the page and of mail clients. @spec RFC 8058 §3.2 */
function asksToStop(body: unknown): boolean {
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : '';
  return urlEncodedForm.test(text) || multipartForm.test(text);
}

function sendPage(reply: FastifyReply, make: () => Promise<string>): Promise<unknown> {
  reply.type('text/html; charset=utf-8').headers(pageHeaders());
  return orUnknownPage(reply, async () => reply.send(await make()));
}
