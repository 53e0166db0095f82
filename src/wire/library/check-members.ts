import { isPlain } from '../../base/given.ts';
import { invalid } from '../../base/input.ts';
import { findSimilar } from '../../base/text/index.ts';

/** What is known of the members of a value. */
export interface KnownMembers {
  /** Members of an object; absent when it may have any. */
  readonly members?: Readonly<Record<string, KnownMembers>>;
  /** Other members are taken, too: it may come from a method, or is a party of the caller. */
  readonly isOpen?: boolean;
  /** Elements of a list. */
  readonly of?: KnownMembers;
}

/** An argument of a call, with the beginning of the paths of its members: `options.`, or none. */
export interface CallArgument {
  readonly name: string;
  readonly prefix: string;
  readonly known: KnownMembers;
  readonly value: unknown;
}

/**
 * Refuses a member that a call does not know, such as a mistyped one: it would do nothing, in
 * silence. Objects of classes are not looked into.
 *
 * @param call its name, as the caller writes it
 * @throws validation.error with the nearest name, or with the place where the member belongs
 */
export function requireKnownMembers(call: string, given: readonly CallArgument[]): void {
  for (const { prefix, known, value } of given) {
    const found = findUnknown(value, known, prefix);
    if (found === undefined) continue;
    const { path, name, names } = found;
    const [place] = given.flatMap((each) => placesOf(name, each.known, each.name));
    const similar = place === undefined ? findSimilar(name, names) : undefined;
    const meant = similar === undefined ? `known: ${names.join(', ')}` : `did you mean ${similar}?`;
    const hint = place === undefined ? meant : `it is a member of ${place}`;
    invalid(path, `${call} takes no such member`, hint);
  }
}

interface UnknownMember {
  readonly path: string;
  readonly name: string;
  /** Names that its object may have. */
  readonly names: readonly string[];
}

const NAME_MAX = 40;

function findUnknown(
  value: unknown,
  known: KnownMembers,
  prefix: string,
): UnknownMember | undefined {
  const { members, of, isOpen = false } = known;
  if (Array.isArray(value) && of !== undefined) {
    const list = prefix.replace(/\.$/, '');
    return firstOf(value, (each, at) => findUnknown(each, of, `${list}[${at}].`));
  }
  if (members === undefined || !isPlain(value)) return undefined;
  return firstOf(Object.entries(value), ([name, each]) => {
    const path = `${prefix}${name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name}`;
    const own = Object.hasOwn(members, name) ? members[name] : undefined;
    if (own !== undefined) return findUnknown(each, own, `${path}.`);
    return isOpen ? undefined : { path, name, names: Object.keys(members) };
  });
}

/** The first result of `find` that is one. */
function firstOf<Each, Found>(
  list: readonly Each[],
  find: (each: Each, at: number) => Found | undefined,
): Found | undefined {
  for (const [at, each] of list.entries()) {
    const found = find(each, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of the objects of an argument that have such a member. */
function placesOf(name: string, known: KnownMembers, place: string): readonly string[] {
  const { members = {}, of } = known;
  const here = Object.hasOwn(members, name) ? [place] : [];
  const below = Object.entries(members).flatMap(([key, each]) => placesOf(name, each, key));
  return [...here, ...below, ...(of === undefined ? [] : placesOf(name, of, `each of ${place}`))];
}
