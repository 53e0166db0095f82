import { expect, test } from 'vitest';
import { isStale } from '../../../src/app/screening/index.ts';

const version = { list: 'un', format: 'un-xml', sha256: '', persons: 1, names: 1, others: 0 };
const ms = (time: string) => Date.parse(`${time}Z`);
const importedAtMs = ms('2026-06-01T10:00:00');

test.each([
  ['imported today', {}, '2026-06-01T12:00:00', false],
  ['imported a week ago', {}, '2026-06-08T10:00:00', false],
  ['imported longer ago', {}, '2026-06-08T10:00:01', true],
  ['published a week before', { publishedDate: '2026-05-25' }, '2026-06-01T23:59:59', false],
  ['published longer ago', { publishedDate: '2026-05-24' }, '2026-06-01T12:00:00', true],
  [
    'dated in the future, imported long ago',
    { publishedDate: '2027-01-01' },
    '2026-07-01T00:00:00',
    true,
  ],
  ['without a valid date', { publishedDate: '2026-99-99' }, '2026-06-01T12:00:00', false],
  [
    'synthetic',
    { isFictional: true as const, publishedDate: '2020-01-01' },
    '2026-06-01T12:00:00',
    false,
  ],
])('a list is stale or not: %s', (_, change, now, expected) => {
  expect(isStale({ ...version, importedAtMs, ...change }, ms(now), 7)).toBe(expected);
});
