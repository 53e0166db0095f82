import { type ErrorCode, errorKinds } from '../../../base/errors.ts';
import { camelCase, errorBody } from '../../failure.ts';
import { type ApiApp, operationId, type RouteFacts } from '../../route.ts';
import { missingText } from '../../schema-fault.ts';
import { type Examples, readExamples, resolveShape } from '../../schemas/index.ts';

/** An example value shown with a schema. */
export interface Example {
  readonly summary?: string;
  readonly value?: unknown;
  readonly $ref?: string;
}

/** One content type of a body. */
export interface MediaType {
  schema?: Record<string, unknown>;
  examples?: Record<string, Example>;
}

/** One response of an operation. */
export interface DescribedAnswer {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, MediaType>;
}

/** One operation of the description. */
export interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  security?: readonly object[];
  parameters?: {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Record<string, unknown>;
    example?: unknown;
  }[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, DescribedAnswer>;
}

/** The whole description, OpenAPI 3.1. */
export interface Description {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  tags?: readonly { readonly name: string; readonly description: string }[];
  servers?: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    examples?: Record<string, Example>;
  };
}

const binary = { type: 'string', format: 'binary' };
const plainText = { type: 'string' };

/** Returns the description of all routes of `app`, with an example for everything that is sent. */
export async function describe(app: ApiApp): Promise<Description> {
  const examples = readExamples();
  const document = structuredClone(app.swagger()) as unknown as Description;
  const codes = new Set<ErrorCode>();
  for (const facts of app.routeFacts) {
    const operation = document.paths[facts.url]?.[facts.method.toLowerCase()];
    if (operation !== undefined) illustrate(operation, facts, examples);
    for (const code of facts.codes) codes.add(code);
  }
  addHead(document);
  for (const facts of app.routeFacts) addFurther(document, facts);
  document.components.examples = Object.fromEntries(
    [...codes].sort().map((code) => {
      const { summary } = errorKinds[code];
      return [code, { summary, value: errorBody(code, summary) }];
    }),
  );
  document.servers = [{ url: '/' }];
  return document;
}

function illustrate(operation: Operation, facts: RouteFacts, all: Examples): void {
  const own = all.routes[`${facts.method} ${facts.path}`.toLowerCase()] ?? {};
  for (const parameter of operation.parameters ?? []) {
    const { name } = parameter;
    const example = own.parameters?.[name] ?? all.parameters[name];
    if (example !== undefined) parameter.example = example;
  }
  const { requestBody } = operation;
  if (requestBody !== undefined) {
    requestBody.required = !facts.bodyOptional;
    for (const [type, media] of Object.entries(requestBody.content)) {
      if (type !== 'application/json') media.schema = binary;
      else if (own.body !== undefined) media.examples = { request: { value: own.body } };
    }
  }
  for (const [status, answer] of Object.entries(operation.responses)) {
    if (Number(status) >= 400 && !facts.statuses.includes(Number(status))) {
      addFailures(answer, facts, Number(status), own.words ?? {});
    } else addSuccess(answer, own.answers?.[Number(status)]);
    addHeaders(answer, facts, Number(status));
  }
}

function addSuccess(answer: DescribedAnswer, value: unknown): void {
  for (const [type, media] of Object.entries(answer.content ?? {})) {
    const isJson = type === 'application/json';
    if (/^text\//.test(type)) media.schema = plainText;
    if (value === undefined) continue;
    // A raw document, if the other response is a JSON body that contains it.
    const shown = isJson || typeof value === 'string' ? value : '%PDF-1.7\n';
    media.examples = { answer: { value: type === 'application/xml' ? '<order/>' : shown } };
  }
}

function addFailures(
  answer: DescribedAnswer,
  facts: RouteFacts,
  status: number,
  words: Readonly<Record<string, string>>,
): void {
  const media = answer.content?.['application/json'];
  if (media === undefined) return;
  const examples: Record<string, Example> = {};
  for (const code of facts.codes) {
    if (errorKinds[code].httpStatus !== status) continue;
    examples[code] = exampleOf(code, status, facts);
  }
  if (status === 403) {
    for (const [word, sentence] of Object.entries(words)) {
      examples[word] = { summary: 'Code of the provider.', value: errorBody(word, sentence) };
    }
  }
  media.examples = examples;
}

function exampleOf(code: ErrorCode, status: number, facts: RouteFacts): Example {
  const { summary } = errorKinds[code];
  if (facts.failureBody !== undefined) {
    return { summary, value: facts.failureBody({ status, code, message: summary, fields: [] }) };
  }
  const field = code === 'validation.error' ? firstRequired(facts) : undefined;
  if (field === undefined) return { $ref: `#/components/examples/${code}` };
  const fieldName = camelCase(field);
  const fields = [{ errorCode: code, fieldName, message: missingText }];
  return { summary, value: errorBody(code, `${fieldName}: ${missingText}`, { fields }) };
}

function firstRequired({ body: sent, query }: RouteFacts): string | undefined {
  const names = [sent, query].flatMap((schema) => {
    if (schema === undefined) return [];
    return (resolveShape(schema)['required'] as readonly string[] | undefined) ?? [];
  });
  return names[0];
}

function addHeaders(answer: DescribedAnswer, facts: RouteFacts, status: number): void {
  const add = (name: string, description: string) => {
    answer.headers = { ...answer.headers, [name]: { description, schema: { type: 'string' } } };
  };
  if (status === 401 && facts.access === 'company') add('WWW-Authenticate', 'Basic.');
  if (status === 429) add('Retry-After', 'Seconds to wait before retrying.');
  const { path } = facts;
  if (status === 200 && path === '/management/sealing') {
    add('x-seal-count', 'Number of seals added.');
  }
  if (status === 200 && /x-access-token/.test(answer.description)) {
    add('x-access-token', 'Grants access to the documents of the person.');
  }
  if (status < 400 && path.endsWith('{SigneeKey}.pdf'))
    add('ETag', 'Entity tag of this version of the document.');
}

// Added separately, so that each route is read only once.
function addFurther({ paths }: Description, { method, url, alsoAt }: RouteFacts): void {
  const name = method.toLowerCase();
  const operation = paths[url]?.[name];
  if (operation === undefined || alsoAt === undefined) return;
  paths[alsoAt] = {
    ...paths[alsoAt],
    [name]: {
      ...operation,
      tags: ['Further addresses'],
      summary: `The same as ${method} ${url}`,
      operationId: operationId(method, alsoAt),
    },
  };
}

// Fastify answers HEAD for each GET; only documents publish it.
function addHead({ paths }: Description): void {
  const entry = paths['/api/pdf/{ProcessKey}/{SigneeKey}.pdf'];
  const get = entry?.['get'];
  if (entry === undefined || get === undefined) return;
  const responses = Object.entries(get.responses).map(([status, { content: _body, ...answer }]) => [
    status,
    answer,
  ]);
  entry['head'] = {
    ...get,
    operationId: get.operationId.replace(/^get/, 'head'),
    summary: 'Metadata of the document',
    responses: Object.fromEntries(responses),
  };
}
