import { latin1Text } from '../../../base/bytes.ts';
import { asName, type PdfDict } from './objects.ts';

/** Entries that say where objects stand. */
const layoutKeys = new Set('Prev XRefStm Length Size W Index N First Extends'.split(' '));
/** Keys with another meaning in other dictionaries, where they may be real numbers. */
const onlyInLayout = new Set(['Size', 'W', 'Index', 'N', 'First', 'Extends']);
/** The key as it is, and digits, an array of digits or a reference. */
const plainEntry = /^\/[A-Za-z]+[\0\t\n\f\r ]*\[?[\d\0\t\n\f\r ]*(?:R|\])?$/;

/**
 * True when the bytes from `start` to `end` write an entry that may say where objects stand, in
 * another form than plain integers: some readers pass over `/Prev 70.0` or `/P#72ev 70`.
 *
 * @spec ISO 32000-1 §7.5.5, §7.5.7, §7.5.8
 */
export function isOddEntry(key: string, bytes: Uint8Array, start: number, end: number): boolean {
  return layoutKeys.has(key) && !plainEntry.test(latin1Text(bytes.subarray(start, end)));
}

/** True when the entry says where objects stand: in trailers and in streams that hold objects. */
export function isLayoutEntry(key: string, dict: PdfDict): boolean {
  if (!onlyInLayout.has(key)) return true;
  const type = asName(dict.get('Type'))?.value;
  return dict.has('Root') || type === 'XRef' || type === 'ObjStm';
}
