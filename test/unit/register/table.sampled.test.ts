import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tableRegister } from '../../../src/adapters/register/index.ts';
import { openVault } from '../../../src/adapters/vault/index.ts';
import { stepOf } from '../../support/sample.ts';
import { goodCsv, goodRows, header, known, manyRows, openTable, single } from './support.ts';

const home = { address: 'Prófgata 1, 2. hæð', postalCode: '101', city: 'Reykjavík' };

describe('an imported register', () => {
  test('returns every value of the file', async () => {
    const { register, table, take } = openTable();
    expect(await table.figures()).toBeUndefined();
    expect(await take(goodCsv)).toEqual({ persons: 3, importedAtMs: 1_800_000_000_000 });
    expect(await register.address(known)).toEqual(home);
    expect(await register.family(known)).toEqual({
      familyNumber: '6000101994',
      genderCode: '2',
      familyStatus: '3',
      partnerSsn: '6000101990',
    });
    expect(await table.figures()).toEqual({ persons: 3, importedAtMs: 1_800_000_000_000 });
  });

  test('contains no readable personal data and is readable by its owner only', async () => {
    const { path, take } = openTable();
    await take(goodCsv);
    const bytes = readFileSync(path);
    for (const text of [known, single, 'Anna', 'Prófgata', 'Reykjavík']) {
      expect(bytes.includes(text)).toBe(false);
    }
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('is used from the next look-up on', async () => {
    const { register, take } = openTable();
    expect(await register.address(known)).toBeUndefined();
    await take(goodCsv);
    expect(await register.address(known)).toEqual(home);
    await take(goodCsv.replace('Prófgata 1', 'Prófgata 9'));
    expect((await register.address(known))?.address).toBe('Prófgata 9, 2. hæð');
  });

  test('finds each of many persons, whatever their order in the file', async () => {
    const { register, take } = openTable();
    expect((await take(manyRows(5000))).persons).toBe(5000);
    for (const at of [0, 1, 17, 2499, 4998, 4999]) {
      const ssn = `6${String(at).padStart(9, '0')}`;
      expect((await register.address(ssn))?.address).toBe(`Gata ${at}`);
    }
    expect(await register.address('6000005000')).toBeUndefined();
  });
});

const twice = [...goodRows, goodRows[1] as string].join('\n');
const refused: readonly [string, string | Uint8Array, string, RegExp][] = [
  ['an empty file', '', 'validation.error', /first row with column names/],
  ['no rows', header, 'validation.error', /expected rows with persons/],
  [
    'an unknown column',
    'ssn,phone\n6000101994,1',
    'validation.error',
    /columns .*: expected ssn and/,
  ],
  [
    'a missing national number',
    'ssn,name\n,Anna',
    'validation.error',
    /1 row not valid.* row 2: ssn/,
  ],
  ['letters instead of a national number', 'ssn\n60001o1994', 'validation.error', /row 2: ssn/],
  ['an incomplete family', 'ssn,genderCode\n6000101994,1', 'validation.error', /familyNumber/],
  [
    'an invalid value for the meter',
    'ssn,hasMeter\n6000101994,maybe',
    'validation.error',
    /hasMeter/,
  ],
  ['an overlong cell', `ssn,city\n6000101994,${'a'.repeat(201)}`, 'validation.error', /200/],
  ['a control character', 'ssn,city\n6000101994,a\u0000b', 'validation.error', /control/],
  ['a duplicate person', twice, 'validation.error', /rows 2 and 5/],
  ['an open quote', 'ssn,city\n6000101994,"Bær', 'validation.error', /quote/],
  ['Latin-1', Buffer.from('ssn,city\n6000101994,Bær', 'latin1'), 'validation.error', /UTF-8/],
  ['an endless row', `ssn\n"${'6'.repeat(400_000)}`, 'limit.exceeded', /one row/],
  ['a truncated end', `${goodCsv}60001019`.slice(0, -1), 'validation.error', /row 5: ssn/],
];

describe('an import that is rejected leaves the table unchanged', () => {
  test.each(refused)('for %s', async (_, csv, code, message) => {
    const { folder, register, table, take } = openTable();
    await take(goodCsv);
    const error = await take(csv).catch((each: unknown) => each);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(JSON.stringify(error)).not.toContain('6000101994');
    expect(String(error)).not.toContain('6000101994');
    expect((await table.figures())?.persons).toBe(3);
    expect(await register.address(known)).toEqual(home);
    expect(readdirSync(folder)).toEqual(['persons.table']);
  });

  test('and names invalid rows and counts them all', async () => {
    const { take } = openTable();
    const rows = Array.from({ length: 150 }, (_, at) =>
      at % 2 === 0 ? 'x' : `600010${1000 + at}`,
    );
    const error = await take(['ssn', ...rows].join('\n')).catch((each: unknown) => each);
    expect(error).toMatchObject({ details: { faults: 75 } });
    const { findings } = error as { findings: readonly { name: string }[] };
    expect(findings.slice(0, 3).map(({ name }) => name)).toEqual(['row 2', 'row 4', 'row 6']);
  });

  test('when it lost more than a tenth of the persons, unless that is accepted', async () => {
    const { table, take } = openTable();
    await take(manyRows(100));
    await expect(take(manyRows(89))).rejects.toMatchObject({ code: 'register.import.shrunk' });
    expect((await table.figures())?.persons).toBe(100);
    await take(manyRows(90));
    await take(manyRows(5), { acceptsShrunken: true });
    expect((await table.figures())?.persons).toBe(5);
  });

  test('when reading the file fails', async () => {
    const { folder, table, take } = openTable();
    await take(goodCsv);
    async function* broken() {
      yield { ssn: single, row: 2, hasMeter: false };
      throw Object.assign(new Error('gone'), { code: 'EIO' });
    }
    const importing = table.replace(broken(), 0, () => undefined);
    await expect(importing).rejects.toMatchObject({ code: 'config.datadir.unusable' });
    expect(readdirSync(folder)).toEqual(['persons.table']);
  });
});

describe('a corrupt table', () => {
  test('with any flipped byte never yields different data, and the next import repairs it', async () => {
    const { path, register, take } = openTable();
    await take(goodCsv);
    const good = readFileSync(path);
    let refusals = 0;
    for (let at = 0; at < good.length; at += stepOf(1)) {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(path, bytes);
      const found = await register.address(known).catch((error: unknown) => error);
      if (found instanceof Error) {
        expect(found).toMatchObject({ code: 'register.table.invalid' });
        refusals += 1;
      } else expect(found).toEqual(home);
    }
    expect(refusals).toBeGreaterThan(good.length / stepOf(4));
    writeFileSync(path, good.subarray(0, 100));
    expect((await take(goodCsv)).persons).toBe(3);
    expect(await register.address(known)).toEqual(home);
  });

  test.each([0, 1, 4, 19, 200, -1, -30])('truncated to %i bytes is rejected', async (length) => {
    const { path, register, table, take } = openTable();
    await take(goodCsv);
    writeFileSync(path, readFileSync(path).subarray(0, length));
    await expect(register.hasMeter(known)).rejects.toMatchObject({
      code: 'register.table.invalid',
    });
    await expect(table.figures()).rejects.toMatchObject({ code: 'register.table.invalid' });
  });

  test('under the key of a different data directory is rejected', async () => {
    const { path, take } = openTable();
    await take(goodCsv);
    const nobody = async () => undefined;
    const otherwise = { address: nobody, family: nobody, hasMeter: async () => true };
    const vault = openVault(Buffer.alloc(32, 77));
    const other = tableRegister({ path, vault, otherwise });
    await expect(other.hasMeter(known)).rejects.toMatchObject({ code: 'register.table.invalid' });
  });
});
