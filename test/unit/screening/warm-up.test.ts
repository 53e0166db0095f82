import { afterEach, beforeEach, expect, test } from 'vitest';
import { bindOperations } from '../../../src/app/operation.ts';
import {
  type ScreeningPorts,
  type SearchThreads,
  screeningOperations,
  type WarmUpOptions,
  warmUpScreening,
} from '../../../src/app/screening/index.ts';
import { asKey, type CompanyKey } from '../../../src/domain/keys.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testFlow,
  testNowMs,
} from '../../support/store.ts';

let opened: TestStore;
let nowMs = testNowMs;
let asked: string[] = [];
let failures: string[] = [];
let shared = 0;
beforeEach(async () => {
  opened = await openTestStore();
  await opened.store.write((unit) => unit.flows.save({ ...testFlow, type: 'PEP' }));
  [nowMs, asked, failures, shared] = [testNowMs, [], [], 0];
});
afterEach(() => opened.close());

const threads: SearchThreads = {
  begin: () => undefined,
  share(bytes) {
    shared += 1;
    return bytes;
  },
  search: async () => [],
};

const never = new AbortController().signal;

/** Notes what is asked for; an answer takes so long. */
function options(answerMs = 1, stop = never): WarmUpOptions {
  return {
    async screen(_, { originalName = '' }) {
      asked.push(originalName);
      nowMs += answerMs;
    },
    failed: (companyKey, error) => failures.push(`${companyKey} ${(error as Error).message}`),
    stop,
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

const other = asKey('company', 'c0ffee000002');

async function addCompany(key: string, flowKey: string): Promise<void> {
  const company = { ...testCompany, key: asKey('company', key) };
  const flow = { ...testFlow, key: asKey('flow', flowKey), companyKey: company.key };
  await opened.store.write(async ({ companies, flows }) => {
    await companies.add(company);
    await flows.add({ ...flow, type: 'PEP' });
  });
}

async function importFor(companyKey: CompanyKey, words = first, list = 'own'): Promise<void> {
  const rows = words.map((word, at) => `PEP,${word},${last[at % last.length]}`);
  const content = Buffer.from(['category,first_name,last_name', ...rows].join('\n'));
  const { importList } = bindOperations(screeningOperations, portsWith(), companyKey);
  await importList({ list, files: [{ name: 'own.csv', content }] });
}

test('names of the words of the lists are asked for, whole ones, and some of other scripts', async () => {
  const words = Array.from({ length: 40 }, (_, at) => `A${String.fromCharCode(98 + (at % 20))}`);
  await importFor(testCompany.key, words);
  expect(await warmUpScreening(portsWith(threads), options())).toBe(40);
  const listed = asked.filter((_, at) => at % 4 !== 3);
  for (const name of listed) expect(name).toMatch(/^A[b-u] (Dvorsky|Almansouri|Kowalska|Horvat)$/);
  const scripts = asked.filter((_, at) => at % 4 === 3);
  expect(scripts.filter((name) => /^\p{Script=Latin}+ /u.test(name)).length).toBeLessThan(3);
  expect(new Set(scripts).size).toBe(10);
});

test('words are of each list, however long the others are', async () => {
  await importFor(testCompany.key, ['Milena'], 'short');
  await importFor(testCompany.key, Array(200).fill('Karel'), 'long');
  await warmUpScreening(portsWith(threads), options());
  expect(asked.filter((name) => name.startsWith('Milena')).length).toBeGreaterThan(50);
  expect(asked.filter((name) => name.startsWith('Karel')).length).toBeGreaterThan(50);
});

test('the same lists of two companies are opened and searched once', async () => {
  await addCompany('c0ffee000002', 'f10a00000002');
  for (const key of [testCompany.key, other]) await importFor(key);
  expect(await warmUpScreening(portsWith(threads), options())).toBe(4);
  expect(shared).toBe(1);
});

test('a company whose lists fail is told of, and the next one follows', async () => {
  await addCompany('c0ffee000002', 'f10a00000002');
  await importFor(other, last);
  // The one that imported last is the first.
  nowMs += 1000;
  await importFor(testCompany.key);
  const { blobs } = opened;
  let reads = 0;
  const get: typeof blobs.get = (sha256) => {
    reads += 1;
    return reads === 1 ? Promise.reject(new Error('damaged')) : blobs.get(sha256);
  };
  const ports = { ...portsWith(threads), blobs: { ...blobs, get } };
  expect(await warmUpScreening(ports, options())).toBe(4);
  expect(failures).toEqual([`${testCompany.key} damaged`]);
  expect(asked[0]).toMatch(/^Dvorsky /);
});

test('a company whose screenings fail is told of, once', async () => {
  await importFor(testCompany.key);
  const screen = () => Promise.reject(new Error('no'));
  expect(await warmUpScreening(portsWith(threads), { ...options(), screen })).toBe(0);
  expect(failures).toEqual([`${testCompany.key} no`]);
});

test.each([
  ['after 1,000 names', 1500, 0, 1000],
  ['after three seconds', 1500, 10, 300],
  ['with the last person of a short list', 3, 10, 3],
])('it ends %s', async (_, persons, answerMs, expected) => {
  const words = Array.from({ length: persons }, (_, at) => `A${'bcdefghij'.charAt(at % 9)}`);
  await importFor(testCompany.key, words);
  expect(await warmUpScreening(portsWith(threads), options(answerMs))).toBe(expected);
});

test('further lists are asked about less', async () => {
  await addCompany('c0ffee000002', 'f10a00000002');
  for (const key of [testCompany.key, other]) {
    await importFor(key, Array(500).fill(key === other ? 'Karel' : 'Anna'));
  }
  expect(await warmUpScreening(portsWith(threads), options())).toBe(700);
});

test('it ends when the service does', async () => {
  await importFor(testCompany.key, Array(50).fill('Anna'));
  const stopping = new AbortController();
  const usual = options(1, stopping.signal);
  const screen: WarmUpOptions['screen'] = (...call) => {
    if (asked.length === 9) stopping.abort();
    return usual.screen(...call);
  };
  expect(await warmUpScreening(portsWith(threads), { ...usual, screen })).toBe(10);
});

test.each([
  ['without threads', true],
  ['without lists', false],
])('%s nothing is done', async (_, hasLists) => {
  if (hasLists) await importFor(testCompany.key);
  const ports = portsWith(hasLists ? undefined : threads);
  expect(await warmUpScreening(ports, options())).toBe(0);
  expect([asked, shared]).toEqual([[], 0]);
});

test('without a flow that screens, lists are opened and nobody asks', async () => {
  await opened.store.write((unit) =>
    unit.flows.save({ ...testFlow, type: 'PEP', isActive: false }),
  );
  await importFor(testCompany.key);
  expect(await warmUpScreening(portsWith(threads), options())).toBe(0);
  expect([asked, shared]).toEqual([[], 1]);
});
