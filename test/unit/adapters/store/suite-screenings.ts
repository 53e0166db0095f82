import { expect, test } from 'vitest';
import type { ScreeningRow, StoreUnit } from '../../../../src/app/ports/index.ts';
import type { ScreeningRecord } from '../../../../src/domain/screening/index.ts';
import { addTestFlow, testCompany } from '../../../support/store.ts';
import { execute, type NewPlace, openStoreAt, rowsOf } from './store-place.ts';
import { undoVersion16 } from './suite-facts.ts';

/** Statements that take the schema back to version 14. */
const undoVersion15 = {
  sqlite: `${undoVersion16}
    ALTER TABLE screening RENAME TO newer;
    DROP INDEX screening_chain;
    CREATE TABLE screening (id TEXT NOT NULL PRIMARY KEY,
      company_key TEXT NOT NULL REFERENCES company (key), seq INTEGER NOT NULL,
      created_at INTEGER NOT NULL, hash TEXT NOT NULL, data TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO screening SELECT id, company_key, seq, created_at, hash, data FROM newer;
    DROP TABLE newer;
    CREATE UNIQUE INDEX screening_chain ON screening (company_key, seq);
    DELETE FROM schema_version WHERE version >= 15;`,
  postgresql: `${undoVersion16}
    DELETE FROM schema_version WHERE version >= 15;`,
} as const;

/** A row of the audit; the store does not interpret its content. */
export function testScreening(seq: number, id: string, letters: number): ScreeningRow {
  const query = { originalName: 'x'.repeat(letters) };
  const common = { id, companyKey: testCompany.key, seq, atMs: seq, salt: '' };
  const record = { ...common, query } as ScreeningRecord;
  return { record, text: JSON.stringify(record), hash: `hash ${seq}` };
}

/** The audit of screenings. */
export function screeningCases(newPlace: NewPlace): void {
  const ids = ['c', 'a', 'd', 'b'];
  // Some rows are longer than a page.
  const rows = ids.map((id, at) => testScreening(at + 1, id, at * 3000));
  const chain = ({ screenings }: StoreUnit) => screenings.chain(testCompany.key, 0, 9);

  test('screenings of version 14 keep their bytes, numbers and IDs', async () => {
    const place = await newPlace();
    const older = await openStoreAt(place);
    await older.write(async (unit) => {
      await addTestFlow(unit);
      for (const row of rows) await unit.screenings.add(row);
    });
    await older.close();
    await execute(place, undoVersion15[place.engine]);
    const stored = () => rowsOf(place, 'SELECT * FROM screening ORDER BY seq');
    const before = await stored();
    const newer = await openStoreAt(place);
    expect(await stored()).toEqual(before);
    expect(await newer.read(chain)).toEqual(rows.map((row) => ({ hash: row.hash, row })));
    const [first] = rows as [ScreeningRow];
    const found = (unit: StoreUnit) => unit.screenings.find(testCompany.key, first.record.id);
    expect(await newer.read(found)).toEqual(first);
    const fifth = testScreening(5, 'e', 1);
    await newer.write(({ screenings }) => screenings.add(fifth));
    const last = (unit: StoreUnit) => unit.screenings.last(testCompany.key);
    expect(await newer.read(last)).toEqual({ seq: 5, hash: fifth.hash });
    for (const taken of [testScreening(5, 'f', 1), testScreening(6, 'e', 1)]) {
      await expect(newer.write(({ screenings }) => screenings.add(taken))).rejects.toThrow();
    }
    await newer.close();
    await place.remove();
  });
}
