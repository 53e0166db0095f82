import { expect, test } from 'vitest';
import { isUrl } from '../../../src/base/network/is-url.ts';
import { findOrigin } from '../../../src/domain/company.ts';

test.each([
  ['https://þjónusta.example', true],
  ['https://日本.example', true],
  ['https://example.com/ö?x=å', true],
  ['//example.com', false],
  ['https://', false],
  ['', false],
])('"%s" is a URL: %s, even after optimisation', (text, expected) => {
  let others = 0;
  for (let round = 0; round < 20_000; round++) if (isUrl(text) !== expected) others++;
  expect(others).toBe(0);
});

test('an origin with Latin-1 letters stays valid however often it is parsed', () => {
  let refused = 0;
  for (let round = 0; round < 20_000; round++) {
    if (findOrigin('https://þjónusta.example') === undefined) refused++;
  }
  expect(refused).toBe(0);
});
