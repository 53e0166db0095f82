import { afterEach, beforeEach, expect, test } from 'vitest';
import { bindOperations } from '../../../src/app/operation.ts';
import {
  type ScreeningPorts,
  type SearchThreads,
  screeningOperations,
  warmUpScreening,
} from '../../../src/app/screening/index.ts';
import { asKey, type CompanyKey } from '../../../src/domain/keys.ts';
import { openTestStore, type TestStore, testCompany, testNowMs } from '../../support/store.ts';

let opened: TestStore;
let nowMs = testNowMs;
let searched: string[] = [];
let shared = 0;
let failures: string[] = [];
beforeEach(async () => {
  opened = await openTestStore();
  [nowMs, searched, shared, failures] = [testNowMs, [], 0, []];
});
afterEach(() => opened.close());

/** Threads that find nothing; a search takes `searchMs`. */
function threads(searchMs = 1): SearchThreads {
  return {
    begin: () => undefined,
    share(bytes) {
      shared += 1;
      return bytes;
    },
    async search(_, { originalName = '' }) {
      searched.push(originalName);
      nowMs += searchMs;
      return [];
    },
  };
}

function portsWith(searchThreads?: SearchThreads): ScreeningPorts {
  const ports = {
    ...{ store: opened.store, blobs: opened.blobs, now: () => nowMs },
    random: (count: number) => new Uint8Array(count).fill(7),
    ...{ mayUseFictionalList: true, listsMaxAgeDays: 7, screeningsPerMinute: 60 },
    ...{ listSources: [], fetchList: async () => new Uint8Array() },
  };
  return searchThreads === undefined ? ports : { ...ports, searchThreads };
}

const first = ['Karel', 'Khaled', 'Anna', 'Milena'];
const last = ['Dvorsky', 'Almansouri', 'Kowalska', 'Horvat'];

async function importFor(companyKey: CompanyKey, words = first): Promise<void> {
  const rows = words.map((word, at) => `PEP,${word},${last[at % last.length]}`);
  const content = Buffer.from(['category,first_name,last_name', ...rows].join('\n'));
  const { importList } = bindOperations(screeningOperations, portsWith(), companyKey);
  await importList({ list: 'own', files: [{ name: 'own.csv', content }] });
}

const options = (stop = new AbortController().signal) => ({
  failed: (companyKey: CompanyKey, error: unknown) =>
    failures.push(`${companyKey} ${(error as Error).message}`),
  stop,
});

test('warm-up searches names made of list words in a thread and records nothing', async () => {
  await importFor(testCompany.key);
  expect(await warmUpScreening(portsWith(threads()), options())).toBe(4);
  const words = searched.map((name) => name.split(' '));
  expect(words.map(([word]) => word)).toEqual(first);
  expect(words.map(([, word]) => word)).toEqual([...last].reverse());
  const { list } = bindOperations(screeningOperations, portsWith(), testCompany.key);
  expect(await list()).toEqual([]);
});

test('warm-up opens and searches lists shared by two companies once', async () => {
  const other = { ...testCompany, key: asKey('company', 'c0ffee000002') };
  await opened.store.write(({ companies }) => companies.add(other));
  for (const { key } of [testCompany, other]) await importFor(key);
  expect(await warmUpScreening(portsWith(threads()), options())).toBe(4);
  expect(shared).toBe(1);
});

test.each([
  ['after 1,000 names', 1500, 0, 1000],
  ['after a second', 1500, 10, 100],
  ['with the last person of a short list', 3, 10, 3],
])('warm-up ends %s', async (_, persons, searchMs, expected) => {
  const words = Array.from({ length: persons }, (_, at) => `A${'bcdefghij'.charAt(at % 9)}`);
  await importFor(testCompany.key, words);
  expect(await warmUpScreening(portsWith(threads(searchMs)), options())).toBe(expected);
});

test('warm-up reports a company whose lists fail and continues with the next', async () => {
  const other = { ...testCompany, key: asKey('company', 'c0ffee000002') };
  await opened.store.write(({ companies }) => companies.add(other));
  await importFor(other.key, last);
  // The company that imported last comes first.
  nowMs += 1000;
  await importFor(testCompany.key);
  const { blobs } = opened;
  let reads = 0;
  const get: typeof blobs.get = (sha256) => {
    reads += 1;
    return reads === 1 ? Promise.reject(new Error('damaged')) : blobs.get(sha256);
  };
  const ports = { ...portsWith(threads()), blobs: { ...blobs, get } };
  expect(await warmUpScreening(ports, options())).toBe(4);
  expect(failures).toEqual([`${testCompany.key} damaged`]);
  expect(searched[0]).toMatch(/^Dvorsky /);
});

test('warm-up ends when the service stops', async () => {
  await importFor(testCompany.key);
  const stopping = new AbortController();
  const usual = threads();
  const search: SearchThreads['search'] = (...call) => {
    if (searched.length === 1) stopping.abort();
    return usual.search(...call);
  };
  expect(await warmUpScreening(portsWith({ ...usual, search }), options(stopping.signal))).toBe(2);
});

test.each([
  ['without threads', true],
  ['without lists', false],
])('warm-up does nothing %s', async (_, hasLists) => {
  if (hasLists) await importFor(testCompany.key);
  const ports = portsWith(hasLists ? undefined : threads());
  expect(await warmUpScreening(ports, options())).toBe(0);
  expect([searched, shared]).toEqual([[], 0]);
});
