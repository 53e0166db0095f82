import { hexOf } from '../base/bytes.ts';
import { createMemo, getOrCompute } from '../base/memo.ts';
import { digestOf } from '../trust/signature.ts';

/** The same values are asked about again and again. */
const keys = createMemo<Uint8Array, string>();

/** A text that is the same for equal bytes: their SHA-256. The bytes must not change later. */
export function valueKey(bytes: Uint8Array): string {
  return getOrCompute(keys, bytes, () => hexOf(digestOf('sha256', bytes)));
}

/** The values, each once. */
export function withoutRepeats(values: readonly Uint8Array[]): readonly Uint8Array[] {
  const seen = new Map<string, Uint8Array>();
  for (const value of values) if (!seen.has(valueKey(value))) seen.set(valueKey(value), value);
  return [...seen.values()];
}
