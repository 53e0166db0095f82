import { expect, test } from 'vitest';
import { newToken } from '../../../src/domain/keys.ts';

test('no token begins as an option of a command does', () => {
  const token = newToken((count) => new Uint8Array(count).fill(0xfb));
  expect(token).toMatch(/^[\w][\w-]{42}$/);
});

test('a token has 256 bits of what is unpredictable', () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => at);
  expect(newToken(() => bytes)).toBe(Buffer.from(bytes).toString('base64url'));
});
