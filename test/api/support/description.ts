import { createHash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildApi } from '../../../src/api/index.ts';
import type {
  DescribedAnswer,
  Description,
  MediaType,
  Operation,
} from '../../../src/api/plugins/index.ts';
import type { RouteFacts } from '../../../src/api/route.ts';

export type { DescribedAnswer, Description, MediaType, Operation };

/** The description of an API without a running service. */
export async function readDescription(): Promise<{
  readonly document: Description;
  readonly routes: readonly RouteFacts[];
}> {
  const ports = {
    version: '0.1.0',
    random: (count: number) => new Uint8Array(count),
    now: () => 0,
    trust: {},
  };
  const app = await buildApi(ports as never);
  try {
    return { document: (await app.inject('/openapi.json')).json(), routes: app.routeFacts };
  } finally {
    await app.close();
  }
}

/** The responses that the description declares for a status of a route, by its URL pattern. */
export function describedAnswer(
  { paths }: Description,
  method: string,
  url: string,
  status: number,
): DescribedAnswer | undefined {
  const path = url.replaceAll(/:(\w+)/g, '{$1}');
  const operations = paths[path] ?? {};
  return (operations[method.toLowerCase()] ?? operations['get'])?.responses[status];
}

/** Every operation with its method and path. */
export function operationsOf({ paths }: Description) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Validates values against schemas of a description: returns the fault, or nothing. */
export function openChecker({ components }: Description) {
  const options = { strict: false, allErrors: true, validateFormats: false } as const;
  // Each schema is used only a few times: optimizing its code would take longer than it saves.
  const ajv = new Ajv2020({ ...options, code: { optimize: false } });
  const local = (schema: object) =>
    JSON.stringify(schema).replaceAll('"#/components/', '"api.json#/components/');
  ajv.addSchema({
    $id: 'api.json',
    components: { schemas: JSON.parse(local(components.schemas)) },
  });
  const known = new Map<string, ValidateFunction>();
  const met = new WeakMap<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    const text = local(schema);
    const validate = known.get(text) ?? ajv.compile(JSON.parse(text));
    known.set(text, validate);
    met.set(schema, validate);
    return validate;
  };
  return (schema: object, value: unknown): string => {
    const validate = met.get(schema) ?? validatorOf(schema);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}

/**
 * The parts of the description that a client of `/api` needs: shapes without texts and examples,
 * and a single response for all failures.
 */
export function clientShape({ openapi, info, paths, components }: Description): Description {
  const api = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
  const operations = api.map(([path, each]) => [
    path,
    Object.fromEntries(Object.entries(each).map(([method, one]) => [method, oneFailure(one)])),
  ]);
  const { schemas } = components;
  const shape = { paths: Object.fromEntries(operations), components: { schemas } };
  const words = ['description', 'summary', 'example', 'examples', 'tags', 'security', 'headers'];
  const text = JSON.stringify(shape, (name, value: unknown) =>
    words.includes(name) && !isShape(value) ? undefined : value,
  );
  return { openapi, info: { ...info, version: '' }, ...JSON.parse(text) };
}

// A member of a shape can be named like a keyword, such as `description`.
function isShape(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function oneFailure(operation: Operation): Operation {
  const all = Object.entries(operation.responses);
  const successes = all.filter(([status]) => Number(status) < 400);
  const failure = operation.responses['400'];
  const responses = { ...Object.fromEntries(successes), ...(failure && { default: failure }) };
  return { ...operation, responses };
}

/** Hash of a shape. */
export function shapeHash({ paths, components }: Description): string {
  return createHash('sha256')
    .update(JSON.stringify({ paths, components }))
    .digest('hex')
    .slice(0, 16);
}
