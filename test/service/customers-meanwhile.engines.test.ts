import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Store, StoreUnit } from '../../src/app/ports/index.ts';
import { putCustomers, removeCustomer } from '../../src/app/screening/manage-customers.ts';
import { markConcerned } from '../../src/app/screening/mark-concerned.ts';
import { type Customer, engineVersion } from '../../src/domain/screening/index.ts';
import { testCompany } from '../support/store.ts';
import { describeStores } from './on-engines.ts';

const dayMs = (day: string) => Date.parse(`${day}T00:00:00Z`);
const [nowMs, screenedMs] = [dayMs('2026-06-01'), dayMs('2026-03-01')];
const usual = { low: 36, medium: 24, high: 12 };
const companyKey = testCompany.key;

const person: Customer = {
  ...{ id: 'a1', companyKey, reference: '1', query: { originalName: 'Eva' }, level: 'low' },
  ...{ nextAtMs: dayMs('2026-09-01'), updatedAtMs: screenedMs },
  latest: { screeningId: 's1', atMs: screenedMs, matches: [] },
};

type Act = (store: Store) => Promise<unknown>;

const ports = (store: Store) => ({ store, now: () => nowMs, random: () => new Uint8Array(16) });
const taken = (more: object): Act => {
  return (store) => putCustomers(ports(store), companyKey, [{ reference: '1', ...more }]);
};
const removed: Act = (store) => removeCustomer({ store }, companyKey, '1');

/** A store in which another program writes `act` before each first writing transaction. */
function before(store: Store, act: Act): Store {
  let begun: Promise<unknown> | undefined;
  const write: Store['write'] = async (work) => {
    begun ??= act(store);
    await begun;
    return store.write(work);
  };
  return { ...store, read: (work) => store.read(work), write };
}

/** A store in which another program starts `act` once a transaction has read the customer. */
function within(store: Store, act: Act): Store & { ended(): Promise<unknown> } {
  let begun: Promise<unknown> | undefined;
  const unitWith = (unit: StoreUnit): StoreUnit => {
    const findByReference: StoreUnit['customers']['findByReference'] = async (...args) => {
      const found = await unit.customers.findByReference(...args);
      begun ??= act(store);
      // An act that is blocked by this transaction is not awaited.
      await Promise.race([begun, sleep(300)]);
      return found;
    };
    const customers = { ...unit.customers, findByReference };
    return Object.create(unit, { customers: { value: customers } }) as StoreUnit;
  };
  const write: Store['write'] = (work) => store.write((unit) => work(unitWith(unit)));
  return { ...store, read: (work) => store.read(work), write, ended: async () => begun };
}

describeStores('a customer changed while dates are recomputed', (store) => {
  /** The customer after changed risk periods have moved dates while `act` ran. */
  async function moved(
    place: (store: Store, act: Act) => Store & { ended?(): Promise<unknown> },
    act: Act,
  ): Promise<Customer | undefined> {
    const fact = { engine: engineVersion, months: { ...usual, low: 6 }, lists: {} };
    await store().write(async (unit) => {
      await unit.customers.put(person);
      await unit.facts.put(`screened.${companyKey}`, JSON.stringify(fact), nowMs);
    });
    const slow = place(store(), act);
    await markConcerned(
      { ...ports(slow), blobs: undefined as never, mayUseFictionalList: true },
      companyKey,
    );
    await slow.ended?.();
    return store().read((unit) => unit.customers.findByReference(companyKey, '1'));
  }

  test.each([
    ['before', before],
    ['within', within],
  ])(
    '%s the transaction: a new risk, a new name and a removal are taken into account',
    async (_, place) => {
      const same = { originalName: 'Eva', riskLevel: 'high' };
      expect(await moved(place, taken(same))).toMatchObject({
        ...{ level: 'high', nextAtMs: dayMs('2027-03-01') },
      });
      expect(await moved(place, taken({ originalName: 'Adam', riskLevel: 'low' }))).toMatchObject({
        ...{ query: { originalName: 'Adam' }, nextAtMs: nowMs },
      });
      expect(await moved(place, removed)).toBeUndefined();
    },
  );
});
