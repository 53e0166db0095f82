/** What is left of an object without the members that have no value. */
export type Defined<T> = {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
} & { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] };

/** The object without the members that have no value. */
export function defined<const T extends object>(value: T): Defined<T> {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
