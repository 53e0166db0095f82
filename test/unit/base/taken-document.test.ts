import { expect, test } from 'vitest';
import { copyDocument } from '../../../src/base/taken.ts';

// Copies below half of Buffer.poolSize (8 KiB before Node 24, 64 KiB since) share one buffer.
test.each([
  [100, 50],
  [100, 3000],
  [700, 5700],
  [30_000, 1000],
  [300_000, 20_000],
  [300_000, 5_000_000],
])(
  'appends to a document of %i bytes %i more, whatever the caller does with its buffer',
  (documentBytes, tailBytes) => {
    const given = new Uint8Array(documentBytes).fill(0x41);
    const { bytes, followedBy } = copyDocument(given);
    given.fill(0x42);
    const whole = Buffer.from(followedBy(new Uint8Array(tailBytes).fill(0x43)));
    const expected = Buffer.concat([
      Buffer.alloc(documentBytes, 0x41),
      Buffer.alloc(tailBytes, 0x43),
    ]);
    expect(Buffer.compare(whole, expected)).toBe(0);
    expect(Buffer.compare(bytes, Buffer.alloc(documentBytes, 0x41))).toBe(0);
  },
);
