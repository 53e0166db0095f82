import { subscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { expect } from 'vitest';
import { atFileEnd } from '../../support/file-end.ts';
import { type Description, describedAnswer, type MediaType, openChecker } from './description.ts';

/** A recorded response of a route. */
export interface RouteRecord {
  readonly method: string;
  /** As published, without `/api`. */
  readonly path: string;
  readonly status: number;
  /** Empty if it is not a failure. */
  readonly code: string;
  /** The difference from the description. Empty if there is none. */
  readonly fault: string;
}

/** Location of the records of a test run, which the script of the route table reads. */
export const recordFolder = join('node_modules', '.innsigli-routes');

const records = new Map<string, RouteRecord>();
type Checker = ReturnType<typeof openChecker>;
const checkers = new WeakMap<Description, Checker>();
/** By their routes: servers with the same routes have the same description. */
const descriptions = new Map<string, Promise<Description>>();
const described = new WeakMap<FastifyInstance, Promise<Description>>();

// Every server created by a test is recorded: none can be missed, however it is called.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  fastify.addHook('onSend', async (request, reply, given) => {
    const isJson = String(reply.getHeader('content-type') ?? '').includes('json');
    const payload = isJson && given instanceof Readable ? await text(given) : given;
    await note(fastify, request, reply, payload);
    return payload;
  });
});

atFileEnd('records of routes', () => {
  if (records.size === 0) return;
  const { testPath = 'unknown' } = expect.getState();
  const found = [...records.values()];
  records.clear();
  mkdirSync(recordFolder, { recursive: true });
  const name = `${basename(testPath)}.${process.env['INNSIGLI_TEST_ENGINE']}.jsonl`;
  writeFileSync(
    join(recordFolder, name),
    found.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
  expect(found.filter(({ fault }) => fault !== '')).toEqual([]);
});

async function note(
  fastify: FastifyInstance,
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<void> {
  const { facts } = routeOptions.config;
  if (facts === undefined) return;
  const { path } = facts;
  const status = reply.statusCode;
  const type = String(reply.getHeader('content-type') ?? '');
  const body = type.includes('json') && method !== 'HEAD' ? parse(payload) : undefined;
  const code = status < 400 ? '' : codeOf(body);
  const key = `${method} ${path} ${status} ${code}`;
  const before = records.get(key);
  if (before !== undefined && before.fault !== '') return;
  const url = routeOptions.url ?? '';
  const document = await descriptionOf(fastify);
  const fault = faultOf(document, { method, url, status, code, type, body });
  records.set(key, { method, path, status, code, fault });
}

// Building a description takes a quarter of a second, and there are hundreds of servers.
function descriptionOf(fastify: FastifyInstance): Promise<Description> {
  const found = described.get(fastify);
  if (found !== undefined) return found;
  const routes = fastify.routeFacts.map(({ method, url }) => `${method} ${url}`).join();
  const known = descriptions.get(routes) ?? fastify.description();
  descriptions.set(routes, known);
  described.set(fastify, known);
  return known;
}

interface Answered {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly body: unknown;
}

function faultOf(document: Description, { method, url, status, code, type, body }: Answered) {
  const described = describedAnswer(document, method, url, status);
  if (described === undefined) return `status ${status} is not described`;
  if (method === 'HEAD' || described.content === undefined) return '';
  const [media = ''] = type.split(';');
  const known = described.content[media] ?? described.content['*/*'];
  if (known === undefined) return `${media || 'an answer without a type'} is not described`;
  if (code !== '' && !isDescribed(known.examples ?? {}, code)) {
    return `code ${code} is not described`;
  }
  // A served JSON file is a file.
  const isJson = media === 'application/json' && known === described.content[media];
  return isJson ? schemaFault(document, known.schema ?? {}, body) : '';
}

/** Faults of a document have many codes, which no route lists. */
const documentCodes = /^(pdf|xml|seal|container|archive|tsa)\./;

function isDescribed(examples: NonNullable<MediaType['examples']>, code: string): boolean {
  if (code in examples || documentCodes.test(code)) return true;
  return Object.values(examples).some(({ value }) => codeOf(value) === code);
}

function schemaFault(document: Description, schema: object, body: unknown): string {
  const check = checkers.get(document) ?? openChecker(document);
  checkers.set(document, check);
  return check(schema, body);
}

function codeOf(body: unknown): string {
  const { errorCode, code } = (body ?? {}) as { errorCode?: string; code?: string };
  return errorCode ?? code ?? '';
}

function parse(payload: unknown): unknown {
  try {
    return JSON.parse(String(payload));
  } catch {
    return undefined;
  }
}
