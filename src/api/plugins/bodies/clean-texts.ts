import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { type ErrorCode, errorKinds, InnsigliError } from '../../../base/errors.ts';
import { invalid } from '../../../base/input.ts';
import { resolveShape } from './case-insensitive-input.ts';

/** Members that name something: their values are looked up in the database. */
const keyNames = /(?:key|token|id)$/i;
const controls = /\p{Cc}/u;

/**
 * Refuses keys with control characters before anything is looked for: no key has any, and some
 * databases take no NUL. In the path it is a thing that is not there.
 *
 * @throws validation.error for a member of the body or query
 * @throws the code with which the route says that something is not there
 */
export function requireCleanKeys(
  { params, query, body, routeOptions }: FastifyRequest,
  named: ReadonlyMap<string, TSchema>,
): void {
  const { facts } = routeOptions.config;
  if (facts === undefined) return;
  // Pages say in their own way that something is not there.
  const hasPage = facts.statuses.includes(404);
  if (!hasPage && Object.values(params as Readonly<Record<string, string>>).some(isUnclean)) {
    throw new InnsigliError(missingCode(facts.errors), 'the address has a control character');
  }
  for (const [name, value] of Object.entries(query as Readonly<Record<string, unknown>>)) {
    if ([value].flat().some(isUnclean)) unclean(name);
  }
  const found = facts.body === undefined ? undefined : uncleanKey(facts.body, body, named, '');
  if (found !== undefined) unclean(found);
}

function missingCode(codes: readonly ErrorCode[]): ErrorCode {
  return codes.find((code) => errorKinds[code].httpStatus === 404) ?? 'validation.error';
}

function unclean(name: string): never {
  return invalid(name, 'expected no control characters');
}

/** True for a key that is none: with a control character in it. */
export function isUnclean(value: unknown): boolean {
  return typeof value === 'string' && controls.test(value);
}

/** The path of a member with a control character in its key; maps have names of the caller. */
function uncleanKey(
  schema: TSchema,
  value: unknown,
  named: ReadonlyMap<string, TSchema>,
  path: string,
): string | undefined {
  const { properties, items } = resolveShape(schema, named) as {
    readonly properties?: Readonly<Record<string, TSchema>>;
    readonly items?: TSchema;
  };
  const below = (of: TSchema, member: unknown, name: string) =>
    typeof member === 'object' && member !== null ? uncleanKey(of, member, named, name) : undefined;
  if (Array.isArray(value)) {
    const found = items && value.map((each, at) => below(items, each, `${path}[${at}]`));
    return found?.find((each) => each !== undefined);
  }
  // A document that is the body has no members: each of its bytes would be one.
  const isPlain = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  if (properties === undefined || !isPlain) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (keyNames.test(name) && isUnclean(member)) return at;
    const shape = properties[name];
    const found = shape === undefined ? undefined : below(shape, member, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Shorter texts of an answer are kept as they are. */
const TEXT_MIN = 64;
const mark = '$sent';

type Mark = { readonly [mark]: number };

/**
 * `answer` without the texts that the client has sent itself, such as contents of attachments: in
 * their place stands which text of the request it is. Both are values of JSON.
 */
export function withoutSentTexts(answer: unknown, request: unknown): unknown {
  const places = new Map(textsOf(request).map((text, at) => [text, at]));
  return replaced(answer, (value) => {
    const at =
      typeof value === 'string' && value.length >= TEXT_MIN ? places.get(value) : undefined;
    return at === undefined ? value : { [mark]: at };
  });
}

/** The original of a result of {@link withoutSentTexts}, for a request with the same texts. */
export function withSentTexts(answer: unknown, request: unknown): unknown {
  const texts = textsOf(request);
  return replaced(answer, (value) => (isMark(value) ? texts[value[mark]] : value));
}

// A map of the caller, which has texts only, can have a member of that name; no number in it.
function isMark(value: unknown): value is Mark {
  return typeof (value as Partial<Mark> | null)?.[mark] === 'number';
}

/** Long texts of a value, in the order in which they stand in it. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= TEXT_MIN ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

function replaced(value: unknown, replace: (value: unknown) => unknown): unknown {
  const next = replace(value);
  if (next !== value || typeof value !== 'object' || value === null) return next;
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace));
  const members = Object.entries(value).map(([name, member]) => [name, replaced(member, replace)]);
  return Object.fromEntries(members);
}
