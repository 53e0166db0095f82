/**
 * The map of this name of the whole program. Its bundles have a copy of nearly each file; what one
 * of them remembers by an object that another asks about must not be in the file.
 */
export function sharedMap<K extends object, V>(name: string): WeakMap<K, V> {
  const key = Symbol.for(`innsigli.${name}`);
  const found = Reflect.get(globalThis, key) as WeakMap<K, V> | undefined;
  if (found !== undefined) return found;
  const made = new WeakMap<K, V>();
  Object.defineProperty(globalThis, key, { value: made });
  return made;
}
