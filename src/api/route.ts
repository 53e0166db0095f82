import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SigningScheme } from '../app/auth/index.ts';
import type { CompanyService } from '../app/company-service.ts';
import { defined } from '../base/defined.ts';
import { type ErrorCode, errorKinds, InnsigliError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import type { LoginScheme } from '../domain/auth/index.ts';
import type { ApiKeyScope } from '../domain/company.ts';
import type { Signee } from '../domain/process/index.ts';
import { type Failure, stateCodes } from './failure.ts';
import { failureContent } from './failure-content.ts';
import { type WireNames, withWireNames } from './wire-names.ts';

/** Maximum size in bytes of a body on routes open to anyone. */
export const SMALL_BODY_BYTES = 256 * 1024;

/** The Fastify application that routes are added to. */
export type ApiApp = FastifyInstance;

/**
 * Callers of a route: `company` with company key and API key; `process` according to the rules of
 * the process, which the handler checks; `operator` of the service; `open` to anyone.
 */
export type Access = 'company' | 'process' | 'operator' | 'open';

/** A successful response. */
export interface Answer {
  readonly description: string;
  /** Schema of a JSON body. Undefined if there is none. */
  readonly schema?: TSchema;
  /** Content types of bodies that are not JSON. */
  readonly types?: readonly string[];
}

/** An identity provider, as logins and signatures name it. */
export type Provider = LoginScheme | SigningScheme;

/**
 * Arguments of a handler: everything is validated, with the names of the schemas. A class, because
 * V8 keeps alive what a getter of an object literal refers to, here whole requests, until a full
 * garbage collection.
 */
export class ApiCall<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.params = request.params as Params;
    this.query = request.query as Query;
    this.body = request.body as Body;
    this.request = request;
    this.reply = reply;
  }

  /** The company of the credentials. @throws internal.unexpected on a route without credentials */
  get company(): CompanyService {
    const { company } = this.request;
    if (company !== null) return company;
    throw new InnsigliError('internal.unexpected', 'the route has no company');
  }
}

/** A route of the API: its input and output, for validation and the description. */
export interface RouteSpec<P extends TSchema, Q extends TSchema, B extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As published, without `/api`: `/management/signing/{ProcessKey}`. */
  readonly path: string;
  /** Base of its path: `/api` (default) or the root. */
  readonly base?: 'api' | 'root';
  /** Further address that `routeAddress` maps to this route: the one without `/api`, or a link. */
  readonly alsoAt?: string;
  readonly access: Access;
  /** Required scope of the API key. Default: read for GET, sign for other methods. */
  readonly scope?: ApiKeyScope | 'any';
  /** Heading in the description. */
  readonly tag: string;
  readonly summary: string;
  /** Details beyond the summary; the description appends who may call the route. */
  readonly description?: string;
  /** Published, but superseded by a better route. */
  readonly deprecated?: true;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** A request without a body is treated as an empty object. */
  readonly bodyOptional?: boolean;
  /** A bare list is treated as this member; the other members are taken from its first element. */
  readonly listMember?: string;
  /** Defaults of members that a bare list's first element lacks. */
  readonly listDefaults?: Readonly<Record<string, unknown>>;
  /** Content types accepted besides JSON. The body is then a Buffer. */
  readonly rawTypes?: readonly string[];
  /** Maximum size of a body in bytes. Default: that of its kind of access. */
  readonly bodyBytesMax?: number;
  readonly answers: Readonly<Record<number, Answer>>;
  /**
   * The provider on which all responses are based, or `signee` if the handler determines whether a
   * simulator was used. A simulator is named in a header of every response.
   */
  readonly restsOn?: Provider | 'signee';
  /** Error codes that the route can return besides those of every route. */
  readonly errors?: readonly ErrorCode[];
  /** Body of a failure, if not an ErrorResponse; `failureSchema` is its schema. */
  readonly failureBody?: (failure: Failure) => unknown;
  readonly failureSchema?: TSchema;
  /** Failures of a page are pages, too: returns one, and may set headers. */
  readonly failurePage?: FailurePage;
  /** Bodies are files of visitors, which have a separate budget and rate. */
  readonly bodiesOf?: 'visitors';
  /** Names in the API for members of an operation; an empty name means the body itself. */
  readonly names?: WireNames;
  /** Returns the JSON body, or sends the reply itself and returns it. */
  handle(call: ApiCall<Static<P>, Static<Q>, Static<B>>): Promise<unknown>;
}

/** Renders a page for people about a failure. */
export type FailurePage = (
  failure: Failure,
  request: FastifyRequest,
  reply: FastifyReply,
) => string;

/** Facts of a route at run time, for tests, hooks and the description. */
export interface RouteFacts {
  readonly method: string;
  /** Including `/api` if the route is below it. */
  readonly url: string;
  readonly path: string;
  readonly alsoAt?: string;
  readonly access: Access;
  readonly scope: ApiKeyScope | 'any';
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly bodyOptional: boolean;
  readonly listMember?: string;
  readonly listDefaults?: Readonly<Record<string, unknown>>;
  readonly rawTypes: readonly string[];
  readonly statuses: readonly number[];
  readonly errors: readonly ErrorCode[];
  /** The errors, including those that every route can return. */
  readonly codes: readonly ErrorCode[];
  readonly failureBody?: (failure: Failure) => unknown;
  readonly failurePage?: FailurePage;
  readonly bodiesOf?: 'visitors';
  /**
   * Failure responses by status, for the description. They are not part of the route's schema, for
   * which Fastify would compile a serializer each.
   */
  readonly failures: object;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    facts?: RouteFacts;
  }
  interface FastifyRequest {
    company: CompanyService | null;
    /** The caller's company, if its credentials were valid, even on routes that require none. */
    caller: CompanyService | null;
  }
  interface FastifyInstance {
    /** Every route that was added with {@link addRoute}, in order. */
    routeFacts: RouteFacts[];
    /** Names the simulator in a header, if the provider or the signee uses one. */
    markSimulated(reply: FastifyReply, provider: Provider | undefined, signee?: Signee): void;
  }
}

/** Adds a route to the application: validated, described and access-controlled as specified. */
export function addRoute<P extends TSchema, Q extends TSchema, B extends TSchema>(
  app: ApiApp,
  spec: RouteSpec<P, Q, B>,
): void {
  const { method, access, params, query, body } = spec;
  const url = spec.base === 'root' ? spec.path : `/api${spec.path}`;
  const usualBytes = access === 'company' ? limits.bodyBytes : SMALL_BODY_BYTES;
  const facts: RouteFacts = {
    // A getter, because only the description reads them, and few applications build it.
    get failures() {
      return errorSchemas(spec);
    },
    method,
    url,
    path: spec.path,
    access,
    scope: scopeOf(spec),
    bodyOptional: spec.bodyOptional === true,
    rawTypes: spec.rawTypes ?? [],
    statuses: Object.keys(spec.answers).map(Number),
    errors: spec.errors ?? [],
    codes: codesOf(spec),
    ...defined({
      params,
      query,
      body,
      alsoAt: spec.alsoAt,
      listMember: spec.listMember,
      listDefaults: spec.listDefaults,
      failureBody: spec.failureBody,
      failurePage: spec.failurePage,
      bodiesOf: spec.bodiesOf,
    }),
  };
  app.routeFacts.push(facts);
  const isWithoutContent = facts.statuses.join() === '204';
  app.route({
    method,
    url: url.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: schemaOf(spec, url),
    config: { facts },
    bodyLimit: spec.bodyBytesMax ?? usualBytes,
    handler: (request, reply) => {
      if (spec.restsOn !== undefined && spec.restsOn !== 'signee') {
        app.markSimulated(reply, spec.restsOn);
      }
      const act = () => spec.handle(new ApiCall(request, reply));
      const { names } = spec;
      const named = names === undefined ? act : () => withWireNames(names, act);
      const handle = isWithoutContent ? () => named().then(() => reply.code(204).send()) : named;
      return request.named?.run(handle) ?? handle();
    },
  });
}

function scopeOf({
  scope,
  method,
}: Pick<RouteSpec<TSchema, TSchema, TSchema>, 'scope' | 'method'>) {
  return scope ?? (method === 'GET' ? 'read' : 'sign');
}

/** The operation ID: the method and the words of the address. */
export function operationId(method: string, url: string): string {
  const words = `${method} ${url}`.toLowerCase().split(/[^a-z0-9]+/);
  return words.filter((word) => word !== '').join('-');
}

const callers: Readonly<Record<Access, string>> = {
  company: 'For the company, with company key and API key.',
  process:
    'For anyone with the keys; if the process requires a login or the signee a passcode, for ' +
    'the company and holders of a token.',
  operator: 'For the operator of the service.',
  open: 'For anyone.',
};

function scopeWords(
  spec: Pick<RouteSpec<TSchema, TSchema, TSchema>, 'access' | 'scope' | 'method'>,
) {
  const scope = scopeOf(spec);
  return spec.access === 'company' && scope !== 'any' ? [`Scope of the key: ${scope}.`] : [];
}

function schemaOf<P extends TSchema, Q extends TSchema, B extends TSchema>(
  spec: RouteSpec<P, Q, B>,
  url: string,
): object {
  const { method, access, tag, summary, params, query, body, rawTypes = [] } = spec;
  const said = spec.description === undefined ? [] : [spec.description];
  return {
    tags: [tag],
    summary,
    description: [...said, callers[access], ...scopeWords(spec)].join(' '),
    ...(spec.deprecated === true ? { deprecated: true } : {}),
    operationId: operationId(method, url),
    security: access === 'company' ? [{ basic: [] }] : accessSecurity(access),
    ...defined({ params, querystring: query }),
    ...(isRepeatable(spec) ? { headers: repeatHeaders } : {}),
    ...(body === undefined && rawTypes.length === 0 ? {} : { body: bodySchema(body, rawTypes) }),
    response: answerSchemas(spec.answers, spec.restsOn === undefined ? {} : simulatedHeader),
  };
}

const repeatHeaders = {
  type: 'object',
  properties: {
    'idempotency-key': {
      type: 'string',
      maxLength: 255,
      description:
        'Key of the request: a repeat within a day gets the same response and has no effect.',
    },
  },
};

function isRepeatable({ access, method }: { readonly access: Access; readonly method: string }) {
  return access === 'company' && method === 'POST';
}

function accessSecurity(access: Access): object[] {
  if (access === 'operator') return [{}, { bearer: [] }];
  return access === 'process' ? [{}, { basic: [] }, { bearer: [] }, { accessToken: [] }] : [];
}

const binary = { type: 'string', format: 'binary' };

function bodySchema(body: TSchema | undefined, rawTypes: readonly string[]): object {
  if (body !== undefined && rawTypes.length === 0) return body;
  const raw = rawTypes.map((type) => [type, { schema: {} }]);
  const json = body === undefined ? {} : { 'application/json': { schema: body } };
  return { content: { ...json, ...Object.fromEntries(raw) } };
}

const simulatedHeader = {
  headers: {
    'x-innsigli-simulated': {
      type: 'string',
      enum: ['true'],
      description: 'Present if a simulator responded: the result proves no identity.',
    },
  },
};

function answerSchemas(answers: Readonly<Record<number, Answer>>, more: object): object {
  const entries = Object.entries(answers).map(([status, { description, schema, types = [] }]) => {
    const raw = types.map((type) => [type, { schema: binary }]);
    const json = schema === undefined ? [] : [['application/json', { schema }]];
    const content = Object.fromEntries([...json, ...raw]);
    if (json.length + raw.length === 0) return [status, { description, ...more, type: 'null' }];
    return [status, { description, ...more, content }];
  });
  return Object.fromEntries(entries);
}

/** Codes of a route: its own, those of all routes, and those of routes with body or credentials. */
function codesOf<P extends TSchema, Q extends TSchema, B extends TSchema>(
  spec: RouteSpec<P, Q, B>,
): readonly ErrorCode[] {
  const { access } = spec;
  const codes: ErrorCode[] = [...(spec.errors ?? []), 'validation.error', 'internal.unexpected'];
  codes.push('request.rate.exceeded');
  if (access === 'company' || access === 'operator')
    codes.push('authentication.credentials.invalid');
  if (access === 'company' || access === 'process') codes.push('request.throttled');
  const isForKeys = access === 'company' || access === 'process';
  if (isForKeys && scopeOf(spec) !== 'any') codes.push('authentication.key.scope');
  if (spec.base !== 'root') codes.push(...stateCodes);
  if (spec.base !== 'root' && spec.rawTypes !== undefined) {
    codes.push('service.busy', 'service.timeout');
    codes.push('tsa.unreachable', 'tsa.timeout', 'revocation.missing');
  }
  // Files are sent only while there is capacity.
  if (access === 'process' && spec.method === 'GET') {
    codes.push('request.share.exceeded', 'service.busy');
  }
  // An unexpected body is read nevertheless.
  if (spec.method !== 'GET') {
    codes.push('request.media.unsupported', 'limit.exceeded', 'service.busy');
    codes.push('request.share.exceeded');
  }
  if (isRepeatable(spec)) {
    codes.push('idempotency.key.reused', 'idempotency.in_flight', 'quota.requests.exceeded');
  }
  return [...new Set(codes)];
}

function errorSchemas<P extends TSchema, Q extends TSchema, B extends TSchema>(
  spec: RouteSpec<P, Q, B>,
): object {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(spec)) {
    const { httpStatus } = errorKinds[code];
    byStatus.set(httpStatus, [...(byStatus.get(httpStatus) ?? []), code]);
  }
  const entries = [...byStatus].map(([status, list]) => [
    status,
    {
      description: list.map((code) => `\`${code}\`: ${errorKinds[code].summary}`).join('  \n'),
      content: failureContent(spec),
    },
  ]);
  return Object.fromEntries(entries);
}
