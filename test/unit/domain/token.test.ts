import { expect, test } from 'vitest';
import { newToken } from '../../../src/domain/keys.ts';

test('no token starts with a hyphen', () => {
  const token = newToken((count) => new Uint8Array(count).fill(0xfb));
  expect(token).toMatch(/^[\w][\w-]{42}$/);
});

test('a token is the Base64url of 32 random bytes', () => {
  const bytes = Uint8Array.from({ length: 32 }, (_, at) => at);
  expect(newToken(() => bytes)).toBe(Buffer.from(bytes).toString('base64url'));
});
