import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { bindOperations } from '../../../src/app/operation.ts';
import { screeningOperations } from '../../../src/app/screening/index.ts';
import { screeningHash } from '../../../src/domain/screening/index.ts';
import { openTestStore, testCompany, testFlow, testNowMs } from '../../support/store.ts';

async function recorded() {
  const opened = await openTestStore();
  await opened.store.write((unit) => unit.flows.save({ ...testFlow, type: 'PEP' }));
  let octet = 0;
  const screening = bindOperations(
    screeningOperations,
    {
      ...{ store: opened.store, blobs: opened.blobs, now: () => testNowMs },
      random: (count: number) => new Uint8Array(count).fill(++octet),
      ...{ mayUseFictionalList: true, listsMaxAgeDays: 7, screeningsPerMinute: 60 },
      ...{ listSources: [], fetchList: async () => new Uint8Array() },
    },
    testCompany.key,
  );
  for (const originalName of ['Viktor Drakmenov', 'Anna Nobody', 'Viktor Drakmenov']) {
    await screening.screen({ originalName, countryCode: 'RU', flowKey: testFlow.key });
  }
  const file = readdirSync(opened.folder).find((name) => /\.(db|sqlite3?)$/.test(name)) ?? '';
  const change = (statement: string) => {
    const raw = new Database(join(opened.folder, file));
    raw.exec(statement);
    raw.close();
  };
  return { opened, screening, change };
}

test.each([
  [
    'a changed row',
    "UPDATE screening SET data = substr(data, 1, 40) || 'AAAA' || substr(data, 45) WHERE seq = 2",
    2,
  ],
  ['a changed hash', `UPDATE screening SET hash = '00' WHERE seq = 3`, 3],
  ['a removed row', 'DELETE FROM screening WHERE seq = 1', 1],
  [
    'two swapped rows',
    'UPDATE screening SET seq = 9 WHERE seq = 2; UPDATE screening SET seq = 2 WHERE seq = 3;' +
      'UPDATE screening SET seq = 3 WHERE seq = 9',
    2,
  ],
])('the chain reports where %s breaks it', async (_, statement, brokenAt) => {
  const { opened, screening, change } = await recorded();
  expect(await screening.verify()).toMatchObject({ intact: true, screenings: 3 });
  change(statement);
  expect(await screening.verify()).toMatchObject({ intact: false, brokenAt });
  await opened.close();
});

test('rows removed at the end are revealed by a head stored earlier', async () => {
  const { opened, screening, change } = await recorded();
  const { head } = await screening.verify();
  change('DELETE FROM screening WHERE seq = 3');
  const shorter = await screening.verify();
  expect(shorter).toMatchObject({ intact: true, screenings: 2 });
  expect(shorter.head).not.toBe(head);
  await opened.close();
});

test('the same screening gets a new hash each time, so that a hash confirms no guess', async () => {
  const { opened, screening } = await recorded();
  const [first, , third] = await screening.list();
  expect(third?.matches).toEqual(first?.matches);
  expect(first?.salt).not.toBe(third?.salt);
  expect(screeningHash('0', JSON.stringify(first))).toMatch(/^[0-9a-f]{64}$/);
  await opened.close();
});

test('IDs start with the time, so that rows of one time are stored together', async () => {
  const { opened, screening } = await recorded();
  const ids = (await screening.list()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(Number.parseInt(id.slice(0, 12), 16)).toBe(testNowMs);
  }
  await opened.close();
});
