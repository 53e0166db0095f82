import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { memorySource } from '../../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import { findLocale } from '../../../base/words/index.ts';
import { languages } from '../../../domain/message/index.ts';
import type { Failure } from '../../failure.ts';
import {
  pageHeaders,
  unknownPage,
  type VerifyFacts,
  type VerifyNotice,
  verdictPage,
  verifyPage,
} from '../../pages/index.ts';
import { holderScale, openBudget, visitorBytes } from '../../plugins/index.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';
import { routesOf } from '../routes-of.ts';
import { requestedLanguage } from './asked-language.ts';
import { readMultipart } from './multipart.ts';

const address = '/s/verify';
const query = Type.Object(
  { lng: Type.Optional(Type.String({ maxLength: 20, description: 'Language, such as `en-us`.' })) },
  { additionalProperties: true },
);
const page = { description: 'The page.', types: ['text/html'] };
const none = { description: 'The page is switched off.', types: ['text/html'] };
const add = routesOf({
  ...{ base: 'root', access: 'open', tag: 'Pages of links', failurePage },
});

/** All visitors count as one owner of work, which takes turns with companies. */
const OWNER = 'visitors';

/** Adds the page on which anyone can have a signed file verified. */
export function registerVerifyPage(app: ApiApp, ports: ApiPorts): void {
  add(app, 'GET', '/verify', {
    query,
    base: 'api',
    summary: 'Redirect to the page that checks signed files',
    answers: { 303: { description: 'The page is `/s/verify`.' }, 404: none },
    handle: async ({ query: { lng }, reply }) => {
      if (!ports.pages.verify) return sendUnknown(reply);
      return reply.code(303).header('location', addressIn(lng)).send();
    },
  });
  add(app, 'GET', address, {
    query,
    summary: 'The page that checks signed files',
    description: 'Accepts a file through a form, without scripts or cookies.',
    answers: { 200: page, 404: none },
    handle: async ({ request, reply }) => {
      if (!ports.pages.verify) return sendUnknown(reply);
      return sendPage(reply, verifyPage(factsOf(request)));
    },
  });
  registerCheck(app, ports);
}

function registerCheck(app: ApiApp, ports: ApiPorts): void {
  const work = openWork();
  add(app, 'POST', address, {
    query,
    summary: 'The verdict on a signed file as a page',
    description:
      'Body of the form of the page, with the file in `file`: PDF, XML, ASiC or CMS with its ' +
      'content. It is not stored. Files have separate limits: per address and in total.',
    rawTypes: ['multipart/form-data'],
    bodyBytesMax: limits.pageFileBytes + limits.pageFormBytes,
    bodiesOf: 'visitors',
    answers: {
      200: { description: 'The verdict, positive or negative.', types: ['text/html'] },
      403: { description: 'A form of a different site.', types: ['text/html'] },
      404: none,
      422: { description: 'The file is missing or cannot be read.', types: ['text/html'] },
    },
    handle: async ({ body, request, reply }) =>
      ports.pages.verify ? check({ ports, work, request, reply, body }) : sendUnknown(reply),
  });
}

interface Check {
  readonly ports: ApiPorts;
  readonly work: ReturnType<typeof openWork>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: unknown;
}

/** Verifies the uploaded file; a file that cannot be read is reported on the page, too. */
async function check({ ports, work, request, reply, body }: Check): Promise<FastifyReply> {
  const facts = factsOf(request);
  const refuse = (status: number, notice: VerifyNotice) =>
    sendPage(reply.code(status), verifyPage(facts, notice));
  if (request.headers['sec-fetch-site'] === 'cross-site') {
    return refuse(403, { word: 'errorForm' });
  }
  const type = request.headers['content-type'] ?? '';
  const form = Buffer.isBuffer(body) ? readMultipart(body, type) : undefined;
  const file = form?.files.get('file');
  if (file === undefined || file.bytes.length === 0) return refuse(422, { word: 'verifyEmpty' });
  if (file.bytes.length > limits.pageFileBytes) {
    throw new InnsigliError('limit.exceeded', 'the file exceeds the size limit');
  }
  const { fileName, bytes } = file;
  const options = { language: findLocale(facts.language) ?? 'en', fileName } as const;
  try {
    const report = await work(request, bytes, () =>
      ports.documents.describe(memorySource(bytes), options, OWNER),
    );
    return sendPage(reply, verdictPage(facts, report));
  } catch (error) {
    const notice = noticeOf(error);
    if (notice === undefined) throw error;
    return refuse(422, notice);
  }
}

/**
 * Creates a limiter that counts the bytes of files until they are processed: the budget of the body
 * is released when a client disconnects, but the work on its file continues.
 */
function openWork() {
  const budget = openBudget(visitorBytes());
  return async <T>(request: FastifyRequest, bytes: Buffer, run: () => Promise<T>): Promise<T> => {
    const hold = budget.open({
      sharers: clientNetworks(request.ip, holderScale),
      neededMs: () => 0,
      cut: () => undefined,
    });
    try {
      hold.take(bytes.length);
      return await run();
    } finally {
      hold.release();
    }
  };
}

function factsOf({ query: given, headers }: FastifyRequest): VerifyFacts {
  const { lng } = given as { readonly lng?: unknown };
  const asked = typeof lng === 'string' ? lng : undefined;
  return {
    language: requestedLanguage(asked, headers['accept-language']),
    sizeMb: Math.floor(limits.pageFileBytes / (1024 * 1024)),
    self: addressIn(asked),
  };
}

// Built from known values only, never from the request's text.
function addressIn(lng: string | undefined): string {
  const asked = lng?.split('-')[0]?.toLowerCase();
  const known = languages.find((each) => each.toLowerCase() === asked);
  return known === undefined ? address : `${address}?lng=${known.toLowerCase()}`;
}

function sendPage(reply: FastifyReply, text: string): FastifyReply {
  return withHeaders(reply).type('text/html; charset=utf-8').send(text);
}

function withHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({ ...pageHeaders(), vary: 'accept-language' });
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(404), unknownPage());
}

/** Notice about a file that cannot be read. Undefined for other errors. */
function noticeOf(error: unknown): VerifyNotice | undefined {
  if (!isInnsigliError(error)) return undefined;
  const { code } = error;
  if (code.startsWith('pdf.password.')) return { word: 'verifyEncrypted' };
  return /^(pdf|xml|container|cms|asn1|der|zip)\.|^limit\.exceeded$/.test(code)
    ? { word: 'verifyUnreadable' }
    : undefined;
}

function failurePage(failure: Failure, request: FastifyRequest, reply: FastifyReply): string {
  withHeaders(reply);
  return verifyPage(factsOf(request), noticeOfFailure(failure));
}

function noticeOfFailure({ status, code, retryAfterSeconds = 1 }: Failure): VerifyNotice {
  if (code === 'service.timeout') return { word: 'verifyTooLong' };
  if (status === 413) return { word: 'verifyTooLarge' };
  if (status === 429 || status === 503) return { word: 'verifyWait', seconds: retryAfterSeconds };
  if (status === 415) return { word: 'verifyEmpty' };
  return { word: status < 500 ? 'errorForm' : 'errorUnexpected' };
}
