import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { InnsigliError } from '../../../base/errors.ts';
import { invalid } from '../../../base/input.ts';
import { limits } from '../../../base/limits.ts';
import { requireDocumentSize } from '../../failure.ts';
import { type ApiApp, SMALL_BODY_BYTES } from '../../route.ts';
import { bindCaseInsensitive, resolveShape } from './case-insensitive-input.ts';
import { requireCleanKeys } from './clean-texts.ts';
import { readJson } from './held-documents.ts';
import { jsonFault, lineAndColumn, ownTurn, requireModestJson } from './json-text.ts';

/** Bodies that are taken as bytes, by the routes that take them. */
const applicationTypes =
  'x-www-form-urlencoded|pdf|xml|octet-stream|timestamp-query|ocsp-request|' +
  'pkcs7-mime|pkcs7-signature|vnd\\.etsi\\.[\\w.+-]+';
const rawTypes = new RegExp(
  `^(text/xml|multipart/form-data|application/(${applicationTypes}))\\b`,
  'i',
);

/** Media types of JSON. */
const jsonTypes = /^\s*(application\/([\w.-]+\+)?|text\/)json\s*$/i;
const charset = /^\s*charset\s*=/i;
const utf8 = /=\s*"?utf-?8"?\s*$/i;

/** Bodies in which the place of a fault is looked for: it takes longer than to read them. */
const PLACED_CHARACTERS_MAX = 1024 * 1024;

function isUtf8Json(type: string): boolean {
  const [name = '', ...parameters] = type.split(';');
  return jsonTypes.test(name) && parameters.every((each) => !charset.test(each) || utf8.test(each));
}

function mediaType({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Says what the route takes, and what came. */
function unsupported(request: FastifyRequest): InnsigliError {
  const { body, rawTypes = [] } = request.routeOptions.config.facts ?? {};
  const hasJson = body !== undefined || rawTypes.length === 0;
  const json = jsonTypes.test(mediaType(request))
    ? 'application/json in UTF-8'
    : 'application/json';
  const taken = [...(hasJson ? [json] : []), ...rawTypes].join(', ');
  const found = request.headers['content-type']?.slice(0, 100) || 'none';
  const message = `expected Content-Type ${taken}, found ${found}`;
  return new InnsigliError('request.media.unsupported', message);
}

function isEmptyForm(request: FastifyRequest): boolean {
  const { body } = request;
  return Buffer.isBuffer(body) && body.length === 0 && mediaType(request).includes('form');
}

// The text is not repeated: it can be a secret. If documents were taken out, positions differ from
// those in the request.
function notJson(text: string, isWhole: boolean): InnsigliError {
  if (text.length > PLACED_CHARACTERS_MAX || !isWhole) {
    const either = 'the body is not valid JSON, or it has a member __proto__ or constructor';
    return new InnsigliError('validation.error', either);
  }
  const at = jsonFault(text);
  if (at === undefined) {
    return new InnsigliError(
      'validation.error',
      'body: members __proto__ and constructor are refused',
    );
  }
  const what = at < text.length ? 'unexpected character' : 'it ends too early';
  const message = `the body is not valid JSON: ${what}, ${lineAndColumn(text, at)}`;
  return new InnsigliError('validation.error', message);
}

/**
 * Reads bodies and binds names: JSON and raw documents are taken where the route takes them, and
 * members, query names and words are found in any letter case.
 */
export function addBinding(app: ApiApp, schemas: readonly TSchema[]): void {
  const named = new Map(schemas.map((schema) => [String(schema.$id), schema]));
  const json = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  // The name alone: a type in another encoding is none of those that are taken.
  const parse = (request: FastifyRequest, text: string, isWhole: boolean) =>
    new Promise((resolve, reject) => {
      json(request, text, (error, value) =>
        error === null ? resolve(value) : reject(notJson(text, isWhole)),
      );
    });
  app.addContentTypeParser(
    /^application\/json$/,
    async (request: FastifyRequest, body: unknown) => {
      const { text: bytes, documents } = await readJson(request, body as Readable);
      if (!isUtf8(bytes)) {
        throw new InnsigliError('validation.error', 'the body is not UTF-8, as JSON must be');
      }
      const text = bytes.toString();
      if (/^\s*$/.test(text)) return undefined;
      const isSmall = request.routeOptions.bodyLimit <= SMALL_BODY_BYTES;
      const most = isSmall ? limits.smallJsonValues : limits.jsonValues;
      if (requireModestJson(text, most) > limits.quickJsonValues) await ownTurn();
      if (documents.size > 0) request.heldDocuments = new Map(documents);
      return parse(request, text, documents.size === 0);
    },
  );
  app.addContentTypeParser(rawTypes, { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  );
  // Clients name a type where they send nothing.
  app.addContentTypeParser('*', (request, _body, done) => {
    const { headers } = request;
    const isEmpty = (headers['content-length'] ?? '0') === '0';
    if (isEmpty && headers['transfer-encoding'] === undefined) return done(null, undefined);
    done(unsupported(request));
  });
  app.addHook('onRequest', async ({ headers }) => {
    if (isUtf8Json(headers['content-type'] ?? '')) headers['content-type'] = 'application/json';
  });
  app.addHook('preValidation', async (request) => {
    bindRequest(request, named);
    requireCleanKeys(request, named);
  });
  app.addHook('preHandler', async ({ params, query }) => {
    requireFinite(params);
    requireFinite(query);
  });
}

// Schemas look at finite numbers only, and `1e400` becomes none.
function requireFinite(values: unknown): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    if (typeof value !== 'number' || Number.isFinite(value)) continue;
    invalid(name, 'expected a number, found one that is too large');
  }
}

function bindRequest(request: FastifyRequest, named: ReadonlyMap<string, TSchema>): void {
  const { facts } = request.routeOptions.config;
  if (facts === undefined) return;
  if (facts.query !== undefined) {
    request.query = bindCaseInsensitive(facts.query, request.query, named) ?? {};
  }
  // Programs name the type of a form where they send nothing.
  if (isEmptyForm(request)) request.body = undefined;
  if (Buffer.isBuffer(request.body)) {
    if (!facts.rawTypes.includes(mediaType(request))) throw unsupported(request);
    requireDocumentSize(request.body);
    return;
  }
  if (facts.body === undefined) return;
  if (facts.bodyOptional) request.body ??= {};
  // Schemas of such routes go by the type: without one nothing would be checked.
  if (facts.rawTypes.length > 0 && (request.body ?? undefined) === undefined) {
    throw new InnsigliError('validation.error', 'body: expected JSON or a document, found nothing');
  }
  const { listMember, listDefaults = {} } = facts;
  const isList = listMember !== undefined && Array.isArray(request.body);
  const body = isList ? { [listMember]: request.body } : request.body;
  const bound = bindCaseInsensitive(facts.body, body, named);
  request.body = isList
    ? { ...listDefaults, ...withFirst(facts.body, bound as object, listMember, named) }
    : bound;
}

// The members of the whole are those of its first element.
function withFirst(
  schema: TSchema,
  bound: object,
  listMember: string,
  named: ReadonlyMap<string, TSchema>,
): object {
  const [first] = (bound as Readonly<Record<string, readonly unknown[]>>)[listMember] ?? [];
  if (typeof first !== 'object' || first === null) return bound;
  const names = Object.keys(resolveShape(schema, named)['properties'] as object);
  const taken = Object.entries(first).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(taken), ...bound };
}
