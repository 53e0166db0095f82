import { join } from 'node:path';
import { registerTable, tableRegister } from '../../../src/adapters/register/index.ts';
import { importRegister } from '../../../src/app/register/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { testVault } from '../../support/store.ts';

export const header =
  'ssn,name,address,postalCode,city,familyNumber,genderCode,familyStatus,partnerSsn,hasMeter';
export const known = '6000101994';
export const single = '6000101995';
export const addressOnly = '6000101996';
export const unknown = '6000101999';

export const goodRows = [
  header,
  `${known},Anna Dæmi,"Prófgata 1, 2. hæð",101,Reykjavík,6000101994,2,3,6000101990,yes`,
  '600010-1995,Einar Dæmi,Sýnisvegur 7,600,Akureyri,6000101995,1,1,,no',
  `${addressOnly},,Dæmastígur 3,700,Egilsstaðir,,,,,`,
];
export const goodCsv = `${goodRows.join('\r\n')}\r\n`;

/** A text in chunks of some bytes. */
export async function* pieces(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Rows about synthetic persons. */
export function manyRows(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => {
    return `6${String(at).padStart(9, '0')},"A ""B"" ${at}",Gata ${at},101,Bær`;
  });
  return ['ssn,name,address,postalCode,city', ...rows].join('\n');
}

/** A table in its own folder, and the register that reads it. */
export function openTable(vault = testVault) {
  const folder = newTemporaryFolder('register');
  const path = join(folder, 'register', 'persons.table');
  const table = registerTable({ path, vault });
  const nobody = async () => undefined;
  const otherwise = { address: nobody, family: nobody, hasMeter: async () => false };
  const register = tableRegister({ path, vault, otherwise });
  const take = (csv: string | Uint8Array, request = {}) =>
    importRegister({ table, now: () => 1_800_000_000_000 }, pieces(csv, 50_000), request);
  return { folder: join(folder, 'register'), path, table, register, take };
}
