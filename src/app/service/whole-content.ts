import { concatBytes } from '../../base/bytes.ts';
import type { StoredContent } from '../ports/index.ts';

/** Reads a whole blob into memory. */
export async function wholeContent({ whole, pieces }: StoredContent): Promise<Uint8Array> {
  if (whole !== undefined) return whole;
  const parts: Uint8Array[] = [];
  for await (const piece of pieces()) parts.push(piece);
  return concatBytes(parts);
}
