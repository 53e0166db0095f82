import { hexOf } from '../../../base/bytes.ts';

/** First bytes of documents by encoding, longest first. */
const beginnings: readonly (readonly [hex: string, name: string])[] = [
  ['0000feff', 'UTF-32'],
  ['fffe0000', 'UTF-32'],
  ['0000003c', 'UTF-32'],
  ['3c000000', 'UTF-32'],
  ['4c6fa794', 'EBCDIC'],
  ['feff', 'UTF-16'],
  ['fffe', 'UTF-16'],
  ['003c', 'UTF-16'],
  ['3c00', 'UTF-16'],
];

/**
 * The encoding of an XML document, detected from its first four bytes, if it is not compatible with
 * ASCII; undefined for all others, including UTF-8.
 *
 * @spec XML 1.0 Appendix F
 */
export function foreignEncoding(bytes: Uint8Array): string | undefined {
  const start = hexOf(bytes.subarray(0, 4));
  return beginnings.find(([hex]) => start.startsWith(hex))?.[1];
}
