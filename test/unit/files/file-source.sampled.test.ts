import { closeSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { fileSource } from '../../../src/adapters/files/index.ts';
import { memorySource, scanBytes } from '../../../src/base/bytes.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';

const folder = newTemporaryFolder('file-source');
afterAll(() => rmSync(folder, { recursive: true }));

const lengthBytes = 700_001;
const content = Uint8Array.from({ length: lengthBytes }, (_, i) => (i * 31 + (i >> 8)) & 0xff);

function withFile<T>(name: string, work: (path: string, descriptor: number) => T): T {
  const path = join(folder, name);
  writeFileSync(path, content);
  const descriptor = openSync(path, 'r');
  try {
    return work(path, descriptor);
  } finally {
    closeSync(descriptor);
  }
}

describe('a file source', () => {
  test('returns the same slices and chunks as the bytes in memory', () => {
    withFile('same.bin', (_, descriptor) => {
      const source = fileSource(descriptor, 'same.bin');
      const memory = memorySource(content);
      expect(source.lengthBytes).toBe(lengthBytes);
      const offset = fc.integer({ min: 0, max: lengthBytes });
      const kept: { slice: Uint8Array; start: number; end: number }[] = [];
      fc.assert(
        fc.property(offset, offset, (one, other) => {
          const [start, end] = one < other ? [one, other] : [other, one];
          const slice = source.slice(start, end);
          expect(Buffer.compare(slice, memory.slice(start, end))).toBe(0);
          kept.push({ slice, start, end });
          const pieces: Buffer[] = [];
          scanBytes(source, start, end, (piece) => pieces.push(Buffer.from(piece)));
          expect(Buffer.compare(Buffer.concat(pieces), memory.slice(start, end))).toBe(0);
        }),
        { numRuns: runs(200), seed: 1 },
      );
      // Slices outlive the blocks they were taken from.
      for (const { slice, start, end } of kept) {
        expect(Buffer.compare(slice, memory.slice(start, end))).toBe(0);
      }
    });
  });

  test('throws when the file was truncated, instead of returning wrong bytes', () => {
    withFile('shrinks.bin', (path, descriptor) => {
      const source = fileSource(descriptor, 'shrinks.bin');
      truncateSync(path, 1000);
      const changed = expect.objectContaining({ code: 'io.input.changed' });
      expect(() => source.slice(500_000, 500_010)).toThrow(changed);
      expect(() => source.scan?.(0, lengthBytes, () => undefined)).toThrow(changed);
      expect(() => source.requireUnchanged()).toThrow(changed);
    });
  });

  test('accepts an unchanged file', () => {
    withFile('still.bin', (_, descriptor) => {
      expect(() => fileSource(descriptor, 'still.bin').requireUnchanged()).not.toThrow();
    });
  });
});
