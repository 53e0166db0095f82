/**
 * The map of this name, one for the whole program. Each bundle has its own copy of most files, and
 * of their variables: what one bundle stores and another reads must not be in a variable of a file.
 */
export function sharedMap<K extends object, V>(name: string): WeakMap<K, V> {
  const key = Symbol.for(`innsigli.${name}`);
  const found = Reflect.get(globalThis, key) as WeakMap<K, V> | undefined;
  if (found !== undefined) return found;
  const made = new WeakMap<K, V>();
  Object.defineProperty(globalThis, key, { value: made });
  return made;
}
