import { concatBytes } from '../../src/base/bytes.ts';
import {
  feedReference,
  type ReferenceContext,
  type XmlReference,
} from '../../src/formats/xmldsig/index.ts';

/** The result of `feedReference`, with the bytes joined if they were found. */
export function referenceBytes(reference: XmlReference, context: ReferenceContext) {
  const pieces: Uint8Array[] = [];
  const answer = feedReference(reference, context, (piece) => pieces.push(new Uint8Array(piece)));
  return 'scope' in answer ? { ...answer, bytes: concatBytes(pieces) } : answer;
}
