import { memorySource } from '../../base/bytes.ts';
import { CoreError, isCoreError } from '../../base/errors.ts';
import { invalidField } from '../failure.ts';
import type { ApiPorts } from '../ports.ts';
import { type ApiApp, addRoute } from '../route.ts';
import {
  archiveAnswer,
  archiveBody,
  rawArchiveQuery,
  verifyAnswer,
  verifyBody,
} from '../schemas/index.ts';
import { readBase64 } from '../shapes/index.ts';
import { sendRaw, wantsJson, wholeOf } from './sealing.ts';

const documentTypes = [
  'application/pdf',
  'application/xml',
  'text/xml',
  'application/vnd.etsi.asic-e+zip',
  'application/vnd.etsi.asic-s+zip',
  'application/octet-stream',
] as const;

/** Adds the routes that archive and verify documents that somebody has signed. */
export function registerDocuments(app: ApiApp, ports: ApiPorts): void {
  addRoute(app, {
    method: 'POST',
    path: '/management/archive',
    access: 'company',
    tag: 'Sealing',
    summary: 'Bring a signed PDF to PAdES B-LTA',
    query: rawArchiveQuery,
    body: archiveBody,
    rawTypes: ['application/pdf'],
    answers: {
      200: { description: 'The PDF.', schema: archiveAnswer, types: ['application/pdf'] },
    },
    errors: ['archive.document.not_signed', 'pdf.notpdf', 'limit.exceeded'],
    handle: async ({ body, query, request, reply }) => {
      const raw: unknown = body;
      const fileName = (Buffer.isBuffer(raw) ? query.FileName : body.fileName) ?? '';
      if (fileName.trim() === '') throw invalidField('fileName', 'expected the name of the file');
      const pdf = Buffer.isBuffer(raw) ? raw : readBase64(body.pdfDocument, 'pdfDocument');
      const archived = await archive(ports, pdf);
      if (!wantsJson(request)) return sendRaw(reply, 'application/pdf', archived);
      return { pdfDocument: wholeOf(archived).toString('base64'), fileName };
    },
  });
  addRoute(app, {
    method: 'POST',
    path: '/verify',
    access: 'company',
    tag: 'Verification',
    summary: 'Judge every signature of a document',
    body: verifyBody,
    rawTypes: documentTypes,
    answers: { 200: { description: 'The report.', schema: verifyAnswer } },
    errors: ['limit.exceeded'],
    handle: async ({ body }) => {
      const raw: unknown = body;
      const document = Buffer.isBuffer(raw) ? raw : readBase64(body.document, 'document');
      const report = await ports.documents.verify(memorySource(document));
      const { signatures } = report;
      const valid =
        signatures.length > 0 &&
        signatures.every(({ indication }) => indication === 'TOTAL-PASSED');
      return { valid, ...report };
    },
  });
}

async function archive(ports: ApiPorts, pdf: Uint8Array) {
  try {
    return await ports.documents.archive(memorySource(pdf));
  } catch (cause) {
    if (!isCoreError(cause) || cause.code !== 'pdf.signature.none') throw cause;
    throw new CoreError('archive.document.not_signed', 'the PDF carries no signature', { cause });
  }
}
