/** What was derived from an object, kept for as long as the object is. */
export interface Memo<Key extends object, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
}

/** A subclass adds its private fields to the object that it is constructed with. */
class Adopted {
  constructor(key: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the key gets the fields
    return key;
  }
}

/**
 * An empty memo. Unlike a WeakMap it keeps the value in the object itself, also in a frozen one: a
 * WeakMap that lives long keeps the values of short-lived objects until the next full collection
 * of V8, and with them all that they refer to. Where keys live long, a WeakMap does as well.
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

/** What a map or memo holds for a key; when it holds nothing, `compute` gives it. */
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

/** `read`, which runs when its result is first asked for, and not again. */
export function once<Value>(read: () => Value): () => Value {
  let kept: { readonly value: Value } | undefined;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}
