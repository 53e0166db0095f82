import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SharedList } from '../../../src/app/screening/index.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import {
  fictionalList,
  joinNameIndexes,
  listedEntry,
  parseList,
  serializeList,
} from '../../../src/domain/screening/index.ts';
import { usualSearchThreads } from '../../../src/wire/serve/serve.ts';
import { nameSearcher, type SearchCall } from '../../../src/wire/threads/name-searcher.ts';
import { searchThreads } from '../../../src/wire/threads/search-threads.ts';
import type { OpenedThread } from '../../../src/wire/threads/threads.ts';

const persons = fictionalList.map(listedEntry);
const half = Math.floor(persons.length / 2);
const options = { leastRate: 60, limit: 10 };
const query = { originalName: 'Ragnheiður Fjallmundardóttir' };

let pool: ReturnType<typeof searchThreads> | undefined;
afterEach(async () => {
  await pool?.close();
  pool = undefined;
});

/** Bytes as a thread receives them: shared memory stays shared, the rest is copied. */
async function sent<T>(value: T): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  try {
    return await new Promise<T>((resolve) => {
      port2.once('message', resolve);
      port1.postMessage(value);
    });
  } finally {
    port1.close();
  }
}

interface FakeThread extends OpenedThread {
  readonly calls: SearchCall[];
  die(): void;
}

/** Fake threads. `hold` is awaited before each search. */
function openPool({ threadsMax = 1, hold = async () => {} }: Partial<FakePool> = {}) {
  const threads: FakeThread[] = [];
  const clock = { ms: 1000 };
  const told: unknown[] = [];
  const start = (ended: (why: unknown) => void): OpenedThread => {
    const handlers = nameSearcher();
    const calls: SearchCall[] = [];
    let fail: (error: unknown) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    failed.catch(() => undefined);
    const die = () => {
      const why = new InnsigliError('internal.unexpected', 'a thread of the service ended');
      fail(why);
      ended(why);
    };
    const call = async (name: string, value: unknown) => {
      const copy = await sent(value);
      calls.push(copy as SearchCall);
      await hold();
      return handlers[name]?.(copy as never);
    };
    const thread = {
      ...{ calls, die },
      call: (name: string, value?: unknown) => Promise.race([failed, call(name, value)]),
      end: async () => die(),
    };
    threads.push(thread);
    return thread;
  };
  const lost = (why: unknown) => void told.push(why);
  pool = searchThreads({ threadsMax, start, lost, now: () => clock.ms });
  return { pool, threads, clock, told };
}

interface FakePool {
  readonly threadsMax: number;
  hold(): Promise<void>;
}

function listOf(sha256: string, part = persons) {
  const bytes = serializeList(part);
  return { sha256, bytes, index: parseList(bytes).index };
}

function shared(of: ReturnType<typeof searchThreads>, list: SharedList): SharedList {
  return { sha256: list.sha256, bytes: of.share(list.bytes) };
}

describe('a search in a worker thread', () => {
  test('returns the same results in the same order, for one list and several', async () => {
    const { pool } = openPool();
    const parts = [listOf('a', persons.slice(0, half)), listOf('b', persons.slice(half))];
    const lists = parts.map((part) => shared(pool, part));
    let found = 0;
    for (const { names } of persons) {
      const asked = { originalName: names[0]?.text ?? '', countryCode: 'IS' };
      for (const count of [1, 2]) {
        const index = joinNameIndexes(parts.slice(0, count).map((part) => part.index));
        const expected = index.search(asked, options);
        expect(await pool.search(lists.slice(0, count), asked, options)).toEqual(expected);
        found += expected.length;
      }
    }
    expect(found).toBeGreaterThan(persons.length);
  });

  test('transfers a list once, in shared memory', async () => {
    const { pool, threads } = openPool();
    const list = shared(pool, listOf('a'));
    await pool.search([list], query, options);
    await pool.search([list], query, options);
    const [first, second] = threads[0]?.calls ?? [];
    expect(first?.opened.map(({ sha256 }) => sha256)).toEqual(['a']);
    expect(second?.opened).toEqual([]);
    const theirs = first?.opened[0]?.bytes as Uint8Array;
    list.bytes[0] = 0x58;
    expect(theirs.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(theirs[0]).toBe(0x58);
  });

  test('keeps 24 lists open and reopens a closed one', async () => {
    const { pool, threads } = openPool();
    const { bytes } = shared(pool, listOf('0'));
    const lists = Array.from({ length: 26 }, (_, at) => ({ sha256: String(at), bytes }));
    for (const list of lists) await pool.search([list], query, options);
    const closed = () => threads[0]?.calls.flatMap((call) => call.closed);
    expect(closed()).toEqual(['0', '1']);
    expect(await pool.search(lists.slice(0, 1), query, options)).not.toEqual([]);
    expect(closed()).toEqual(['0', '1', '2']);
  });

  test('closes lists unused for an hour when a different one is opened', async () => {
    const { pool, threads, clock } = openPool();
    const { bytes } = shared(pool, listOf('0'));
    const search = (sha256: string) => pool.search([{ sha256, bytes }], query, options);
    for (const sha256 of ['yesterday', 'busy']) await search(sha256);
    clock.ms += 3_600_000;
    await search('busy');
    expect(threads[0]?.calls.flatMap(({ closed }) => closed)).toEqual([]);
    await search('today');
    expect(threads[0]?.calls.flatMap(({ closed }) => closed)).toEqual(['yesterday']);
    expect(await search('yesterday')).toEqual(await search('today'));
  });

  test('keeps its version of a list when a new one is imported meanwhile', async () => {
    const { pool } = openPool();
    const [old, next] = [listOf('old', persons.slice(0, 3)), listOf('next', persons.slice(3))];
    const asked = { originalName: persons[0]?.names[0]?.text ?? '' };
    const results = await Promise.all(
      [old, next, old].map((list) => pool.search([shared(pool, list)], asked, options)),
    );
    const expected = [old, next, old].map(({ index }) => index.search(asked, options));
    expect(results).toEqual(expected);
    expect(results[0]).not.toEqual(results[1]);
  });
});

describe('search threads', () => {
  test('are started on demand, one more when all are busy, up to the limit', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { pool, threads } = openPool({ threadsMax: 2, hold: () => gate });
    const list = shared(pool, listOf('a'));
    expect(threads).toHaveLength(0);
    const all = Array.from({ length: 10 }, () => pool.search([list], query, options));
    await vi.waitFor(() => expect(threads.map(({ calls }) => calls.length)).toEqual([3, 3]));
    release();
    const results = await Promise.all(all);
    expect(new Set(results.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(threads).toHaveLength(2);
  });

  test('can be started before the first search, once', () => {
    const { pool, threads } = openPool({ threadsMax: 2 });
    pool.begin();
    pool.begin();
    expect(threads).toHaveLength(1);
  });

  test('that die leave running searches to the caller, and the next thread runs the queued ones', async () => {
    let isHeld = true;
    const hold = () => (isHeld ? new Promise<void>(() => undefined) : Promise.resolve());
    const { pool, threads } = openPool({ hold });
    const list = shared(pool, listOf('a'));
    const all = Array.from({ length: 5 }, () => pool.search([list], query, options));
    await vi.waitFor(() => expect(threads[0]?.calls).toHaveLength(3));
    isHeld = false;
    threads[0]?.die();
    const results = await Promise.all(all);
    expect(results.map((each) => each === undefined)).toEqual([true, true, true, false, false]);
    expect(threads).toHaveLength(2);
    expect(threads[1]?.calls[0]?.opened).toHaveLength(1);
  });

  test('are not started a fourth time within a minute, but after it', async () => {
    const { pool, threads, clock, told } = openPool();
    const list = shared(pool, listOf('a'));
    for (const count of [1, 2, 3]) {
      expect(await pool.search([list], query, options)).toBeDefined();
      expect(threads).toHaveLength(count);
      threads.at(-1)?.die();
    }
    expect(await pool.search([list], query, options)).toBeUndefined();
    expect(threads).toHaveLength(3);
    const why = expect.objectContaining({ message: 'a thread of the service ended' });
    expect(told).toEqual([why, why, why]);
    clock.ms += 60_001;
    expect(await pool.search([list], query, options)).toBeDefined();
    expect(threads).toHaveLength(4);
  });

  test('that cannot be started leave all searches to the caller', async () => {
    let started = 0;
    const told: unknown[] = [];
    const start = () => {
      started += 1;
      throw new Error('no threads here');
    };
    const lost = (why: unknown) => void told.push(why);
    pool = searchThreads({ threadsMax: 2, start, lost, now: () => 0 });
    const list = shared(pool, listOf('a'));
    for (let at = 0; at < 5; at++) {
      expect(await pool.search([list], query, options)).toBeUndefined();
    }
    expect(started).toBe(3);
    expect(told).toEqual(Array(3).fill(new Error('no threads here')));
  });

  test('that cannot read a list leave it to the caller and continue', async () => {
    const { pool, threads } = openPool();
    const broken = { sha256: 'broken', bytes: pool.share(new Uint8Array(100)) };
    expect(await pool.search([broken], query, options)).toBeUndefined();
    const list = shared(pool, listOf('a'));
    expect(await pool.search([list], query, options)).not.toEqual([]);
    expect(threads).toHaveLength(1);
  });

  test('answer queued searches when closed and are not restarted', async () => {
    const { pool, threads, told } = openPool({ hold: () => new Promise<void>(() => undefined) });
    const list = shared(pool, listOf('a'));
    const all = Array.from({ length: 5 }, () => pool.search([list], query, options));
    await pool.close();
    expect(told).toEqual([]);
    expect(await Promise.all(all)).toEqual(Array(5).fill(undefined));
    expect(await pool.search([list], query, options)).toBeUndefined();
    expect(threads).toHaveLength(1);
  });

  test.each([
    [1, 1, 1],
    [2, 1, 1],
    [8, 1, 7],
    [2, 2, 0],
    [8, 2, 3],
    [8, 64, 0],
  ])('on %i cores with %i processes are %i each', (cores, processes, each) => {
    expect(usualSearchThreads(cores, processes)).toBe(each);
  });
});
