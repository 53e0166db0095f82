import { asBuffer, memorySource } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError, onCode } from '../../../base/errors.ts';
import { invalid } from '../../../base/input.ts';
import { documentReader, documentText } from '../../plugins/index.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import {
  augmentAnswer,
  augmentBody,
  rawArchiveQuery,
  rawVerifyQuery,
  verifyAnswer,
  verifyBody,
} from '../../schemas/index.ts';
import { routesOf } from '../routes-of.ts';
import { sendRaw, wantsJson, wholeOf } from './sealing.ts';

const add = routesOf({ tag: 'Sealing', access: 'company' });
const documentTypes = [
  'application/pdf',
  'application/xml',
  'text/xml',
  'application/vnd.etsi.asic-e+zip',
  'application/vnd.etsi.asic-s+zip',
  'application/pkcs7-mime',
  'application/pkcs7-signature',
  'application/octet-stream',
] as const;

/** Adds the routes that archive and verify signed documents. */
export function registerDocuments(app: ApiApp, ports: ApiPorts): void {
  add(app, 'POST', '/management/archive', {
    summary: 'Augment a signed PDF to PAdES B-LTA',
    description:
      'Adds the validation data of its signatures and a document time-stamp. ' +
      'The response is the PDF itself, unless `Accept` asks for JSON.',
    query: rawArchiveQuery,
    body: augmentBody,
    rawTypes: ['application/pdf'],
    answers: {
      200: { description: 'The PDF.', schema: augmentAnswer, types: ['application/pdf'] },
    },
    errors: ['archive.document.not_signed', 'pdf.notpdf', 'limit.exceeded'],
    handle: async ({ body, query, company, request, reply }) => {
      const raw: unknown = body;
      const fileName = (Buffer.isBuffer(raw) ? query.FileName : body.fileName) ?? '';
      if (fileName.trim() === '') invalid('fileName', 'expected the name of the file');
      const pdf = Buffer.isBuffer(raw)
        ? raw
        : documentReader(request)(body.pdfDocument, 'pdfDocument');
      const archived = await archive(ports, pdf, company.company.key);
      if (!wantsJson(request)) return sendRaw(reply, 'application/pdf', archived);
      return { pdfDocument: documentText(request, wholeOf(archived)), fileName };
    },
  });
  add(app, 'POST', '/verify', {
    scope: 'read',
    tag: 'Verification',
    summary: 'Verify every signature of a document',
    description:
      'Verifies a PDF, XML document, ASiC container or CMS file with its content (.p7m), as JSON ' +
      'with base64 or as raw bytes. The ' +
      'status is 200 even for an invalid signature: `valid` is true if there is a signature and ' +
      'all of them are TOTAL-PASSED; a document without a signature has a `code`. ' +
      'Without revocation data for every certificate, in the document or in the configuration, ' +
      'the result is INDETERMINATE with TRY_LATER; `revocation` changes that.',
    query: rawVerifyQuery,
    body: verifyBody,
    rawTypes: documentTypes,
    answers: { 200: { description: 'The report.', schema: verifyAnswer } },
    errors: ['limit.exceeded'],
    handle: async ({ body, query, company, request, reply }) => {
      const raw: unknown = body;
      const owner = company.company.key;
      const document = Buffer.isBuffer(raw)
        ? raw
        : documentReader(request)(body.document, 'document');
      const revocation = Buffer.isBuffer(raw) ? query.Revocation : body.revocation;
      const options = defined({ revocation });
      const answer = await ports.documents.verify(memorySource(document), options, owner);
      return reply.type('application/json; charset=utf-8').send(asBuffer(answer));
    },
  });
}

async function archive(ports: ApiPorts, pdf: Uint8Array, owner: string) {
  return ports.documents.augment(memorySource(pdf), owner).catch(
    onCode('pdf.signature.none', (cause): never => {
      const message = 'the PDF has no signature';
      throw new InnsigliError('archive.document.not_signed', message, { cause });
    }),
  );
}
