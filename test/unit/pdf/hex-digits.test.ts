import { expect, test } from 'vitest';
import { hexOf, latin1Bytes } from '../../../src/base/bytes.ts';
import { decodeDigits } from '../../../src/formats/pdf/syntax/scalars.ts';

test.each([0, 2, 32, 254, 256, 258, 6_000])('decodes %d hexadecimal digits in a row', (count) => {
  const digits = '0123456789abcdefABCDEF'.repeat(count).slice(0, count);
  expect(hexOf(decodeDigits(latin1Bytes(digits)) as Uint8Array)).toBe(digits.toLowerCase());
});

test.each([30, 6_000])('returns undefined for a non-digit anywhere among %d digits', (count) => {
  for (const odd of [' ', '\n', 'g', '/', ':', '@', '`', '\0', '\xff']) {
    for (const at of [0, 1, count - 2, count - 1]) {
      const text = `${'a'.repeat(at)}${odd}${'a'.repeat(count - at - 1)}`;
      expect(decodeDigits(latin1Bytes(text))).toBeUndefined();
    }
  }
  expect(decodeDigits(latin1Bytes('a'.repeat(count + 1)))).toBeUndefined();
});
