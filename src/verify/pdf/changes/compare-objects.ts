import { equalBytes } from '../../../base/bytes.ts';
import {
  asArray,
  asDict,
  PdfName,
  type PdfObject,
  PdfRaw,
  PdfReference,
  PdfStream,
  PdfString,
} from '../../../formats/pdf/index.ts';

/**
 * Whether both have the same meaning, whatever their encoding: encrypted strings are rewritten in
 * hexadecimal, dictionaries in a different order.
 */
export function sameObject(old: PdfObject, now: PdfObject): boolean {
  if (old === now) return true;
  if (old instanceof PdfReference) {
    return (
      now instanceof PdfReference &&
      now.objectNumber === old.objectNumber &&
      now.generation === old.generation
    );
  }
  if (old instanceof PdfName) return now instanceof PdfName && now.value === old.value;
  if (old instanceof PdfStream || now instanceof PdfStream) {
    return (
      old instanceof PdfStream &&
      now instanceof PdfStream &&
      equalExcept(old.dict, now.dict) &&
      equalBytes(old.raw, now.raw)
    );
  }
  if (old instanceof PdfString) return now instanceof PdfString && equalBytes(old.bytes, now.bytes);
  if (old instanceof PdfRaw) return now instanceof PdfRaw && equalBytes(old.bytes, now.bytes);
  const list = asArray(old);
  if (list !== undefined) {
    const other = asArray(now);
    if (other?.length !== list.length) return false;
    return list.every((item, index) => sameObject(item, other[index] as PdfObject));
  }
  const [dict, other] = [asDict(old), asDict(now)];
  if (dict === undefined || other?.size !== dict.size) return false;
  return [...dict].every(
    ([key, value]) => other.has(key) && sameObject(value, other.get(key) ?? null),
  );
}

/** Whether both are dictionaries that are equal except for the values of the free keys. */
export function equalExcept(
  old: PdfObject,
  now: PdfObject,
  free: ReadonlySet<string> = new Set(),
): boolean {
  const [a, b] = [asDict(old), asDict(now)];
  if (a === undefined || b === undefined) return false;
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    if (free.has(key)) continue;
    if (!sameObject(a.get(key) ?? null, b.get(key) ?? null)) return false;
  }
  return true;
}

/** Whether the new dictionary contains everything that the old one does, recursively. */
export function containsAll(old: PdfObject, now: PdfObject): boolean {
  const [a, b] = [asDict(old), asDict(now)];
  if (a === undefined || b === undefined) return sameObject(old, now);
  return [...a].every(([key, value]) => b.has(key) && containsAll(value, b.get(key) ?? null));
}
