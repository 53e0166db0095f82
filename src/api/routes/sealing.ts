import type { FastifyReply, FastifyRequest } from 'fastify';
import { concatBytes, memorySource } from '../../base/bytes.ts';
import { invalidField } from '../failure.ts';
import type { ApiPorts, CompanyFace, SealedBytes } from '../ports.ts';
import { type ApiApp, addRoute } from '../route.ts';
import {
  rawSealQuery,
  rawXmlQuery,
  sealAnswer,
  sealBody,
  sealXmlAnswer,
  sealXmlBody,
} from '../schemas/index.ts';
import { readBase64 } from '../shapes/index.ts';

const tag = 'Sealing';
const pdfErrors = ['flow.not_found', 'pdf.notpdf', 'limit.exceeded'] as const;

/** Adds the routes that seal PDF and XML documents with the key of the company. */
export function registerSealing(app: ApiApp, ports: ApiPorts): void {
  addRoute(app, {
    method: 'POST',
    path: '/management/sealing',
    access: 'company',
    tag,
    summary: 'Seal a PDF',
    query: rawSealQuery,
    body: sealBody,
    rawTypes: ['application/pdf'],
    answers: {
      200: { description: 'The sealed PDF.', schema: sealAnswer, types: ['application/pdf'] },
    },
    errors: pdfErrors,
    handle: async ({ body, query, company, request, reply }) => {
      const raw: unknown = body;
      const wish = Buffer.isBuffer(raw)
        ? {
            flowKey: query.FlowKey,
            reason: query.Reason,
            languageType: query.LanguageType,
            addSealOnAllPages: query.AddSealOnAllPages,
          }
        : body;
      await requireFlow(company, wish.flowKey);
      const pdf = Buffer.isBuffer(raw) ? raw : readBase64(body.pdfDocument, 'pdfDocument');
      const sealed = await ports.documents.seal(memorySource(pdf), {
        ...(wish.reason === undefined ? {} : { reason: wish.reason }),
        visible: {
          language: wish.languageType === 'En' ? 'en' : 'is',
          page: wish.addSealOnAllPages === true ? 'all' : 1,
        },
      });
      reply.header('x-seal-count', sealed.sealCount ?? 1);
      const whole = wholeOf(pdf, sealed);
      if (!wantsJson(request)) return sendRaw(reply, 'application/pdf', whole);
      return { pdfDocument: whole.toString('base64') };
    },
  });
  addRoute(app, {
    method: 'POST',
    path: '/management/sealing/xml',
    access: 'company',
    tag,
    summary: 'Seal an XML document',
    query: rawXmlQuery,
    body: sealXmlBody,
    rawTypes: ['application/xml', 'text/xml'],
    answers: {
      200: { description: 'The XML.', schema: sealXmlAnswer, types: ['application/xml'] },
    },
    errors: ['flow.not_found', 'xml.invalid', 'xml.dtd.forbidden', 'limit.exceeded'],
    handle: async ({ body, query, company, request, reply }) => {
      const raw: unknown = body;
      await requireFlow(company, Buffer.isBuffer(raw) ? query.FlowKey : body.flowKey);
      const xml = Buffer.isBuffer(raw) ? raw : readBase64(body.xmlDocument, 'xmlDocument');
      const whole = wholeOf(xml, await ports.documents.sealXml(memorySource(xml), {}));
      if (prefers(request, /^(application|text)\/xml/)) {
        return sendRaw(reply, 'application/xml', whole);
      }
      return { xmlDocument: whole.toString('base64') };
    },
  });
}

/** True when the client asks for JSON: named before any raw type, and not just taken. */
export function wantsJson(request: FastifyRequest): boolean {
  return prefers(request, /^application\/json/);
}

/** The result of a seal as one run of octets. */
export function wholeOf(input: Uint8Array, { keptBytes, tail }: SealedBytes): Buffer {
  const whole = concatBytes([input.subarray(0, keptBytes), tail]);
  return Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
}

/** Answers a document itself. */
export function sendRaw(reply: FastifyReply, type: string, content: Buffer): FastifyReply {
  return reply.type(type).send(content);
}

function prefers(request: FastifyRequest, wanted: RegExp): boolean {
  const ranges = (request.headers.accept ?? '').split(',').map((range, at) => {
    const [type = '', ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
    return { type, weight: Number(weight) || 0, at };
  });
  const [first] = ranges
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.at - b.at);
  return first !== undefined && wanted.test(first.type);
}

async function requireFlow(company: CompanyFace, flowKey: string | undefined): Promise<void> {
  if (flowKey === undefined || flowKey.trim() === '') {
    throw invalidField('flowKey', 'expected a flow of the company');
  }
  await company.flows.css(flowKey);
}
