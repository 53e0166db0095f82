import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CompanyService } from '../../../app/company-service.ts';
import { memorySource } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { invalid } from '../../../base/input.ts';
import { byWeight, documentReader, documentText, inChunks } from '../../plugins/index.ts';
import type { ApiPorts, SealedDocumentParts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import {
  rawSealQuery,
  rawXmlQuery,
  sealAnswer,
  sealBody,
  sealXmlAnswer,
  sealXmlBody,
} from '../../schemas/index.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'Sealing', access: 'company' });
const pdfErrors = ['flow.not_found', 'pdf.notpdf', 'limit.exceeded'] as const;

/** Adds the routes that seal PDF and XML documents with the key of the company. */
export function registerSealing(app: ApiApp, ports: ApiPorts): void {
  add(app, 'POST', '/management/sealing', {
    summary: 'Seal a PDF',
    description:
      'Signs the PDF with the key of the company and adds a visible seal. Send it as JSON ' +
      'with base64, or as raw bytes with `FlowKey` in the query. The response is the PDF itself, ' +
      'unless `Accept` asks for JSON.',
    query: rawSealQuery,
    body: sealBody,
    rawTypes: ['application/pdf'],
    answers: {
      200: { description: 'The sealed PDF.', schema: sealAnswer, types: ['application/pdf'] },
    },
    errors: pdfErrors,
    handle: async ({ body, query, company, request, reply }) => {
      const raw: unknown = body;
      const read = documentReader(request);
      const sealRequest = Buffer.isBuffer(raw)
        ? {
            flowKey: query.FlowKey,
            reason: query.Reason,
            languageType: query.LanguageType,
            addSealOnAllPages: query.AddSealOnAllPages,
          }
        : body;
      await requireFlow(company, sealRequest.flowKey);
      const pdf = Buffer.isBuffer(raw) ? raw : read(body.pdfDocument, 'pdfDocument');
      const options = {
        ...defined({ reason: sealRequest.reason }),
        visible: {
          language: sealRequest.languageType === 'En' ? 'en' : 'is',
          page: sealRequest.addSealOnAllPages === true ? 'all' : 1,
        },
      } as const;
      const owner = company.company.key;
      const sealed = await ports.documents.seal(memorySource(pdf), options, owner);
      reply.header('x-seal-count', sealed.sealCount ?? 1);
      if (!wantsJson(request)) return sendRaw(reply, 'application/pdf', sealed);
      return { pdfDocument: documentText(request, wholeOf(sealed)) };
    },
  });
  registerXmlSealing(app, ports);
}

function registerXmlSealing(app: ApiApp, ports: ApiPorts): void {
  add(app, 'POST', '/management/sealing/xml', {
    summary: 'Seal an XML document',
    description:
      'Adds a XAdES signature of the company. Send the document as JSON with base64, or as raw ' +
      'bytes with `FlowKey` in the query. The response has the same form, unless `Accept` asks ' +
      'for the other.',
    query: rawXmlQuery,
    body: sealXmlBody,
    rawTypes: ['application/xml', 'text/xml'],
    answers: {
      200: { description: 'The XML.', schema: sealXmlAnswer, types: ['application/xml'] },
    },
    errors: ['flow.not_found', 'xml.invalid', 'xml.dtd.forbidden', 'limit.exceeded'],
    handle: async ({ body, query, company, request, reply }) => {
      const raw: unknown = body;
      const read = documentReader(request);
      const isRaw = Buffer.isBuffer(raw);
      await requireFlow(company, isRaw ? query.FlowKey : body.flowKey);
      const xml = isRaw ? raw : read(body.xmlDocument, 'xmlDocument');
      const sealed = await ports.documents.sealXml(memorySource(xml), {}, company.company.key);
      // In the format of the request, unless the client asks for the other one.
      const isXml = isRaw ? !wantsJson(request) : prefers(request, /^(application|text)\/xml/);
      if (isXml) return sendRaw(reply, 'application/xml', sealed);
      return { xmlDocument: documentText(request, wholeOf(sealed)) };
    },
  });
}

/** True if the client asks for JSON: it is listed before any raw type, not merely accepted. */
export function wantsJson(request: FastifyRequest): boolean {
  return prefers(request, /^application\/json/);
}

/** The sealed document as one buffer. */
export function wholeOf({ kept, tail }: SealedDocumentParts): Buffer {
  return Buffer.concat([kept, tail]);
}

/** A larger result is sent in chunks: joining them would cost more than separate writes. */
const JOINED_BYTES_MAX = 1024 * 1024;

/** Sends the raw document. */
export function sendRaw(
  reply: FastifyReply,
  type: string,
  sealed: SealedDocumentParts,
): FastifyReply {
  const { kept, tail } = sealed;
  const lengthBytes = kept.length + tail.length;
  reply.type(type);
  if (lengthBytes <= JOINED_BYTES_MAX) return reply.send(wholeOf(sealed));
  return reply.header('content-length', lengthBytes).send(inChunks(reply.request, kept, tail));
}

function prefers(request: FastifyRequest, wanted: RegExp): boolean {
  const [first] = byWeight((request.headers.accept ?? '').split(','));
  return first !== undefined && wanted.test(first);
}

async function requireFlow(company: CompanyService, flowKey: string | undefined): Promise<void> {
  if (flowKey === undefined || flowKey.trim() === '') {
    invalid('flowKey', 'expected a flow of the company');
  }
  await company.flows.css(flowKey);
}
