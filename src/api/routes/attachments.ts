import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { CoreError } from '../../base/errors.ts';
import { systemActor } from '../../domain/process/index.ts';
import { type ApiApp, addRoute } from '../route.ts';
import { dispositionOf } from '../shapes/index.ts';
import { accessErrors } from './params.ts';

const tag = 'Attachments';
const path = '/signing/{ProcessKey}/attachment/{Id}/fileName/{FileName}';
const params = Type.Object({
  ProcessKey: Type.String({ description: 'The process.' }),
  Id: Type.String({ description: 'The attachment.' }),
  FileName: Type.String({ description: 'Its name with the ending.' }),
});
const errors = [...accessErrors, 'process.file.not_found'] as const;

/** Adds the routes that give and remove attachments. */
export function registerAttachments(app: ApiApp): void {
  addRoute(app, {
    method: 'GET',
    path,
    alsoAt: '/attachment/{ProcessKey}/{Id}/{FileName}',
    access: 'process',
    tag,
    summary: 'An attachment',
    params,
    answers: { 200: { description: 'Its content.', types: ['*/*'] } },
    errors,
    handle: async ({ params: place, request, reply }) => {
      const { company, process, attachment } = await findAttachment(app, request, place);
      const open = () => company.processes.openAttachment(place.ProcessKey, attachment.key);
      const download = await app.openDownload(
        request,
        reply,
        {
          companyKey: process.companyKey,
          lengthBytes: attachment.document.lengthBytes,
        },
        open,
      );
      // What somebody has handed in is never shown as a page of this service.
      reply
        .header('content-disposition', dispositionOf('attachment', attachment.fileName))
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type(attachment.contentType);
      return download.send();
    },
  });
  addRoute(app, {
    method: 'DELETE',
    path,
    access: 'process',
    tag,
    summary: 'Remove an attachment',
    description: 'Only while the process is open.',
    params,
    answers: { 204: { description: 'It is gone.' } },
    errors: [...errors, 'error.signee.process.finished'],
    handle: async ({ params: place, request, reply }) => {
      const { company, attachment } = await findAttachment(app, request, place);
      const { ProcessKey } = place;
      await company.processes.deleteAttachment(ProcessKey, attachment.key, systemActor);
      return reply.code(204).send();
    },
  });
}

async function findAttachment(
  app: ApiApp,
  request: FastifyRequest,
  place: { readonly ProcessKey: string; readonly Id: string; readonly FileName: string },
) {
  const access = await app.requireProcess(request, { processKey: place.ProcessKey });
  const attachment = access.process.attachments.find(
    ({ key, fileName }) => key === place.Id && fileName === place.FileName,
  );
  if (attachment !== undefined) return { ...access, attachment };
  throw new CoreError('process.file.not_found', 'the process has no such attachment');
}
