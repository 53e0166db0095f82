import { types } from 'node:util';
import { type ByteSource, memorySource } from '../../base/bytes.ts';
import { isPlain } from '../../base/given.ts';
import { copyBytes, reading } from '../../base/taken.ts';
import { checkedArguments, givesPromise } from './check-method.ts';

/**
 * Wraps an object so that its methods, and those of the services they return, check the kinds of
 * their arguments and copy them. Sources that read files are passed on. Such errors are raised like
 * those of the method itself: as a rejection if it returns a promise.
 */
export function checkingArguments<T extends object>(whole: T): T {
  return taking(whole, '');
}

const copies = new WeakSet<object>();

function taking<T>(whole: T, path: string): T {
  if (!hasMethods(whole)) return whole;
  const made = new Map<unknown, unknown>();
  const copying = new Proxy(whole as T & object, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      const name = path === '' ? String(key) : `${path}.${String(key)}`;
      if (typeof member !== 'function') return taking(member, name);
      let method = made.get(member);
      if (method === undefined) {
        method = (...args: readonly unknown[]) => {
          let taken: readonly unknown[];
          try {
            taken = checkedArguments(name, args.map(take));
          } catch (error) {
            if (givesPromise(name)) return Promise.reject(error);
            throw error;
          }
          return given(name, member.apply(target, taken));
        };
        made.set(member, method);
      }
      return method;
    },
  });
  copies.add(copying);
  return copying;
}

function given(path: string, result: unknown): unknown {
  const again = (value: unknown) => taking(value, path);
  return result instanceof Promise ? result.then(again) : again(result);
}

function hasMethods(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || copies.has(value)) return false;
  if (!isPlain(value)) return false;
  // Property descriptors are used because reading a property could call a getter.
  const members = Object.values(Object.getOwnPropertyDescriptors(value));
  return members.some((member) => typeof member.value === 'function');
}

function take(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null) return argument;
  return reading('an argument', () => {
    if (isSource(argument)) return takenSource(argument);
    if (Array.isArray(argument)) return argument.map(take);
    if (types.isUint8Array(argument)) return copyBytes('bytes', argument);
    if (!isPlain(argument)) return argument;
    return Object.fromEntries(Object.entries(argument).map(([key, each]) => [key, take(each)]));
  });
}

function isSource(value: object): value is ByteSource {
  return 'lengthBytes' in value && 'slice' in value && typeof value.slice === 'function';
}

function takenSource(source: ByteSource): ByteSource {
  const { bytes } = source;
  return bytes === undefined ? source : memorySource(copyBytes('the document', bytes));
}
