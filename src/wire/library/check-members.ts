import { isPlain } from '../../base/given.ts';
import { invalid } from '../../base/input.ts';
import { meantHint } from '../../base/text/index.ts';

/** Known members of a value. */
export interface KnownMembers {
  /** Members of an object. Undefined if any member is accepted. */
  readonly members?: Readonly<Record<string, KnownMembers>>;
  /** True if other members are accepted: the object may be a method's result or the caller's. */
  readonly isOpen?: boolean;
  /** Elements of a list. */
  readonly of?: KnownMembers;
}

/** Argument of a call, with the path prefix of its members: `options.`, or empty. */
export interface CallArgument {
  readonly name: string;
  readonly prefix: string;
  readonly known: KnownMembers;
  readonly value: unknown;
}

/**
 * Rejects members that a call does not know, such as mistyped ones, which would otherwise be
 * ignored silently. Class instances are not inspected.
 *
 * @param call its name, as the caller writes it
 * @throws validation.error with the nearest name, or with the object the member belongs to
 */
export function requireKnownMembers(call: string, given: readonly CallArgument[]): void {
  const visit = (value: unknown, { members, of, isOpen }: KnownMembers, prefix: string): void => {
    if (Array.isArray(value) && of !== undefined) {
      const list = prefix.replace(/\.$/, '');
      for (const [at, each] of value.entries()) visit(each, of, `${list}[${at}].`);
    }
    if (members === undefined || !isPlain(value)) return;
    for (const [name, each] of Object.entries(value)) {
      const path = `${prefix}${name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name}`;
      const own = Object.hasOwn(members, name) ? members[name] : undefined;
      if (own !== undefined) visit(each, own, `${path}.`);
      else if (isOpen !== true) {
        const hint = hintFor(name, Object.keys(members), given);
        invalid(path, `${call} takes no such member`, hint);
      }
    }
  };
  for (const { prefix, known, value } of given) visit(value, known, prefix);
}

const NAME_MAX = 40;

function hintFor(name: string, names: readonly string[], given: readonly CallArgument[]): string {
  const [place] = given.flatMap((each) => placesOf(name, each.known, each.name));
  if (place !== undefined) return `it is a member of ${place}`;
  if (given.some((each) => each.name === name)) return `${name} is a separate argument`;
  return meantHint(name, names) ?? `known: ${names.join(', ')}`;
}

/** Paths of the objects within an argument that have this member. */
function placesOf(name: string, known: KnownMembers, place: string): readonly string[] {
  const { members = {}, of } = known;
  const here = Object.hasOwn(members, name) ? [place] : [];
  const below = Object.entries(members).flatMap(([key, each]) => placesOf(name, each, key));
  return [...here, ...below, ...(of === undefined ? [] : placesOf(name, of, `each of ${place}`))];
}
