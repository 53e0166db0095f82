import type { FastifySchema, FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;
type Built = (route: { readonly schema: FastifySchema }) => unknown;
type Factory = (external: unknown, options: unknown) => Built;

let shared: Promise<Compilers> | undefined;

/**
 * Fastify's schema compilers for requests and responses, which compile a schema only once, however
 * many routes share it (those of errors, for example) and however many applications a thread
 * creates. All applications of a thread have the same shared schemas and the same options.
 */
export function schemaCompilers(): Promise<Compilers> {
  shared ??= openCompilers();
  return shared;
}

async function openCompilers(): Promise<Compilers> {
  const [{ default: validators }, { default: serializers }] = await Promise.all([
    import('@fastify/ajv-compiler'),
    import('@fastify/fast-json-stringify-compiler'),
  ]);
  return {
    buildValidator: once(validators() as unknown as Factory),
    buildSerializer: once(serializers() as unknown as Factory),
  } as unknown as Compilers;
}

/** Returns a factory whose results are cached by the schema and by its text. */
function once(factory: Factory): Factory {
  const compilers = new Map<string, Built>();
  return (external, options) => {
    // Called again after schemas were added: a different set requires a different compiler.
    const set = JSON.stringify([external, options]);
    const known = compilers.get(set) ?? keeping(factory(external, options));
    compilers.set(set, known);
    return known;
  };
}

function keeping(compile: Built): Built {
  const byText = new Map<string, unknown>();
  // Most schemas are the same objects in each application, and serializing them takes longer.
  const bySchema = new WeakMap<FastifySchema, unknown>();
  const compileText: Built = (route) => {
    const text = JSON.stringify(route.schema);
    const compiled = byText.get(text) ?? compile(route);
    byText.set(text, compiled);
    return compiled;
  };
  return (route) => {
    const compiled = bySchema.get(route.schema) ?? compileText(route);
    bySchema.set(route.schema, compiled);
    return compiled;
  };
}
