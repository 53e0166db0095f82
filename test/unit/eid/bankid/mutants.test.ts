import { expect, test } from 'vitest';
import { countMutants } from '../../../support/eid/bankid-mutants.ts';

// Every byte: mutants.slow.test.ts.
test.each([
  ['wire', 97, 50],
  ['xml', 61, 50],
  ['ocsp', 17, 30],
] as const)('a changed byte of %s makes nobody of the person', async (part, every, least) => {
  const { refused, same } = await countMutants(part, every);
  expect(refused).toBeGreaterThan(least);
  expect(same).toBeLessThan(refused / 5);
});
