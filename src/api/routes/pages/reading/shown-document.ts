import type { ShownDocument } from '../../../../app/signing/index.ts';
import { contentRange, hasTag, requestedRange } from '../../../plugins/index.ts';
import type { ApiPorts } from '../../../ports.ts';
import type { ApiApp } from '../../../route.ts';
import { circumstancesOf, dispositionOf } from '../../../shapes/index.ts';
import { addPage, documentParams, linkQuery, linkRoute } from '../link-route.ts';
import { type DocumentPlace, refOf } from '../place.ts';
import { ofDocument, pageOf, type Visit } from '../visit.ts';

const page = { description: 'A page with the reason.', types: ['text/html'] };
const pdf = ['application/pdf'];

/**
 * Adds the document of a link, to be read in ranges, after a form of the page has recorded it as
 * shown. Reading it records nothing.
 */
export function registerShownDocument(app: ApiApp, ports: ApiPorts): void {
  addPage(app, 'GET', '/s/{Key}/{PersonKey}/documents/{DocumentKey}', {
    ...linkRoute,
    params: documentParams,
    query: linkQuery,
    answers: {
      200: { description: 'The whole document, with its digest as the entity tag.', types: pdf },
      206: { description: 'The requested range.', types: pdf },
      304: { description: 'The document has not changed.' },
      403: page,
      404: page,
      412: { ...page, description: 'A different document is shown now (`If-Match`).' },
      416: { ...page, description: 'The document has no byte of the range.' },
    },
    errors: ['process.not_found', 'error.signee.not_found', 'process.file.not_found'],
    summary: 'The document shown to the signee, or a range of it',
    description:
      'For scripts of the page. The document that a form of the page has recorded as shown to ' +
      'this signee; reading it records nothing.',
    handle: (call) => ofDocument(app, ports, call, sendShown),
  });
}

async function sendShown(visit: Visit, at: DocumentPlace): Promise<unknown> {
  const { request, reply, place } = visit;
  const circumstances = circumstancesOf(request);
  const shown = await place.company.signing.shown({ ...refOf(at), circumstances });
  const etag = `"${shown.sha256}"`;
  const { headers } = request;
  reply.removeHeader('content-type');
  reply.headers({ etag, 'accept-ranges': 'bytes', 'cache-control': 'private, no-store' });
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined && !hasTag(ifMatch, etag)) return refuse(visit, 412, 'errorChanged');
  if (hasTag(headers['if-none-match'], etag, { isWeak: true })) return reply.code(304).send();
  return sendPart(visit, at.process, shown, etag);
}

async function sendPart(
  visit: Visit,
  { companyKey, fileName }: DocumentPlace['process'],
  { lengthBytes: allBytes, open }: ShownDocument,
  etag: string,
): Promise<unknown> {
  const { app, request, reply } = visit;
  // RFC 9110 §14.2: Range applies to GET only.
  const asked =
    request.method === 'GET' ? requestedRange(request.headers, etag, allBytes) : 'whole';
  if (asked === 'unsatisfiable') {
    reply.header('content-range', contentRange(undefined, allBytes));
    return refuse(visit, 416, 'readerFailed');
  }
  const part = asked === 'whole' ? undefined : asked;
  const lengthBytes = part?.lengthBytes ?? allBytes;
  const download = await app.openDownload(request, reply, { companyKey, lengthBytes }, open);
  const name = fileName.replace(/(\.pdf)?$/i, '.pdf');
  reply.type('application/pdf').header('content-disposition', dispositionOf('inline', name));
  return download.send(part);
}

function refuse(visit: Visit, status: 412 | 416, word: 'errorChanged' | 'readerFailed'): unknown {
  const { reply, words } = visit;
  const text = pageOf(visit, words.title, [], { alert: { text: words[word] } });
  return reply.code(status).type('text/html; charset=utf-8').send(text);
}
