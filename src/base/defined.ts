/** What is left of an object without the members that have no value. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> } & {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
};

/** The object without the members that have no value. */
export function defined<T extends object>(value: T): Defined<T> {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
