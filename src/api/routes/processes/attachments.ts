import { type Static, Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { processOperations } from '../../../app/process/index.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { systemActor } from '../../../domain/process/index.ts';
import type { ApiApp } from '../../route.ts';
import { text } from '../../schemas/index.ts';
import { dispositionOf, isAttachmentOf } from '../../shapes/index.ts';
import { accessErrors } from '../params.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'Attachments', access: 'process' });
const path = '/signing/{ProcessKey}/attachment/{Id}/fileName/{FileName}';
const params = Type.Object({
  ProcessKey: Type.String({ description: 'The process.' }),
  Id: Type.String({ description: 'The attachment.' }),
  FileName: Type.String({ description: 'File name with extension.' }),
});
const query = Type.Object({
  SigneeKey: text('The requesting signee; required with a link if another signee has a passcode.'),
});
const errors = [...accessErrors, 'process.file.not_found'] as const;

/** Adds the routes that return and remove attachments. */
export function registerAttachments(app: ApiApp): void {
  add(app, 'GET', path, {
    alsoAt: '/attachment/{ProcessKey}/{Id}/{FileName}',
    summary: 'An attachment',
    params,
    query,
    answers: { 200: { description: 'The content of the attachment.', types: ['*/*'] } },
    errors: [...errors, 'error.signee.not_found'],
    handle: async ({ params: place, query: who, request, reply }) => {
      const asked = { ...place, ...who };
      const { company, process, attachment } = await findAttachment(app, request, asked);
      const open = () => company.processes.openAttachment(place.ProcessKey, attachment.key);
      const { companyKey } = process;
      const { lengthBytes } = attachment.document;
      const download = await app.openDownload(request, reply, { companyKey, lengthBytes }, open);
      // An uploaded file must never be rendered as a page of this service.
      reply
        .header('content-disposition', dispositionOf('attachment', attachment.fileName))
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type(attachment.contentType);
      return download.send();
    },
  });
  add(app, 'DELETE', path, {
    summary: 'Remove an attachment',
    description: 'Only before the first signature.',
    params,
    query,
    answers: { 204: { description: 'The attachment was removed.' } },
    errors: [...errors, 'error.signee.not_found', ...processOperations.deleteAttachment.errors],
    handle: async ({ params: place, query: who, request }) => {
      const asked = { ...place, ...who };
      const { company, attachment } = await findAttachment(app, request, asked);
      const { ProcessKey } = place;
      await company.processes.deleteAttachment({
        key: ProcessKey,
        attachmentKey: attachment.key,
        by: systemActor,
      });
    },
  });
}

async function findAttachment(
  app: ApiApp,
  request: FastifyRequest,
  place: Static<typeof params> & Static<typeof query>,
) {
  const { ProcessKey: processKey, SigneeKey: signeeKey } = place;
  const access = await app.requireProcess(request, { processKey, signeeKey });
  const attachment = access.process.attachments.find(
    ({ key, fileName }) => key === place.Id && fileName === place.FileName,
  );
  if (attachment !== undefined && isAttachmentOf(access.viewer, attachment)) {
    return { ...access, attachment };
  }
  throw new InnsigliError('process.file.not_found', 'the process has no such attachment');
}
