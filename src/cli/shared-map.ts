/**
 * Returns the map of this name, one for the whole program. Each bundle has its own copy of most
 * modules and their variables, so what one bundle stores and another reads must not be in a module
 * variable.
 */
export function sharedMap<K extends object, V>(name: string): WeakMap<K, V> {
  const key = Symbol.for(`innsigli.${name}`);
  const found = Reflect.get(globalThis, key) as WeakMap<K, V> | undefined;
  if (found !== undefined) return found;
  const made = new WeakMap<K, V>();
  Object.defineProperty(globalThis, key, { value: made });
  return made;
}
