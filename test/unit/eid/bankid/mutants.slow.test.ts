import { expect, test } from 'vitest';
import { countMutants } from '../../../support/eid/bankid-mutants.ts';

test.each([
  ['wire', 1_000],
  ['xml', 4_000],
  ['ocsp', 500],
] as const)(
  'no changed byte of %s yields a different person (every byte)',
  async (part, least) => {
    const { refused, same } = await countMutants(part, 1);
    process.stdout.write(`${part}: ${refused} refused, ${same} mean nothing\n`);
    expect(refused).toBeGreaterThan(least);
    expect(same).toBeLessThan(refused / 5);
  },
  600_000,
);
