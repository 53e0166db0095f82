import { assert } from '../../base/errors.ts';

type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue | undefined };

/**
 * Returns the canonical JSON text of `value`: no white space, members sorted by UTF-16 code units,
 * members that are undefined omitted, strings escaped as JSON.stringify does. For these values the
 * result equals RFC 8785: numbers are limited to safe integers, which every implementation writes
 * alike.
 *
 * @spec RFC 8785 §3.2
 */
export function canonicalJson(value: CanonicalValue): string {
  if (typeof value === 'number') {
    assert(Number.isSafeInteger(value), 'numbers of a canonical form are safe integers');
    return String(value);
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // Log verification calls this for millions of rows; an array of members takes twice the time.
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/**
 * Returns `text` in a form that every store preserves: lone surrogates and NUL become U+FFFD. A
 * text that a store returned changed would break the chain.
 */
export function storableText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8').replaceAll('\0', '\uFFFD');
}

function isList(value: object): value is readonly CanonicalValue[] {
  return Array.isArray(value);
}
