import { expect, test } from 'vitest';
import { jsonFault } from '../../src/api/plugins/bodies/json-text.ts';
import { cpuMs } from '../support/cpu-time.ts';

test('a long text costs little', () => {
  const long = `["${'A'.repeat(50_000_000)}" x]`;
  const begunAt = cpuMs();
  expect(jsonFault(long)).toBe(50_000_004);
  expect(cpuMs() - begunAt).toBeLessThan(5000);
});
