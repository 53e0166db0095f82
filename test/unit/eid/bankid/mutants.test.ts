import { expect, test } from 'vitest';
import { countMutants } from '../../../support/eid/bankid-mutants.ts';

// Every byte: mutants.slow.test.ts.
test.each([
  ['wire', 97, 50],
  ['xml', 61, 50],
  ['ocsp', 17, 30],
] as const)('no changed byte of %s yields a different person', async (part, every, least) => {
  const { refused, same } = await countMutants(part, every);
  expect(refused).toBeGreaterThan(least);
  expect(same).toBeLessThan(refused / 5);
});
