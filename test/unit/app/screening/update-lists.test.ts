import { expect, onTestFinished, test } from 'vitest';
import { bindOperations } from '../../../../src/app/operation.ts';
import type { StoredWatchlist } from '../../../../src/app/ports/index.ts';
import { screeningOperations } from '../../../../src/app/screening/index.ts';
import { openContent } from '../../../../src/app/screening/lists/index.ts';
import { importList } from '../../../../src/app/screening/manage-lists.ts';
import { InnsigliError } from '../../../../src/base/errors.ts';
import { openTestStore, testCompany, testNowMs } from '../../../support/store.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => `PEP,Name${String(at)}\n`).join('');
const csv = (count: number) => Buffer.from(`category,last_name\n${rows(count)}`);

async function openScreening(listSources: readonly { list: string; url: string }[]) {
  const opened = await openTestStore();
  onTestFinished(opened.close);
  const served = new Map<string, Uint8Array>();
  const asked: string[] = [];
  const fetchList = async (url: string) => {
    asked.push(url);
    const content = served.get(url);
    if (content === undefined) throw new InnsigliError('network.failed', 'no answer');
    return content;
  };
  const ports = {
    ...{ store: opened.store, blobs: opened.blobs, now: () => testNowMs },
    random: (count: number) => new Uint8Array(count),
    ...{ mayUseFictionalList: true, listsMaxAgeDays: 7, screeningsPerMinute: 60 },
    ...{ listSources, fetchList },
  };
  const screening = bindOperations(screeningOperations, ports, testCompany.key);
  return { screening, served, asked };
}

const [board, staff] = ['https://a.example/board.csv', 'https://a.example/staff.csv?x=1'];
const sources = [
  { list: 'board', url: board },
  { list: 'staff', url: staff },
];

test('lists are fetched and imported; a failed one is reported and stays unchanged', async () => {
  const { screening, served } = await openScreening(sources);
  served.set(board, csv(20));
  const first = await screening.updateLists();
  expect(first.updated).toMatchObject([{ list: 'board', persons: 20, isUnchanged: false }]);
  expect(first.failed).toEqual([{ list: 'staff', code: 'network.failed', message: 'no answer' }]);
  served.set(board, csv(17)).set(staff, csv(2));
  const second = await screening.updateLists();
  expect(second.updated).toMatchObject([{ list: 'staff', persons: 2 }]);
  expect(second.failed).toMatchObject([{ list: 'board', code: 'screening.list.shrunken' }]);
  const lists = await screening.lists();
  expect(lists.map(({ list, persons }) => [list, persons])).toEqual([
    ['board', 20],
    ['staff', 2],
  ]);
  served.set(staff, Buffer.from('<html>moved</html>'));
  const third = await screening.updateLists({ acceptShrink: true });
  expect(third.updated).toMatchObject([{ list: 'board', persons: 17 }]);
  expect(third.failed).toMatchObject([{ list: 'staff', code: 'screening.list.invalid' }]);
});

test('a list whose file is unchanged gets a new import date', async () => {
  const { screening, served } = await openScreening(sources.slice(0, 1));
  served.set(board, csv(3));
  const [before] = (await screening.updateLists()).updated;
  const [after] = (await screening.updateLists()).updated;
  expect(after?.isUnchanged).toBe(true);
  expect(after?.importedAtMs).toBeGreaterThan(before?.importedAtMs ?? 0);
});

test('only the requested lists are fetched, each once', async () => {
  const { screening, served, asked } = await openScreening(sources);
  served.set(staff, csv(2));
  const { updated } = await screening.updateLists({ lists: ['staff', 'staff'] });
  expect(updated.map(({ list }) => list)).toEqual(['staff']);
  expect(asked).toEqual([staff]);
});

test('the files of one list are imported together', async () => {
  const files = ['https://b.example/sdn.csv', 'https://b.example/alt.csv'];
  const { screening, served } = await openScreening(files.map((url) => ({ list: 'ofac', url })));
  served.set(files[0] ?? '', Buffer.from('7,"DVORSKY, Karel","individual","SDGT"\r\n'));
  served.set(files[1] ?? '', Buffer.from('7,12,"aka","WOLF",-0- \r\n'));
  const { updated } = await screening.updateLists();
  expect(updated).toMatchObject([{ list: 'ofac', persons: 1, names: 2 }]);
});

test('a list without a source is rejected before anything is fetched', async () => {
  const { screening, asked } = await openScreening(sources);
  await expect(screening.updateLists({ lists: ['board', 'nobody'] })).rejects.toMatchObject({
    code: 'screening.source.required',
  });
  expect(asked).toEqual([]);
  const { screening: other } = await openScreening([]);
  await expect(other.updateLists()).rejects.toThrow('expected sources of lists, found none');
});

test('a source that serves a different list is rejected, and the stored list stays', async () => {
  const { screening, served } = await openScreening(sources.slice(0, 1));
  served.set(board, csv(20));
  await screening.updateLists();
  const others = csv(20).toString().replaceAll('Name', 'Other');
  served.set(board, Buffer.from(others));
  const { failed } = await screening.updateLists();
  expect(failed).toMatchObject([{ list: 'board', code: 'screening.list.shrunken' }]);
  expect(failed[0]?.message).toContain('is it a different list?');
  expect((await screening.listVersions('board')).length).toBe(1);
  // Reordered rows are the same persons.
  const [head = '', ...lines] = csv(20).toString().trim().split('\n');
  served.set(board, Buffer.from([head, ...lines.reverse()].join('\n')));
  expect((await screening.updateLists()).failed).toEqual([]);
  served.set(board, Buffer.from(others));
  expect((await screening.updateLists({ acceptShrink: true })).failed).toEqual([]);
});

test('a version not searched for an hour is closed when another is opened', async () => {
  const opened = await openTestStore();
  onTestFinished(opened.close);
  let nowMs = testNowMs;
  const got: string[] = [];
  const blobs = {
    ...opened.blobs,
    put: (content: Uint8Array) => opened.blobs.put(content),
    get: (sha256: string) => {
      got.push(sha256);
      return opened.blobs.get(sha256);
    },
  };
  const listPorts = { store: opened.store, blobs, now: () => nowMs, mayUseFictionalList: false };
  const open = (count: number) => openContent(listPorts, versions[count] as StoredWatchlist);
  const versions = await Promise.all(
    [csv(2), csv(3), csv(4)].map(async (content) => {
      const imported = { list: `of ${content.length}`, files: [{ name: 'a', content }] };
      const version = await importList(listPorts, testCompany.key, imported);
      return { version, contentSha256: version.contentSha256 as string };
    }),
  );
  const reads = async (count: number) => {
    const before = got.length;
    await open(count);
    return got.length - before;
  };
  expect([await reads(0), await reads(1), await reads(0)]).toEqual([1, 1, 0]);
  nowMs += 3_600_000;
  expect([await reads(1), await reads(2)]).toEqual([0, 1]);
  expect([await reads(1), await reads(0)]).toEqual([0, 1]);
});
