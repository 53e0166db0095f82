import { describe, expect, test } from 'vitest';
import {
  contentRange,
  hasTag,
  type RequestedRange,
  requestedRange,
} from '../../../src/api/plugins/answers/byte-ranges.ts';
import { fc } from '../../support/property.ts';

const etag = '"abc"';
const part = (offsetBytes: number, lengthBytes: number) => ({ offsetBytes, lengthBytes });

describe('the range of a file of 100 bytes', () => {
  test.each<[range: string | undefined, part: RequestedRange]>([
    [undefined, 'whole'],
    ['bytes=0-0', part(0, 1)],
    ['bytes=10-19', part(10, 10)],
    ['BYTES=10-19', part(10, 10)],
    ['bytes= 10-19 ', part(10, 10)],
    ['bytes=90-', part(90, 10)],
    ['bytes=90-1000', part(90, 10)],
    [`bytes=90-${'9'.repeat(400)}`, part(90, 10)],
    ['bytes=-10', part(90, 10)],
    ['bytes=-1000', part(0, 100)],
    ['bytes=100-', 'unsatisfiable'],
    [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    // No range, or several: ignored.
    ['bytes=20-10', 'whole'],
    ['bytes=0-1,5-6', 'whole'],
    ['bytes=-', 'whole'],
    ['bytes=', 'whole'],
    ['bytes=a-b', 'whole'],
    ['bytes=+1-2', 'whole'],
    ['bytes=1.5-2', 'whole'],
    ['pages=1-2', 'whole'],
    ['0-1', 'whole'],
  ])('for Range %s', (range, wanted) => {
    expect(requestedRange({ range }, etag, 100)).toEqual(wanted);
  });

  test.each([
    [etag, part(0, 1)],
    ['"abd"', 'whole'],
    [`W/${etag}`, 'whole'],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 'whole'],
  ])('for If-Range %s', (ifRange, wanted) => {
    const headers = { range: 'bytes=0-0', 'if-range': ifRange };
    expect(requestedRange(headers, etag, 100)).toEqual(wanted);
  });

  test('cannot be satisfied for an empty file', () => {
    for (const range of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) {
      expect(requestedRange({ range }, etag, 0)).toBe('unsatisfiable');
    }
  });
});

test('a range lies within the file and matches the request', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(60), fc.nat(60), (length, first, last) => {
      const found = requestedRange({ range: `bytes=${first}-${last}` }, etag, length);
      const all = Array.from({ length }, (_, at) => at);
      const wanted = all.filter((at) => at >= first && at <= last);
      if (typeof found === 'string') {
        expect(found).toBe(last < first ? 'whole' : 'unsatisfiable');
        expect(wanted).toEqual([]);
        return;
      }
      const { offsetBytes, lengthBytes } = found;
      expect(all.slice(offsetBytes, offsetBytes + lengthBytes)).toEqual(wanted);
    }),
  );
});

test('Content-Range states the range and the length', () => {
  expect(contentRange(part(10, 10), 100)).toBe('bytes 10-19/100');
  expect(contentRange(undefined, 100)).toBe('bytes */100');
});

test.each([
  [undefined, false, false],
  ['*', true, true],
  [etag, true, true],
  [`"x", ${etag}`, true, true],
  [`W/${etag}`, false, true],
  ['"x"', false, false],
  ['abc', false, false],
])('the entity tags %s are compared strongly and weakly', (list, strong, weak) => {
  expect(hasTag(list, etag)).toBe(strong);
  expect(hasTag(list, etag, { isWeak: true })).toBe(weak);
});
