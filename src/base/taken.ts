import { types } from 'node:util';
import { unwrittenBytes } from './bytes.ts';
import { InnsigliError, isInnsigliError } from './errors.ts';
import { isPlain, requireKnown, requireObject, wrongBytes } from './given.ts';
import { limits } from './limits.ts';

/** A getter of the typed array prototype, as an object or a subclass may have overridden it. */
function builtIn(key: PropertyKey): (this: unknown) => unknown {
  const typedArrays = Object.getPrototypeOf(Uint8Array.prototype) as object;
  return Object.getOwnPropertyDescriptor(typedArrays, key)?.get as (this: unknown) => unknown;
}

const kindOf = builtIn(Symbol.toStringTag);
const lengthOf = builtIn('length');

/**
 * Copies the caller's input once, before any of it is read: bytes, texts, times, and arrays and
 * objects of them. The checked value is then the one that is used, whatever the caller, a thread or
 * a getter changes later. Functions are passed on.
 *
 * @throws usage.invalid, also for errors of the caller's getters; limit.exceeded
 */
export function taken<T>(name: string, value: T): T {
  let left = limits.givenValues;
  const copied = (each: unknown, depth: number): unknown => {
    if (typeof each !== 'object' || each === null) return each;
    if (kindOf.call(each) !== undefined) return copyBytes(name, each);
    if (types.isDate(each)) return new Date(Date.prototype.getTime.call(each));
    if (depth > limits.givenDepth) throw tooMuch(name, 'levels', limits.givenDepth);
    const isList = Array.isArray(each);
    const keys = isList ? each.length : Object.keys(each);
    left -= isList ? each.length : (keys as string[]).length;
    if (!(left >= 0)) throw tooMuch(name, 'values', limits.givenValues);
    if (isList) {
      const items: unknown[] = [];
      for (let at = 0; at < (keys as number); at++) items.push(copied(each[at], depth + 1));
      return items;
    }
    const entries = (keys as string[]).map((key) => [
      key,
      copied((each as Record<string, unknown>)[key], depth + 1),
    ]);
    return Object.fromEntries(entries);
  };
  return reading(name, () => copied(value, 0) as T);
}

/**
 * Copies bytes into a buffer with `roomBytes` of free space after them.
 *
 * @throws usage.invalid for anything else, and for a detached buffer
 */
export function copyBytes(name: string, value: unknown, roomBytes = 0): Uint8Array {
  if (kindOf.call(value) !== 'Uint8Array') {
    throw wrongBytes(name, value);
  }
  return reading(name, () => {
    const lengthBytes = lengthOf.call(value) as number;
    const copy = unwrittenBytes(lengthBytes + roomBytes).subarray(0, lengthBytes);
    copy.set(value as Uint8Array);
    return copy;
  });
}

/** A document of the caller, copied once. */
export interface CopiedDocument {
  readonly bytes: Uint8Array;
  /** The copy followed by the tail. It is not copied again if the tail fits into the free space. */
  followedBy(tail: Uint8Array): Uint8Array;
}

/** Up to this size, a second copy costs less than the free space. */
const SMALL_BYTES = 1 << 18;
/** Free space after the copy. Memory that is never written to is not allocated by the system. */
const ROOM_BYTES = 1 << 22;

/** Copies a document, with space for an update. @throws usage.invalid */
export function copyDocument(value: unknown): CopiedDocument {
  const name = 'the document';
  const isSmall = kindOf.call(value) === 'Uint8Array' && Number(lengthOf.call(value)) < SMALL_BYTES;
  const roomBytes = isSmall ? 0 : ROOM_BYTES;
  const bytes = copyBytes(name, value, roomBytes);
  return {
    bytes,
    followedBy(tail) {
      const lengthBytes = bytes.length + tail.length;
      const hasRoom = tail.length <= roomBytes;
      const whole = hasRoom
        ? new Uint8Array(bytes.buffer, bytes.byteOffset, lengthBytes)
        : unwrittenBytes(lengthBytes);
      if (!hasRoom) whole.set(bytes);
      whole.set(tail, bytes.length);
      return whole;
    },
  };
}

/**
 * Returns the same object. If reading one of its members throws, the argument is rejected.
 *
 * @throws usage.invalid also if it is not an object
 */
export function readable<T extends object>(name: string, given: T): T {
  requireObject(name, given);
  return new Proxy(given, {
    get: (object, key) => reading(name, () => Reflect.get(object, key)),
    has: (object, key) => reading(name, () => Reflect.has(object, key)),
    ownKeys: (object) => reading(name, () => Reflect.ownKeys(object)),
    getOwnPropertyDescriptor: (object, key) =>
      reading(name, () => Reflect.getOwnPropertyDescriptor(object, key)),
  });
}

/** Like {@link readable}, for options with names in `known` only. @throws usage.invalid */
export function readableOptions<T extends object>(
  call: string,
  given: T,
  known: Readonly<Record<keyof T, number>>,
  name = 'options',
): T {
  const options = readable(name, given);
  if (isPlain(given)) requireKnown(call, Object.keys(options), known);
  return options;
}

/** Returns the result of `read`. @throws usage.invalid if a getter of the caller throws */
export function reading<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : 'no reason given';
    throw new InnsigliError('usage.invalid', `${name} cannot be read: ${why}`, { cause });
  }
}

function tooMuch(name: string, what: string, limit: number): InnsigliError {
  return new InnsigliError('limit.exceeded', `${name}: more than ${limit} ${what}`);
}
