import type { Store, StoreUnit } from '../../../../src/app/ports/index.ts';

/** A store that records its calls: `write`, `processes.lock` and so on. */
export function watched(store: Store): { readonly store: Store; readonly calls: string[] } {
  const calls: string[] = [];
  const watchCollection = (name: string, collection: object) =>
    new Proxy(collection, {
      get(target, method) {
        const value = Reflect.get(target, method) as unknown;
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          calls.push(`${name}.${String(method)}`);
          return Reflect.apply(value, target, given);
        };
      },
    });
  const watch = (unit: StoreUnit): StoreUnit =>
    new Proxy(unit, {
      get: (target, name) =>
        watchCollection(String(name), Reflect.get(target, name, target) as object),
    });
  return {
    calls,
    store: {
      ...store,
      read: (work) => store.read((unit) => work(watch(unit))),
      write: (work) => {
        calls.push('write');
        return store.write((unit) => work(watch(unit)));
      },
    },
  };
}
