import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { InnsigliError } from '../../../base/errors.ts';
import { invalid } from '../../../base/input.ts';
import { limits } from '../../../base/limits.ts';
import { requireDocumentSize } from '../../failure.ts';
import { type ApiApp, SMALL_BODY_BYTES } from '../../route.ts';
import { resolveShape } from '../../schemas/index.ts';
import { requireCleanKeys } from './clean-keys.ts';
import { readJson } from './held-documents.ts';
import { isPlaceholder } from './json-documents.ts';
import { notJson, ownTurn, requireJsonWithinLimits } from './json-text.ts';

/** Media types whose bodies are passed on as bytes, to routes that accept them. */
const applicationTypes =
  'x-www-form-urlencoded|pdf|xml|octet-stream|timestamp-query|ocsp-request|' +
  'pkcs7-mime|pkcs7-signature|vnd\\.etsi\\.[\\w.+-]+';
const rawTypes = new RegExp(
  `^(text/xml|multipart/form-data|application/(${applicationTypes}))\\b`,
  'i',
);

/** Maximum depth to which a body is traversed; schemas are not deeper. */
const DEPTH_MAX = 12;

const jsonTypes = /^\s*(application\/([\w.-]+\+)?|text\/)json\s*$/i;
const charset = /^\s*charset\s*=/i;
const utf8 = /=\s*"?utf-?8"?\s*$/i;

function isUtf8Json(type: string): boolean {
  const [name = '', ...parameters] = type.split(';');
  return jsonTypes.test(name) && parameters.every((each) => !charset.test(each) || utf8.test(each));
}

function mediaType({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

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

/**
 * Reads bodies and binds names: JSON and raw documents are accepted where the route accepts them,
 * and members, query names and keywords match in any letter case.
 */
export function addBinding(app: ApiApp): void {
  const json = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
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
        throw new InnsigliError('validation.error', 'the body is not UTF-8, which JSON requires');
      }
      const text = bytes.toString();
      if (/^\s*$/.test(text)) return undefined;
      const isSmall = request.routeOptions.bodyLimit <= SMALL_BODY_BYTES;
      const most = isSmall ? limits.smallJsonValues : limits.jsonValues;
      if (requireJsonWithinLimits(text, most) > limits.quickJsonValues) await ownTurn();
      if (documents.size > 0) request.heldDocuments = new Map(documents);
      return parse(request, text, documents.size === 0);
    },
  );
  app.addContentTypeParser(rawTypes, { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  );
  // Some clients send a content type without a body.
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
    bindRequest(request);
    requireCleanKeys(request);
  });
  app.addHook('preHandler', async ({ params, query }) => {
    requireFinite(params);
    requireFinite(query);
  });
}

// Schemas check finite numbers only, and `1e400` parses to infinity.
function requireFinite(values: unknown): void {
  for (const [name, value] of Object.entries(values ?? {})) {
    if (typeof value !== 'number' || Number.isFinite(value)) continue;
    invalid(name, 'expected a number, found one that is too large');
  }
}

function bindRequest(request: FastifyRequest): void {
  const { facts } = request.routeOptions.config;
  if (facts === undefined) return;
  if (facts.query !== undefined) {
    request.query = bindCaseInsensitive(facts.query, request.query) ?? {};
  }
  // Some programs send the type of a form without a body.
  if (isEmptyForm(request)) request.body = undefined;
  if (Buffer.isBuffer(request.body)) {
    if (!facts.rawTypes.includes(mediaType(request))) throw unsupported(request);
    requireDocumentSize(request.body);
    return;
  }
  if (facts.body === undefined) return;
  if (facts.bodyOptional) request.body ??= {};
  // Schemas of these routes depend on the type: without one, nothing would be checked.
  if (facts.rawTypes.length > 0 && (request.body ?? undefined) === undefined) {
    throw new InnsigliError('validation.error', 'body: expected JSON or a document, found nothing');
  }
  const { listMember, listDefaults = {} } = facts;
  const isList = listMember !== undefined && Array.isArray(request.body);
  const body = isList ? { [listMember]: request.body } : request.body;
  const bound = bindCaseInsensitive(facts.body, body);
  request.body = isList
    ? { ...listDefaults, ...withFirst(facts.body, bound as object, listMember) }
    : bound;
}

// The members of the whole are those of its first element.
function withFirst(schema: TSchema, bound: object, listMember: string): object {
  const [first] = (bound as Readonly<Record<string, readonly unknown[]>>)[listMember] ?? [];
  if (typeof first !== 'object' || first === null) return bound;
  const names = Object.keys(resolveShape(schema)['properties'] as object);
  const taken = Object.entries(first).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(taken), ...bound };
}

/**
 * Returns `value` in the names and keywords of `schema`: members and enumerated keywords match in
 * any letter case, keywords also by their published integers; members that the schema lacks and
 * those that are null are dropped. Values of an incorrect type remain unchanged, for validation to
 * report.
 *
 * @throws validation.error for a list or map that is longer than the schema allows
 */
function bindCaseInsensitive(schema: TSchema, value: unknown, path = '', depth = 0): unknown {
  const shape = resolveShape(schema);
  if (depth > DEPTH_MAX || value === null || value === undefined) return value ?? undefined;
  if (typeof value === 'string' || typeof value === 'number') {
    requireShortText(shape, value, path);
    return bindScalar(shape, value);
  }
  if (Array.isArray(value)) return bindList(shape, value, path, depth);
  if (typeof value === 'object' && shape['type'] === 'object') {
    return bindObject(shape, value as Record<string, unknown>, path, depth);
  }
  return value;
}

// Checked first: no text except a document may be as long as a body.
function requireShortText(shape: TSchema, value: string | number, path: string): void {
  const { contentEncoding, maxLength = 0 } = shape as {
    readonly contentEncoding?: string;
    readonly maxLength?: number;
  };
  const most = Math.max(limits.textCharacters, maxLength);
  if (typeof value === 'number' || contentEncoding !== undefined || value.length <= most) return;
  invalid(path, `expected at most ${most} characters, found ${value.length}`);
}

// An empty text is neither a keyword nor a boolean: it counts as absent.
function bindScalar(shape: TSchema, value: string | number): unknown {
  const { enum: words, 'x-enum-integers': integers = [] } = shape as {
    readonly enum?: readonly string[];
    readonly 'x-enum-integers'?: readonly number[];
  };
  if (words === undefined && (shape['type'] !== 'boolean' || typeof value === 'number'))
    return value;
  const wanted = String(value).trim().toLowerCase();
  if (words !== undefined) {
    if (wanted === '') return undefined;
    const at = words.findIndex((word) => word.toLowerCase() === wanted);
    return words[at] ?? words[integers.findIndex((each) => String(each) === wanted)] ?? value;
  }
  if (wanted === '') return undefined;
  return wanted === 'true' || (wanted === 'false' ? false : value);
}

function bindList(shape: TSchema, value: readonly unknown[], path: string, depth: number): unknown {
  const { items, maxItems } = shape as { items?: TSchema; maxItems?: number };
  if (items === undefined) return value;
  if (maxItems !== undefined && value.length > maxItems) {
    invalid(path, `expected at most ${maxItems} elements, found ${value.length}`);
  }
  return value.map(
    (item, at) => bindCaseInsensitive(items, item, `${path}[${at}]`, depth + 1) ?? item,
  );
}

function bindObject(
  shape: TSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  depth: number,
): Record<string, unknown> {
  const properties = shape['properties'] as Record<string, TSchema> | undefined;
  if (properties === undefined) return bindMap(shape, value, path);
  const names = canonicalNames(properties);
  const bound: Record<string, unknown> = {};
  for (const [given, member] of Object.entries(value)) {
    const name = names.get(given.toLowerCase());
    if (name === undefined || member === null || member === undefined) continue;
    // Two spellings of one name: the exact one takes precedence.
    if (name !== given && Object.hasOwn(value, name)) continue;
    const below = path === '' ? name : `${path}.${name}`;
    const found = bindCaseInsensitive(properties[name] as TSchema, member, below, depth + 1);
    if (found !== undefined) bound[name] = found;
  }
  return bound;
}

// The names in a map are the caller's.
function bindMap(
  shape: TSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Record<string, unknown> {
  const entries = Object.entries(value).filter(([, member]) => member !== null);
  const { maxProperties } = shape as { maxProperties?: number };
  if (maxProperties !== undefined && entries.length > maxProperties) {
    invalid(path, `expected at most ${maxProperties} members, found ${entries.length}`);
  }
  // Documents are recognised by their member's name; a map has arbitrary names and short texts.
  if (entries.some(([, member]) => typeof member === 'string' && isPlaceholder(member))) {
    invalid(path, 'expected no document, found one in base64');
  }
  return Object.fromEntries(entries);
}

const known = new WeakMap<object, ReadonlyMap<string, string>>();

function canonicalNames(properties: Readonly<Record<string, TSchema>>) {
  const found = known.get(properties);
  if (found !== undefined) return found;
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  for (const [name, { 'x-aliases': aliases = [] }] of Object.entries(properties)) {
    for (const alias of aliases as readonly string[]) {
      if (!names.has(alias)) names.set(alias, name);
    }
  }
  known.set(properties, names);
  return names;
}
