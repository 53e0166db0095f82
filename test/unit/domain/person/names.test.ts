import { expect, test } from 'vitest';
import { isNameOfOne } from '../../../../src/domain/person/index.ts';
import { namePairs } from './name-pairs.table.ts';

test.each(namePairs)('"%s" and "%s" are names of one person: %s (%s)', (a, b, isOne) => {
  expect(isNameOfOne(a, b)).toBe(isOne);
  expect(isNameOfOne(b, a)).toBe(isOne);
});

test('a long name is compared in linear time', () => {
  const parts = Array.from({ length: 20_000 }, (_, at) => `n${at}`).join(' ');
  const startedAt = process.cpuUsage();
  expect(isNameOfOne(`${parts} x`, `${parts} y`)).toBe(false);
  expect(isNameOfOne('a\u0301'.repeat(20_000), 'a'.repeat(20_000))).toBe(true);
  expect(isNameOfOne(`a${'\u0301'.repeat(5_000)}`, 'a')).toBe(true);
  // CPU time of this process: comparing each part with each would take half a minute.
  const { user } = process.cpuUsage(startedAt);
  expect(user / 1000).toBeLessThan(5_000);
});
