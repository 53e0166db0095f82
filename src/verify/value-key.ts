import { hexOf } from '../base/bytes.ts';
import { createMemo, getOrCompute } from '../base/memo.ts';
import { digestOf } from '../trust/signature.ts';

/** Cached, because the same values are looked up repeatedly. */
const keys = createMemo<Uint8Array, string>();

/** A key that is the same for equal bytes: their SHA-256. The bytes must not change later. */
export function valueKey(bytes: Uint8Array): string {
  return getOrCompute(keys, bytes, () => hexOf(digestOf('sha256', bytes)));
}

/** The values without duplicates. */
export function withoutRepeats(values: readonly Uint8Array[]): readonly Uint8Array[] {
  const seen = new Map<string, Uint8Array>();
  for (const value of values) if (!seen.has(valueKey(value))) seen.set(valueKey(value), value);
  return [...seen.values()];
}
