import { expect, test } from 'vitest';
import { isoTime } from '../../../src/base/time/iso-time.ts';

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [1.5, '1970-01-01T00:00:00.001Z'],
  [1, '1970-01-01T00:00:00.001Z'],
  [-1, '1969-12-31T23:59:59.999Z'],
  [8.64e15 + 1, '8640000000000001'],
  [Number.NaN, 'NaN'],
])('%d becomes "%s", also on repetition', (timeMs, text) => {
  expect([isoTime(timeMs), isoTime(timeMs), isoTime(0)]).toEqual([
    text,
    text,
    '1970-01-01T00:00:00.000Z',
  ]);
});
