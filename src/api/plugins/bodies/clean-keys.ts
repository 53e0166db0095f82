import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { errorKinds, InnsigliError } from '../../../base/errors.ts';
import { invalid } from '../../../base/input.ts';
import { resolveShape } from '../../schemas/index.ts';

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
export function requireCleanKeys({ params, query, body, routeOptions }: FastifyRequest): void {
  const { facts } = routeOptions.config;
  if (facts === undefined) return;
  // Pages say in their own way that something is not there.
  const hasPage = facts.statuses.includes(404);
  if (!hasPage && Object.values(params as Readonly<Record<string, string>>).some(isUnclean)) {
    const missing = facts.errors.find((code) => errorKinds[code].httpStatus === 404);
    const message = 'the address has a control character';
    throw new InnsigliError(missing ?? 'validation.error', message);
  }
  for (const [name, value] of Object.entries(query as Readonly<Record<string, unknown>>)) {
    if ([value].flat().some(isUnclean)) unclean(name);
  }
  const found = facts.body === undefined ? undefined : uncleanKey(facts.body, body, '');
  if (found !== undefined) unclean(found);
}

function unclean(name: string): never {
  return invalid(name, 'expected no control characters');
}

/** True for a key that is none: with a control character in it. */
export function isUnclean(value: unknown): boolean {
  return typeof value === 'string' && controls.test(value);
}

/** The path of a member with a control character in its key; maps have names of the caller. */
function uncleanKey(schema: TSchema, value: unknown, path: string): string | undefined {
  const { properties, items } = resolveShape(schema) as {
    readonly properties?: Readonly<Record<string, TSchema>>;
    readonly items?: TSchema;
  };
  const below = (of: TSchema, member: unknown, name: string) =>
    typeof member === 'object' && member !== null ? uncleanKey(of, member, name) : undefined;
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
