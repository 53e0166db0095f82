import type { ByteSpan } from '../../../app/ports/index.ts';

/** Part of a file that a request asks for: all, one range, or a range that is unsatisfiable. */
export type RequestedRange = 'whole' | 'unsatisfiable' | ByteSpan;

interface RangeHeaders {
  readonly range?: string | undefined;
  readonly 'if-range'?: string | undefined;
}

/**
 * Returns the part of a file that a request asks for by `Range`. Anything other than a single byte
 * range is ignored: the whole file is a correct response. The same applies if the file no longer
 * matches `If-Range`, which only a strong tag can.
 *
 * @spec RFC 9110 §14.1.2 (byte ranges), §14.2 (Range), §13.1.5 (If-Range)
 */
export function requestedRange(
  { range, 'if-range': ifRange }: RangeHeaders,
  etag: string,
  lengthBytes: number,
): RequestedRange {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return 'whole';
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') return spanOf(Math.max(0, lengthBytes - Number(last)), lengthBytes);
  if (last !== '' && Number(last) < Number(first)) return 'whole';
  const end = last === '' ? lengthBytes : Math.min(lengthBytes, Number(last) + 1);
  return spanOf(Number(first), end);
}

function spanOf(offsetBytes: number, endBytes: number): RequestedRange {
  if (offsetBytes >= endBytes) return 'unsatisfiable';
  return { offsetBytes, lengthBytes: endBytes - offsetBytes };
}

/** Value of `Content-Range`. @spec RFC 9110 §14.4 */
export function contentRange(part: ByteSpan | undefined, allBytes: number): string {
  if (part === undefined) return `bytes */${allBytes}`;
  const { offsetBytes, lengthBytes } = part;
  return `bytes ${offsetBytes}-${offsetBytes + lengthBytes - 1}/${allBytes}`;
}

/**
 * True if a list of tags (`If-Match`, `If-None-Match`) contains `etag`, or matches any. Weak
 * comparison treats a weak tag as equal, because a compressing proxy makes tags weak.
 *
 * @spec RFC 9110 §8.8.3.2
 */
export function hasTag(list: string | undefined, etag: string, { isWeak = false } = {}): boolean {
  if (list === undefined) return false;
  const tags = list.split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || tag === etag || (isWeak && tag === `W/${etag}`));
}

/** Values of a header in lower case, highest weight first. @spec RFC 9110 §12.4.2 */
export function byWeight(ranges: readonly string[]): readonly string[] {
  return ranges
    .map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1';
      return { name, weight: Number(quality) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ name }) => name);
}
