/** The type of an object without its undefined members. */
export type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
} & { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] };

type NamesOf<T> = T extends unknown ? keyof T : never;

/** A member that the expected type does not have must be `never`. */
type Known<T, Expected> = [NamesOf<Expected>] extends [never]
  ? unknown
  : { readonly [Name in Exclude<keyof T, NamesOf<Expected>>]: never };

/**
 * Returns the object without its undefined members, or the same object if it has none. If the
 * result has an expected type, a member that is not in this type is a compile-time error, as in an
 * object literal.
 */
export function defined<const T extends object, Expected = T>(
  value: T & Known<T, Expected>,
): Defined<T> & (Expected extends never ? Expected : unknown) {
  const given = value as Record<string, unknown>;
  const names = Object.keys(given);
  if (names.every((name) => given[name] !== undefined)) return value as never;
  const left: Record<string, unknown> = {};
  for (const name of names) if (given[name] !== undefined) left[name] = given[name];
  return left as never;
}
