import { expect, onTestFinished, test } from 'vitest';
import { bindOperations } from '../../../../src/app/operation.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import { screeningOperations } from '../../../../src/app/screening/index.ts';
import { openTestStore, testCompany, testNowMs } from '../../../support/store.ts';

const DAY_MS = 86_400_000;
const petur = 'Sanction,Pétur,Prófunarson';
const anna = 'PEP,Anna,Dæmisdóttir';
const listOf = (...rows: readonly string[]) => [
  {
    name: 'own.csv',
    content: Buffer.from(['category,first_name,last_name', ...rows].join('\n')),
  },
];

/** Programs on one store. `before` runs before each write of a program, with its number. */
async function openPrograms() {
  const opened = await openTestStore();
  onTestFinished(opened.close);
  const clock = { nowMs: testNowMs };
  let drawn = 0;
  const program = (before: (count: number) => Promise<void> = async () => undefined) => {
    let count = 0;
    const write: Store['write'] = async (...given) => {
      count += 1;
      await before(count);
      return opened.store.write(...given);
    };
    const ports = {
      ...{ store: { ...opened.store, write }, blobs: opened.blobs, now: () => clock.nowMs },
      random: (bytes: number) => Buffer.alloc(bytes, String(++drawn).padStart(8, '0')),
      ...{ mayUseFictionalList: true, listsMaxAgeDays: 7, screeningsPerMinute: 60 },
      ...{ listSources: [], fetchList: () => Promise.reject(new Error('offline')) },
    };
    return bindOperations(screeningOperations, ports, testCompany.key);
  };
  const one = program();
  await one.importList({ list: 'own', files: listOf(anna) });
  await one.putCustomers([
    { reference: '1', originalName: 'Petur Profunarson' },
    { reference: '2', originalName: 'Eva Olafsdottir' },
  ]);
  expect(await one.rescreen()).toMatchObject({ screened: 2, changed: [] });
  return { program, one, clock };
}

test('a list that changes between search and record: the new version is searched', async () => {
  const { program, one, clock } = await openPrograms();
  clock.nowMs += 400 * DAY_MS;
  const slow = program(async (count) => {
    if (count !== 1) return;
    await one.importList({ list: 'own', files: listOf(petur, anna) });
    // Another program saw the change and was killed afterwards.
    const killed = program(async (writes) => {
      if (writes === 2) throw new Error('killed');
    });
    await expect(killed.rescreen()).rejects.toThrow('killed');
  });
  expect(await slow.rescreen()).toMatchObject({ screened: 2, changed: ['1'] });
  expect(await one.rescreen()).toMatchObject({ screened: 0, changed: [] });
  expect(await one.list()).toHaveLength(4);
  expect(await one.verify()).toMatchObject({ intact: true });
});

test('two programs that see the same change screen every customer once', async () => {
  const { program, one } = await openPrograms();
  await one.importList({ list: 'own', files: listOf(petur, anna) });
  const slow = program(async (count) => {
    if (count === 1) expect(await one.rescreen()).toMatchObject({ screened: 1, changed: ['1'] });
  });
  expect(await slow.rescreen()).toMatchObject({ screened: 0, changed: [] });
  expect(await one.rescreen()).toMatchObject({ screened: 0, changed: [] });
  expect(await one.list()).toHaveLength(3);
});

test('a list that is removed between search and record is not recorded', async () => {
  const { program, one, clock } = await openPrograms();
  await one.importList({ list: 'more', files: listOf(petur) });
  expect(await one.rescreen()).toMatchObject({ screened: 2, changed: ['1'] });
  clock.nowMs += 400 * DAY_MS;
  const slow = program(async (count) => {
    if (count === 1) await one.removeList('more');
  });
  expect(await slow.rescreen()).toMatchObject({ screened: 2, changed: [] });
  expect((await one.list()).at(-1)?.lists.map(({ list }) => list)).toEqual(['own']);
});

test('a customer who is removed between search and record gets no record', async () => {
  const { program, one, clock } = await openPrograms();
  clock.nowMs += 400 * DAY_MS;
  const slow = program(async (count) => {
    if (count === 1) await one.removeCustomer('1');
  });
  expect(await slow.rescreen()).toMatchObject({ screened: 1, changed: [] });
  expect(await one.list()).toHaveLength(3);
});

test('a program killed after writing its marks: the next one screens each customer once', async () => {
  const { program, one } = await openPrograms();
  await one.importList({ list: 'own', files: listOf(petur, anna) });
  for (const at of [1, 2, 2]) {
    const killed = program(async (count) => {
      if (count === at) throw new Error('killed');
    });
    await expect(killed.rescreen()).rejects.toThrow('killed');
  }
  expect(await one.rescreen()).toMatchObject({ screened: 1, changed: ['1'] });
  expect((await one.list()).at(-1)?.cause).toBe('list');
  expect(await one.list()).toHaveLength(3);
});

test('a customer added again with the same facts keeps the cause of the screening', async () => {
  const { program, one } = await openPrograms();
  await one.importList({ list: 'own', files: listOf(petur, anna) });
  const killed = program(async (count) => {
    if (count === 3) throw new Error('killed');
  });
  await expect(killed.rescreen()).rejects.toThrow('killed');
  await one.putCustomers([{ reference: '1', originalName: 'Petur Profunarson' }]);
  expect(await one.rescreen()).toMatchObject({ screened: 1, changed: ['1'] });
  expect((await one.list()).at(-1)?.cause).toBe('list');
});

test('an import killed between its pages can be repeated without duplicates', async () => {
  const { program, one } = await openPrograms();
  const rows = Array.from({ length: 1010 }, (_, at) => `c${at},Anna Dæmisdóttir ${at}`);
  const file = ['reference,name', ...rows].join('\n');
  const killed = program(async (writes) => {
    if (writes === 2) throw new Error('killed');
  });
  await expect(killed.importCustomers(file)).rejects.toThrow('killed');
  expect(await one.customers()).toHaveLength(1002);
  expect(await one.importCustomers(file)).toMatchObject({ customers: 1010 });
  expect(await one.customers()).toHaveLength(1012);
});
