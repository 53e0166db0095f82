import { expect, test } from 'vitest';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';

const threadsOf = (text?: string) => {
  const env = { HOME: '/h', ...(text === undefined ? {} : { INNSIGLI_SCREENING_THREADS: text }) };
  return resolveConfig({ flags: {}, env, cwd: '/h' }).config.service.screening.threads;
};

test('the number of search threads may be 0 and is left to the service by default', () => {
  expect([threadsOf(), threadsOf('0'), threadsOf('64')]).toEqual([undefined, 0, 64]);
  expect(() => threadsOf('65')).toThrow('expected a whole number from 0 to 64, found 65');
});
