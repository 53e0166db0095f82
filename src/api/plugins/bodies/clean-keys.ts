import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { errorKinds, InnsigliError } from '../../../base/errors.ts';
import { invalid } from '../../../base/input.ts';
import { resolveShape } from '../../schemas/index.ts';

/** Names of members that hold keys: their values are looked up in the database. */
const keyNames = /(?:key|token|id)$/i;
const controls = /\p{Cc}/u;

/**
 * Rejects keys with control characters before any lookup: no key contains any, and some databases
 * do not accept NUL. A key of this kind in the path is reported as not found.
 *
 * @throws validation.error for a member of the body or query
 * @throws the not-found code of the route, for a key in the path
 */
export function requireCleanKeys({ params, query, body, routeOptions }: FastifyRequest): void {
  const { facts } = routeOptions.config;
  if (facts === undefined) return;
  // Pages have their own way of reporting that something does not exist.
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

/** True for a key that cannot exist because it contains a control character. */
export function isUnclean(value: unknown): boolean {
  return typeof value === 'string' && controls.test(value);
}

/** Path of the member whose key contains a control character; maps have names of the caller. */
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
  // A document sent as the body has no members: each of its bytes would count as one.
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
