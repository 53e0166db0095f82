import type { Store, StoreUnit } from '../../../../src/app/ports/index.ts';

/** A store that notes what is asked of it: `write`, `processes.lock` and so on. */
export function watched(store: Store): { readonly store: Store; readonly calls: string[] } {
  const calls: string[] = [];
  const watch = (unit: StoreUnit): StoreUnit => {
    const collections = Object.entries(unit).map(([name, collection]) => [
      name,
      new Proxy(collection as object, {
        get(target, method) {
          const value = Reflect.get(target, method) as unknown;
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            calls.push(`${name}.${String(method)}`);
            return Reflect.apply(value, target, given);
          };
        },
      }),
    ]);
    return Object.fromEntries(collections) as StoreUnit;
  };
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
