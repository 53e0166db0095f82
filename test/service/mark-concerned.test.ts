import { afterAll, beforeAll, expect, test } from 'vitest';
import { markConcerned } from '../../src/app/screening/mark-concerned.ts';
import { type Customer, engineVersion } from '../../src/domain/screening/index.ts';
import { openTestStore, testCompany } from '../support/store.ts';

const DAY_MS = 86_400_000;
const dayMs = (day: string) => Date.parse(`${day}T00:00:00Z`);
const screenedMs = dayMs('2026-03-01');
const usual = { low: 36, medium: 24, high: 12 };
const companyKey = testCompany.key;

let opened: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  opened = await openTestStore();
});
afterAll(() => opened.close());

const person: Customer = {
  ...{ id: 'a1', companyKey, reference: '1', query: { originalName: 'Eva' }, level: 'low' },
  ...{ nextAtMs: dayMs('2029-03-01'), updatedAtMs: screenedMs },
  latest: { screeningId: 's1', atMs: screenedMs, matches: [] },
};

/** The customer after a comparison, with `fact` as the record of the previous one. */
async function marked(fact: object, change: Partial<Customer> = {}, nowMs = dayMs('2026-06-01')) {
  const { store } = opened;
  await store.write(async (unit) => {
    await unit.customers.put({ ...person, ...change });
    await unit.facts.put(`screened.${companyKey}`, JSON.stringify(fact), nowMs);
  });
  const ports = { ...opened, now: () => nowMs, mayUseFictionalList: true };
  await markConcerned(ports as unknown as Parameters<typeof markConcerned>[0], companyKey);
  return store.read((unit) => unit.customers.findByReference(companyKey, '1'));
}

const same = { engine: engineVersion, months: usual, lists: {} };

test('no customer is due if nothing has changed', async () => {
  expect(await marked(same)).toEqual(person);
});

test.each([
  ['a different engine', { ...same, engine: 'names-0' }],
  ['a version that recorded no engine', {}],
])('every customer is due since their last screening after %s', async (_, fact) => {
  const due = { ...person, nextAtMs: screenedMs, isConcerned: true };
  expect(await marked(fact)).toEqual(due);
  // It is recorded: the next comparison finds no difference.
  expect(await opened.store.read((unit) => unit.facts.find(`screened.${companyKey}`))).toBe(
    JSON.stringify(same),
  );
});

test('a customer who is already due is left unchanged', async () => {
  const overdue = { nextAtMs: dayMs('2026-05-01') };
  expect(await marked({ ...same, engine: 'names-0' }, overdue)).toEqual({ ...person, ...overdue });
});

test('new risk periods move the dates, counted from the last screening', async () => {
  const fact = { ...same, months: { ...usual, low: 6 } };
  const sooner = { nextAtMs: dayMs('2026-09-01') };
  expect(await marked(fact, sooner)).toEqual(person);
});

test('a screening dated in the future counts as done now when anything has changed', async () => {
  const ahead = { ...person.latest, atMs: dayMs('2036-03-01') } as Customer['latest'] & object;
  const fact = { ...same, months: { ...usual, high: 6 } };
  const found = await marked(fact, { latest: ahead, nextAtMs: dayMs('2039-03-01') });
  expect(found?.nextAtMs).toBe(dayMs('2029-06-01'));
  const concerned = await marked(
    { ...same, engine: 'names-0' },
    { latest: ahead, nextAtMs: dayMs('2039-03-01') },
  );
  expect(concerned?.nextAtMs).toBeLessThanOrEqual(dayMs('2026-06-01') + DAY_MS);
});
