import { latin1Text } from '../../../base/bytes.ts';
import { asName, type PdfDict } from './objects.ts';

/** Entries that determine where objects are. */
const layoutKeys = new Set('Prev XRefStm Length Size W Index N First Extends'.split(' '));
/** Keys with a different meaning in other dictionaries, where their values may be real numbers. */
const onlyInLayout = new Set(['Size', 'W', 'Index', 'N', 'First', 'Extends']);
/** The unescaped key, followed by digits, an array of digits or a reference. */
const plainEntry = /^\/[A-Za-z]+[\0\t\n\f\r ]*\[?[\d\0\t\n\f\r ]*(?:R|\])?$/;

/**
 * Whether the bytes from `start` to `end` are an entry that may determine where objects are, but is
 * not written as plain integers: some readers ignore `/Prev 70.0` or `/P#72ev 70`.
 *
 * @spec ISO 32000-1 §7.5.5, §7.5.7, §7.5.8
 */
export function isOddEntry(key: string, bytes: Uint8Array, start: number, end: number): boolean {
  return layoutKeys.has(key) && !plainEntry.test(latin1Text(bytes.subarray(start, end)));
}

/** Whether the entry determines where objects are: in trailers and streams that contain objects. */
export function isLayoutEntry(key: string, dict: PdfDict): boolean {
  if (!onlyInLayout.has(key)) return true;
  const type = asName(dict.get('Type'))?.value;
  return dict.has('Root') || type === 'XRef' || type === 'ObjStm';
}
