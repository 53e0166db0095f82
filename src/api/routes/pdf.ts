import { Type } from '@sinclair/typebox';
import { CoreError } from '../../base/errors.ts';
import { type ApiApp, addRoute } from '../route.ts';
import { dispositionOf } from '../shapes/index.ts';
import { accessErrors } from './params.ts';

const params = Type.Object({
  ProcessKey: Type.String({ description: 'The process.' }),
  SigneeKey: Type.String({ description: 'A signee of it.' }),
});

/** Adds the route that gives a document with the signatures so far, for GET and HEAD. */
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
      '`If-None-Match` and the `ETag` of before, a document that has not changed is not sent ' +
      'again.',
    params,
    answers: {
      200: { description: 'The document.', types: ['application/pdf'] },
      304: { description: 'It is the one of If-None-Match.' },
    },
    errors: [...accessErrors, 'error.signee.not_found', 'process.file.not_found'],
    handle: async ({ params: { ProcessKey, SigneeKey }, request, reply }) => {
      const place = { processKey: ProcessKey, signeeKey: SigneeKey };
      const { company, process } = await app.requireProcess(request, place);
      const { document, fileName } = process;
      if (document === undefined) {
        throw new CoreError('process.file.not_found', 'the process has no document, or no longer');
      }
      const etag = `"${document.sha256}"`;
      reply.headers({ etag, 'cache-control': 'private, no-cache' });
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
      const name = fileName.replace(/(\.pdf)?$/i, '.pdf');
      reply.type('application/pdf').header('content-disposition', dispositionOf('inline', name));
      const content = await company.processes.document(process);
      return reply.send(Buffer.from(content.buffer, content.byteOffset, content.byteLength));
    },
  });
}

function matches(wanted: string | undefined, etag: string): boolean {
  if (wanted === undefined) return false;
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
