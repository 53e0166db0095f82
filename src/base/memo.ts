/** Values derived from objects, each retained as long as its object. */
export interface Memo<Key extends object, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/** The constructor returns its argument, so that a subclass adds its private fields to it. */
class Adopted {
  constructor(key: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the key gets the fields
    return key;
  }
}

/**
 * Creates an empty memo. Unlike a WeakMap it stores the value in the key object itself, even in a
 * frozen one: a long-lived WeakMap retains the values of short-lived objects, and all that they
 * refer to, until the next full collection of V8. For long-lived keys, a WeakMap is as good.
 *
 * @example
 * const digests = createMemo<ByteSource, Uint8Array>();
 */
export function createMemo<Key extends object, Value>(): Memo<Key, Value> {
  return class Kept extends Adopted {
    #value: Value;

    constructor(key: Key, value: Value) {
      super(key);
      this.#value = value;
    }

    static get(key: Key): Value | undefined {
      return #value in key ? key.#value : undefined;
    }

    static set(key: Key, value: Value): void {
      if (#value in key) key.#value = value;
      else new Kept(key, value);
    }
  };
}

/** Returns the value of a map or memo for a key. A missing value is computed and stored. */
export function getOrCompute<Key, Value, Given extends Key = Key>(
  values: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Given,
  compute: (key: Given) => Value,
): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = compute(key);
    values.set(key, value);
  }
  return value;
}

/** Wraps `read` so that it runs once, when its result is first needed. */
export function once<Value>(read: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}
