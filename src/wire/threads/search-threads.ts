import type { SearchThreads, SharedList } from '../../app/screening/index.ts';
import type { PersonMatch, PersonQuery, SearchOptions } from '../../domain/screening/index.ts';
import { parseMatches, type SearchCall } from './name-searcher.ts';
import type { OpenedThread } from './threads.ts';

/** Options of {@link searchThreads}. */
export interface SearchThreadsOptions {
  /** Maximum number of threads. Each is started when all others are busy. */
  readonly threadsMax: number;
  /** Starts a thread. `ended` is called once when it has ended, whatever the reason. */
  start(ended: (why: unknown) => void): OpenedThread;
  /** Called for each thread that ended without being closed, or could not be started. */
  lost(why: unknown): void;
  /** Monotonic time in milliseconds. */
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
  /** Open lists of the thread and the times of their last search, most recent last. */
  readonly open: Map<string, number>;
  running: number;
}

/** Maximum searches assigned to a thread, so that it has work while a caller waits for the disk. */
const RUNNING_MAX = 3;
/** Maximum number of open lists per thread. */
const OPEN_MAX = 24;
/** A list that was not searched for this time is closed when another is opened. */
const IDLE_MS = 3_600_000;
/** Threads that may end within a minute. Then none is started until the minute is over. */
const [ENDS_MAX, WINDOW_MS] = [3, 60_000];

/**
 * Threads that run searches in the order of the calls. They are started on demand. If no thread can
 * run a search, the caller must run it.
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
      // The caller repeats the search itself, and gets the error if the list causes it.
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
    /** The least busy thread, or a new one if all are busy. */
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

/** Lists that the thread of a searcher has to open and close before it searches these lists. */
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
