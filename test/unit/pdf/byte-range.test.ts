import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type ByteSource,
  concatBytes,
  joinedSource,
  memorySource,
} from '../../../src/base/bytes.ts';
import { digestRanges } from '../../../src/formats/pdf/index.ts';
import { fc } from '../../support/property.ts';

function plain(bytes: Uint8Array, range: readonly number[], algorithm: string): string {
  const hash = createHash(algorithm);
  for (let i = 0; i < range.length; i += 2) {
    const start = range[i] as number;
    hash.update(bytes.subarray(start, start + (range[i + 1] as number)));
  }
  return hash.digest('hex');
}

test('digests of ranges of joined sources equal those of the plain bytes, in any order', () => {
  const part = fc.uint8Array({ minLength: 1, maxLength: 300 });
  const cut = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.constantFrom('sha256', 'sha512'));
  fc.assert(
    fc.property(part, part, part, fc.array(cut, { maxLength: 90 }), (a, b, c, cuts) => {
      const whole = concatBytes([a, b, c]);
      const { lengthBytes, slice, bytes } = memorySource(a);
      // Sources not known to be in memory are joined without a copy.
      const inMemory = cuts.length % 2 === 0 ? { bytes: bytes as Uint8Array } : {};
      const first = { lengthBytes, slice, ...inMemory };
      const joined = joinedSource(first, b);
      const sources: ByteSource[] = [first, joined, joinedSource(joined, c)];
      for (const [one, two, pick, algorithm] of cuts) {
        const source = sources[pick % 3] as ByteSource;
        const [start, end] = [one % source.lengthBytes, two % source.lengthBytes].sort(
          (x, y) => x - y,
        ) as [number, number];
        const range = [0, start, end, source.lengthBytes - end];
        const found = digestRanges(source, range, algorithm as 'sha256');
        expect(Buffer.from(found).toString('hex')).toBe(plain(whole, range, algorithm as string));
      }
    }),
    { seed: 7, numRuns: 200 },
  );
});
