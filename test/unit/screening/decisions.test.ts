import { expect, test } from 'vitest';
import type { MatchDecision } from '../../../src/domain/screening/index.ts';
import { openTestStore, testCompany, testNowMs } from '../../support/store.ts';

const pair = (number: number) => ({
  ...{ subject: 'a'.repeat(64), list: 'un', key: `person ${number}`, identity: 'b'.repeat(64) },
});
const decision = (number: number, kind: MatchDecision['decision'], atMs: number) => ({
  ...pair(number),
  ...{ id: `${number} ${kind}`, companyKey: testCompany.key, decision: kind, atMs },
  ...{ reason: 'born elsewhere', screeningId: 'c'.repeat(32) },
});

test.each([1, 2, 3, 4, 5, 8, 9, 31])(
  'each of %i matches gets its newest decision, and one without a decision gets none',
  async (count) => {
    const { store, close } = await openTestStore();
    await store.write(async ({ matchDecisions }) => {
      for (let number = 0; number < count; number++) {
        if (number % 3 === 1) continue;
        await matchDecisions.add(decision(number, 'confirmed', testNowMs));
        if (number % 3 !== 2) continue;
        await matchDecisions.add(decision(number, 'false_positive', testNowMs + 1));
      }
    });
    // The same pair may occur twice; a pair after the last decision is not found.
    const pairs = [...Array.from({ length: count }, (_, number) => pair(number)), pair(0)];
    const found = await store.read((unit) => unit.matchDecisions.findAll(testCompany.key, pairs));
    const expected = ['confirmed', undefined, 'false_positive'];
    expect(found.map((each) => each?.decision)).toEqual([
      ...Array.from({ length: count }, (_, number) => expected[number % 3]),
      'confirmed',
    ]);
    await close();
  },
);
