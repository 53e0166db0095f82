import { expect, test } from 'vitest';
import { asKey } from '../../../src/domain/keys.ts';
import { undoneStore } from '../../../src/wire/service/undone-store.ts';
import { describeStores } from '../../service/on-engines.ts';
import { testCompany } from '../../support/store.ts';

describeStores('a store whose writes are undone', (store) => {
  const company = (key: string) => ({ ...testCompany, key: asKey('company', key) });
  const find = (key: string) =>
    store().read(({ companies }) => companies.find(asKey('company', key)));

  test.each(['write', 'writeLightly', 'writeBeside'] as const)(
    '%s gives its result, within which its rows are there, and leaves nothing',
    async (write) => {
      const found = await undoneStore(store())[write](async ({ companies }) => {
        await companies.add(company('c0ffee00000a'));
        return companies.find(asKey('company', 'c0ffee00000a'));
      });
      expect(found?.name).toBe(testCompany.name);
      expect(await find('c0ffee00000a')).toBeUndefined();
    },
  );

  test('others that share its commit stay, and its own faults are seen', async () => {
    const undone = undoneStore(store());
    const [, fault] = await Promise.all([
      store().writeBeside(({ companies }) => companies.add(company('c0ffee00000b'))),
      undone.writeBeside(() => Promise.reject(new RangeError('own'))).catch((error) => error),
      undone.writeBeside(({ companies }) => companies.add(company('c0ffee00000c'))),
      store().writeBeside(({ companies }) => companies.add(company('c0ffee00000d'))),
    ]);
    expect(fault).toEqual(new RangeError('own'));
    const kept = ['c0ffee00000b', 'c0ffee00000c', 'c0ffee00000d'].map(find);
    const names = (await Promise.all(kept)).map((each) => each?.key);
    expect(names).toEqual(['c0ffee00000b', undefined, 'c0ffee00000d']);
  });
});
