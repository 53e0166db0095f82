import type { TSchema } from '@sinclair/typebox';
import { CoreError } from '../../base/errors.ts';
import type { ApiApp } from '../route.ts';
import { bindCasing, resolveShape } from './casing.ts';

/**
 * Reads bodies and binds names: JSON and raw documents are taken where the route takes them, and
 * members, query names and words are found in any letter case.
 */
export function addBinding(app: ApiApp, schemas: readonly TSchema[]): void {
  const named = new Map(schemas.map((schema) => [String(schema.$id), schema]));
  const json = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json\b/,
    { parseAs: 'string' },
    (request, text, done) => {
      if (String(text).trim() === '') done(null, undefined);
      else json(request, String(text), done);
    },
  );
  const rawTypes = /^(application\/(pdf|xml|octet-stream|vnd\.etsi\.[\w.+-]+)|text\/xml)\b/;
  app.addContentTypeParser(rawTypes, { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, bytes),
  );
  app.addHook('preValidation', async (request) => {
    const { facts } = request.routeOptions.config;
    if (facts === undefined) return;
    if (facts.query !== undefined) {
      request.query = bindCasing(facts.query, request.query, named) ?? {};
    }
    if (Buffer.isBuffer(request.body)) {
      if (facts.rawTypes.length > 0) return;
      throw new CoreError('request.media.unsupported', 'expected Content-Type application/json');
    }
    if (facts.body === undefined) return;
    if (request.body === undefined && facts.bodyOptional) request.body = {};
    const { listMember } = facts;
    const isList = listMember !== undefined && Array.isArray(request.body);
    const body = isList ? { [listMember]: request.body } : request.body;
    const bound = bindCasing(facts.body, body, named);
    request.body = isList ? withFirst(facts.body, bound, listMember, named) : bound;
  });
}

// The members of the whole are those of its first element.
function withFirst(
  schema: TSchema,
  bound: unknown,
  listMember: string,
  named: ReadonlyMap<string, TSchema>,
): unknown {
  const [first] = (bound as Record<string, readonly unknown[]>)[listMember] ?? [];
  if (typeof first !== 'object' || first === null) return bound;
  const names = Object.keys(resolveShape(schema, named)['properties'] as object);
  const taken = Object.entries(first).filter(([name]) => names.includes(name));
  return { ...Object.fromEntries(taken), ...(bound as object) };
}
