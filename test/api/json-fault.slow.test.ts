import { expect, test } from 'vitest';
import { jsonFault } from '../../src/api/plugins/bodies/json-text.ts';
import { cpuMs } from '../support/cpu-time.ts';

test('jsonFault finds the fault of a 50 MB text within five seconds of CPU time', () => {
  const long = `["${'A'.repeat(50_000_000)}" x]`;
  const begunAt = cpuMs();
  expect(jsonFault(long)).toBe(50_000_004);
  expect(cpuMs() - begunAt).toBeLessThan(5000);
});
