import { assert } from '../../base/errors.ts';

/** Values with a canonical form, as in records of the log. */
type CanonicalValue =
  | string
  | number
  | boolean
  | null
  | readonly CanonicalValue[]
  | { readonly [name: string]: CanonicalValue | undefined };

/**
 * The canonical JSON text of `value`: no white space, members in order of their UTF-16 code units,
 * members without a value left out, strings escaped as JSON.stringify does. For these values that
 * is RFC 8785; numbers are safe integers, so that every program writes them alike.
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
  // Verification of a log runs this for millions of rows: a list of members takes twice the time.
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/**
 * `text` as every store can keep it: lone surrogates and NUL become U+FFFD. A text that came back
 * from a store in another form would break the chain.
 */
export function storableText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8').replaceAll('\0', '\uFFFD');
}

function isList(value: object): value is readonly CanonicalValue[] {
  return Array.isArray(value);
}
