import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../../../src/adapters/store/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import type { MatchDecision, MatchPair } from '../../../../src/domain/screening/index.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';
import { addTestFlow, testCompany, testNowMs, testVault } from '../../../support/store.ts';

let store: Store;
let digests = 0;
beforeEach(async () => {
  const path = join(newTemporaryFolder('decisions'), 'innsigli.db');
  const index = (value: string) => {
    digests += 1;
    return testVault.index(value);
  };
  store = await openSqliteStore({ path, vault: { ...testVault, index }, now: () => testNowMs });
  await store.write(addTestFlow);
  digests = 0;
});
afterEach(() => store.close());

const pairs: readonly MatchPair[] = ['1', '2', '3'].map((key) => {
  return { subject: 'anna', list: 'un', key, identity: 'f00' };
});
const decision: MatchDecision = {
  ...(pairs[1] as MatchPair),
  ...{ id: 'd1', companyKey: testCompany.key, decision: 'confirmed', reason: 'the same' },
  ...{ atMs: testNowMs, screeningId: 's1' },
};
const findAll = (of = pairs) =>
  store.read(({ matchDecisions }) => matchDecisions.findAll(testCompany.key, of));

test('no digest is computed for a company without decisions', async () => {
  expect(await findAll()).toEqual([undefined, undefined, undefined]);
  expect(digests).toBe(0);
});

test('decisions are returned at the positions of their pairs', async () => {
  await store.write(({ matchDecisions }) => matchDecisions.add(decision));
  expect(await findAll()).toEqual([undefined, decision, undefined]);
  expect(await findAll([])).toEqual([]);
});
