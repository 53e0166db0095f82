import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { StoredContent } from '../../../app/ports/index.ts';
import type { ViewedDocument } from '../../../app/signing/index.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { lastShown } from '../../../domain/process/index.ts';
import { hasTag, type ProcessAccess } from '../../plugins/index.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { circumstancesOf, dispositionOf } from '../../shapes/index.ts';
import { accessErrors, placeIn } from '../params.ts';
import { whereOpen } from '../signing/view-access.ts';

const params = Type.Object({
  ProcessKey: Type.String({ description: 'The process.' }),
  SigneeKey: Type.String({ description: 'A signee of the process.' }),
});

/** Adds the route that returns a document with the signatures so far, for GET and HEAD. */
export function registerPdf(app: ApiApp): void {
  addRoute(app, {
    method: 'GET',
    path: '/pdf/{ProcessKey}/{SigneeKey}.pdf',
    alsoAt: '/{ProcessKey}/{SigneeKey}.pdf',
    access: 'process',
    tag: 'Documents',
    summary: 'The document with the signatures so far',
    description:
      'The original before the first signature, the sealed document at the end. With ' +
      '`If-None-Match` and the previous `ETag`, an unchanged document is not sent ' +
      'again. The first download by a signee, and each after a further signature, is recorded ' +
      'in the log with the digest, unless the company downloads.',
    params,
    answers: {
      200: { description: 'The document.', types: ['application/pdf'] },
      304: { description: 'The document has not changed.' },
    },
    errors: [...accessErrors, 'error.signee.not_found', 'process.file.not_found'],
    handle: async ({ params: keys, request, reply }) => {
      const access = await app.requireProcess(request, placeIn(keys));
      const { company, process } = access;
      const { document, fileName } = process;
      if (document === undefined) {
        const message = 'the process has no document, or it was removed';
        throw new InnsigliError('process.file.not_found', message);
      }
      reply.header('cache-control', 'private, no-cache');
      const etag = `"${document.sha256}"`;
      if (hasTag(request.headers['if-none-match'], etag, { isWeak: true })) {
        return reply.code(304).header('etag', etag).send();
      }
      let shown: ViewedDocument<StoredContent> | undefined;
      const facts = { companyKey: process.companyKey, lengthBytes: document.lengthBytes };
      const download = await app.openDownload(request, reply, facts, async () => {
        shown = await showTo(request, access);
        return shown?.content ?? company.processes.openDocument(process);
      });
      const name = fileName.replace(/(\.pdf)?$/i, '.pdf');
      reply
        .type('application/pdf')
        .headers({ etag: shown === undefined ? etag : `"${shown.sha256}"` })
        .header('content-disposition', dispositionOf('inline', name));
      return download.send();
    },
  });
}

/**
 * Records that the document is shown to a signee for the first time, or after a change, and returns
 * it. Undefined if there is nothing to record.
 */
async function showTo(
  request: FastifyRequest,
  access: ProcessAccess,
): Promise<ViewedDocument<StoredContent> | undefined> {
  const { company, process, signee, by } = access;
  // HEAD does not show the document.
  if (request.method !== 'GET' || signee === undefined || signee.state === 'Signed') return;
  if (lastShown(signee) === process.document?.sha256) return;
  if (by === 'company') return;
  const circumstances = circumstancesOf(request);
  const place = { processKey: process.key, signeeKey: signee.key, circumstances };
  return whereOpen(() => company.signing.openView(place));
}
