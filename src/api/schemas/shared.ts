import {
  type ObjectOptions,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from '@sinclair/typebox';

const known = new Map<string, TSchema>();

/** All named schemas: each appears once in the description. */
export const namedSchemas: ReadonlyMap<string, TSchema> = known;

/** Returns a reference to an object schema with these members, listed once in the description. */
export function named<Members extends TProperties>(
  name: string,
  members: Members,
  options: ObjectOptions = {},
): TUnsafe<Static<TObject<Members>>> {
  if (known.has(name)) throw new Error(`schema ${name} already exists`);
  known.set(name, Type.Object(members, { $id: name, ...options }));
  return Type.Unsafe({ $ref: `${name}#` });
}

/** Returns the schema that `schema` refers to, or `schema` itself. */
export function resolveShape(schema: TSchema): TSchema {
  const target = schema['$ref'];
  if (typeof target !== 'string') return schema;
  return known.get(target.replace(/#$/, '')) ?? schema;
}

/**
 * One of `words`. Input may use any letter case, or the integer if one is published.
 *
 * @param integers one for each word, in the same order
 */
export function oneOf<const W extends readonly string[]>(
  words: W,
  description?: string,
  integers?: readonly number[],
): TUnsafe<W[number]> {
  const said = description === undefined ? {} : { description };
  const numbered = integers === undefined ? {} : { 'x-enum-integers': integers };
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...said, ...numbered });
}

/** Channel of a login. */
export function contextType(description?: string) {
  const schema = oneOf(['Sim', 'App'], description);
  return { ...schema, 'x-aliases': ['service', 'the service'] } as typeof schema;
}

/** An optional text. */
export function text(description: string) {
  return Type.Optional(Type.String({ description }));
}

/** A required text. */
export function requiredText(description: string) {
  return Type.String({ minLength: 1, description });
}

/** A key in a path. */
export function pathKey(description: string) {
  return Type.String({ minLength: 1, maxLength: 100, description });
}

/** An optional boolean. */
export function flag(description: string) {
  return Type.Optional(Type.Boolean({ description }));
}

/** A document in base64, without a data URL prefix. */
export function document(description: string) {
  return Type.String({ minLength: 1, contentEncoding: 'base64', description });
}

/** Texts by name; one may hold the values of a form as JSON. */
export const textMap = Type.Record(Type.String(), Type.String({ maxLength: 256 * 1024 }), {
  maxProperties: 200,
  description: 'Texts of at most 20,000 characters; pdfFieldData of at most 262,144.',
});

const fieldErrorSchema = named('ResponseError', {
  errorCode: Type.String(),
  fieldName: Type.String({ description: 'Member of the request, in camel case.' }),
  message: Type.String(),
});

const responseStatusSchema = named('ResponseStatus', {
  errorCode: Type.String({ description: 'A code of docs/errors.md; always a string.' }),
  message: Type.String(),
  errors: Type.Optional(Type.Array(fieldErrorSchema)),
  meta: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: '`providerCode`: code returned by an e-ID provider.',
    }),
  ),
});

/** Body of every failure. */
export const errorResponse = named('ErrorResponse', {
  responseStatus: responseStatusSchema,
  errorCode: Type.String(),
  message: Type.String(),
});
