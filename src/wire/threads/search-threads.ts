import type { SearchThreads, SharedList } from '../../app/screening/index.ts';
import type { PersonMatch, PersonQuery, SearchOptions } from '../../domain/screening/index.ts';
import { parseMatches, type SearchCall } from './name-searcher.ts';
import type { OpenedThread } from './threads.ts';

/** Options for searching names in threads. */
export interface SearchThreadsOptions {
  /** Threads at most; each is started when the others are busy. */
  readonly threadsMax: number;
  /** Starts a thread; `ended` is called once when it is gone, whatever the reason. */
  start(ended: (why: unknown) => void): OpenedThread;
  /** Told of each thread that was not closed and is gone, or could not be started. */
  lost(why: unknown): void;
  /** Milliseconds of a clock that only goes on. */
  now(): number;
}

interface Waiting {
  readonly lists: readonly SharedList[];
  readonly query: PersonQuery;
  readonly options: SearchOptions;
  readonly resolve: (found: readonly PersonMatch[] | undefined) => void;
}

interface Searcher {
  readonly thread: OpenedThread;
  /** Lists that are open there and when they were searched, the last one at the end. */
  readonly open: Map<string, number>;
  running: number;
}

/** Searches that a thread has: the next are there while the one that asks waits for the disk. */
const RUNNING_MAX = 3;
/** Lists that are open in a thread. */
const OPEN_MAX = 24;
/** One that was not searched for so long is closed when another is opened. */
const IDLE_MS = 3_600_000;
/** Threads that may end within a minute; then none is started before the minute is over. */
const [ENDS_MAX, WINDOW_MS] = [3, 60_000];

/**
 * Threads that search in the order in which they are asked; none is started yet. A search that no
 * thread can do is left to the one that asks.
 */
export function searchThreads(
  options: SearchThreadsOptions,
): SearchThreads & { close(): Promise<void> } {
  const { now } = options;
  const queue: Waiting[] = [];
  const searchers = openSearchers(options, () => pump());

  const serve = async (searcher: Searcher, { lists, query, options, resolve }: Waiting) => {
    searcher.running += 1;
    const names = lists.map(({ sha256 }) => sha256);
    const changes = openedAt(searcher, lists, now());
    const call: SearchCall = { lists: names, ...changes, query, options };
    try {
      resolve(parseMatches(await searcher.thread.call('searchNames', call)));
    } catch {
      // The one that asks does it too, and meets the error where it is of the list.
      for (const name of names) searcher.open.delete(name);
      resolve(undefined);
    }
    searcher.running -= 1;
    pump();
  };
  const pump = () => {
    while (queue.length > 0) {
      const searcher = searchers.free();
      if (searcher === undefined && searchers.count() > 0) return;
      const first = queue.shift() as Waiting;
      if (searcher === undefined) first.resolve(undefined);
      else void serve(searcher, first);
    }
  };
  return {
    begin: () => void searchers.free(),
    share(bytes) {
      const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
      shared.set(bytes);
      return shared;
    },
    search: (lists, query, options) =>
      new Promise((resolve) => {
        queue.push({ lists, query, options, resolve });
        pump();
      }),
    close: () => searchers.close(),
  };
}

/** @param gone called when a thread has ended, whatever the reason */
function openSearchers({ threadsMax, start, lost, now }: SearchThreadsOptions, gone: () => void) {
  const all = new Set<Searcher>();
  const ends: number[] = [];
  let isClosed = false;
  const mayStart = () => {
    while (now() - (ends[0] ?? Number.POSITIVE_INFINITY) > WINDOW_MS) ends.shift();
    return !isClosed && all.size < threadsMax && ends.length < ENDS_MAX;
  };
  const begin = (): Searcher => {
    const ended = (why: unknown) => {
      if (!all.delete(searcher)) return;
      ends.push(now());
      lost(why);
      gone();
    };
    const searcher: Searcher = { thread: start(ended), open: new Map(), running: 0 };
    all.add(searcher);
    return searcher;
  };
  return {
    count: () => all.size,
    /** The one with the least to do, or a new one where all are busy. */
    free(): Searcher | undefined {
      let least: Searcher | undefined;
      for (const each of all) if (each.running < (least?.running ?? RUNNING_MAX)) least = each;
      if (least?.running === 0 || !mayStart()) return least;
      try {
        return begin();
      } catch (error) {
        ends.push(now());
        lost(error);
        return least;
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      const open = [...all];
      all.clear();
      gone();
      await Promise.all(open.map(({ thread }) => thread.end()));
    },
  };
}

/** What the thread of a searcher is to open and to close before it searches these lists. */
function openedAt({ open }: Searcher, lists: readonly SharedList[], nowMs: number) {
  const opened = lists.filter(({ sha256 }) => !open.delete(sha256));
  for (const { sha256 } of lists) open.set(sha256, nowMs);
  const closed: string[] = [];
  for (const [sha256, searchedAtMs] of open) {
    const isIdle = opened.length > 0 && nowMs - searchedAtMs >= IDLE_MS;
    if (!isIdle && open.size <= Math.max(OPEN_MAX, lists.length)) break;
    open.delete(sha256);
    closed.push(sha256);
  }
  return { opened: opened.map(({ sha256, bytes }) => ({ sha256, bytes })), closed };
}
