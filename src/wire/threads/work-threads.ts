import { InnsigliError } from '../../base/errors.ts';
import { type OpenedThread, openThread, type ThreadHost } from './threads.ts';
import { startWorkClock } from './work-clock.ts';
import type { WorkOrder, WorkThreads } from './work-threads.types.ts';

/** Options for distributing work among threads. */
export interface WorkThreadsOptions {
  /** Maximum number of threads, which are started on demand. One owner never gets all of them. */
  readonly threadsMax: number;
  /** Maximum queued orders of one owner. The limit for all owners is four times as high. */
  readonly queueMax: number;
  /** Maximum bytes of one owner's queued orders. The limit for all owners is twice as high. */
  readonly queueBytesMax: number;
  /** Maximum number of bytes of concurrently running orders. A larger order runs alone. */
  readonly runningBytesMax: number;
  /** A thread that takes longer for one order is terminated. */
  readonly deadlineMs: number;
  /** An idle thread is terminated after this time. */
  readonly restMs: number;
}

interface Waiting {
  readonly order: WorkOrder;
  /** Number of orders that overtook this one because its bytes exceeded the remaining capacity. */
  passed: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Queued and running work of one owner. */
interface Line {
  readonly waiting: Waiting[];
  bytes: number;
  running: number;
}

/** Seconds after which a rejected client may retry. */
const RETRY_SECONDS = 5;
/** Number of orders that may overtake one that does not fit. After that, all orders wait for it. */
const PASSED_MAX = 8;
/** Elapsed time limit of a thread that waits for a core, as a multiple of its CPU time limit. */
const WAIT = 10;
/** Limits of all owners together, as multiples of the limits of one owner. */
const [OWNERS_ORDERS, OWNERS_BYTES] = [4, 2];

/** Threads that run orders. They are started on demand. */
export function workThreads(host: ThreadHost, options: WorkThreadsOptions): WorkThreads {
  const pool = openWorkerPool(host, options);
  const lines = openLines(options);

  const serve = async (thread: OpenedThread, line: Line, { order, resolve, reject }: Waiting) => {
    const { task, value, moved, deadline } = order;
    const end = () => void thread.end((deadline?.error ?? tooLong(options))());
    const timer = setTimeout(end, deadline === undefined ? options.deadlineMs : WAIT * deadline.ms);
    let stopClock = () => {};
    try {
      if (deadline !== undefined) {
        stopClock = startWorkClock(await pool.placeOf(thread), deadline.ms, end);
      }
      resolve(await thread.call(task, value, moved));
    } catch (failure) {
      reject(failure);
    } finally {
      clearTimeout(timer);
      stopClock();
    }
    pool.giveBack(thread);
    lines.done(order, line);
    pump();
  };
  const pump = () => {
    for (let line = lines.next(); line !== undefined; line = lines.next()) {
      const thread = pool.take();
      if (thread === undefined) return;
      void serve(thread, line, lines.take(line));
    }
  };
  return {
    run: (order) =>
      new Promise((resolve, reject) => {
        lines.add({ order, passed: 0, resolve, reject });
        pump();
      }),
    async close() {
      const closing = new InnsigliError('service.busy', 'the service is stopping');
      for (const { reject } of lines.clear()) reject(closing);
      await pool.close(closing);
    },
  };
}

/** Queues of orders, one per owner; the owner that is next comes first. */
function openLines(options: WorkThreadsOptions) {
  const { threadsMax, queueMax, queueBytesMax, runningBytesMax } = options;
  const lines = new Map<string, Line>();
  const share = Math.max(1, threadsMax - 1);
  let all = { orders: 0, bytes: 0 };
  let running = { orders: 0, bytes: 0 };
  const fits = ({ order }: Waiting) =>
    running.orders === 0 || running.bytes + order.lengthBytes <= runningBytesMax;
  const ready = function* () {
    for (const line of lines.values()) {
      const [first] = line.waiting;
      if (first !== undefined && line.running < share) yield { line, first };
    }
  };
  const isFull = (line: Line, lengthBytes: number) =>
    line.waiting.length >= queueMax ||
    line.bytes + lengthBytes > queueBytesMax ||
    all.orders >= OWNERS_ORDERS * queueMax ||
    all.bytes + lengthBytes > OWNERS_BYTES * queueBytesMax;
  return {
    /** @throws service.busy */
    add(waiting: Waiting): void {
      const { owner, lengthBytes } = waiting.order;
      const line = lines.get(owner) ?? { waiting: [], bytes: 0, running: 0 };
      if (line.waiting.length > 0 && isFull(line, lengthBytes)) throw busy(line.waiting.length);
      lines.set(owner, line);
      line.waiting.push(waiting);
      line.bytes += lengthBytes;
      all = { orders: all.orders + 1, bytes: all.bytes + lengthBytes };
    },
    /** The queue whose first order may start. */
    next(): Line | undefined {
      for (const { line, first } of ready()) {
        if (fits(first)) return line;
        if (first.passed >= PASSED_MAX) return undefined;
      }
      return undefined;
    },
    /** Removes the first order of `line` for execution, and moves the owner to the end. */
    take(line: Line): Waiting {
      for (const other of ready()) {
        if (other.line === line) break;
        other.first.passed += 1;
      }
      const first = line.waiting.shift() as Waiting;
      const { owner, lengthBytes } = first.order;
      line.bytes -= lengthBytes;
      all = { orders: all.orders - 1, bytes: all.bytes - lengthBytes };
      running = { orders: running.orders + 1, bytes: running.bytes + lengthBytes };
      line.running += 1;
      lines.delete(owner);
      lines.set(owner, line);
      return first;
    },
    done({ owner, lengthBytes }: WorkOrder, line: Line): void {
      running = { orders: running.orders - 1, bytes: running.bytes - lengthBytes };
      line.running -= 1;
      if (line.running === 0 && line.waiting.length === 0) lines.delete(owner);
    },
    clear: () => [...lines.values()].flatMap(({ waiting }) => waiting.splice(0)),
  };
}

/** Busy and idle threads. Threads that are idle for too long are terminated. */
function openWorkerPool(host: ThreadHost, { threadsMax, restMs }: WorkThreadsOptions) {
  const all = new Set<OpenedThread>();
  const places = new WeakMap<OpenedThread, Promise<string | undefined>>();
  const resting = new Map<OpenedThread, NodeJS.Timeout>();
  const wake = (thread: OpenedThread) => {
    clearTimeout(resting.get(thread));
    resting.delete(thread);
    return thread;
  };
  const start = (): OpenedThread => {
    const thread = openThread(host, () => all.delete(wake(thread)));
    all.add(thread);
    const place = thread.call('yieldToOthers') as Promise<string | undefined>;
    places.set(
      thread,
      place.catch(() => undefined),
    );
    return thread;
  };
  return {
    /** An idle or new thread. Undefined if all are busy. */
    take(): OpenedThread | undefined {
      const [free] = resting.keys();
      if (free !== undefined) return wake(free);
      return all.size < threadsMax ? start() : undefined;
    },
    /** Path of the scheduler statistics of a thread. */
    placeOf: (thread: OpenedThread) => places.get(thread),
    /** Ignores a thread that died or was terminated: it has already been removed. */
    giveBack(thread: OpenedThread): void {
      if (!all.has(thread)) return;
      const timer = setTimeout(() => void thread.end(), restMs);
      timer.unref();
      resting.set(thread, timer);
    },
    async close(why: InnsigliError): Promise<void> {
      await Promise.all([...all].map((thread) => thread.end(why)));
    },
  };
}

function busy(count: number): InnsigliError {
  return new InnsigliError('service.busy', `${count} documents are already queued`, {
    details: { retryAfterSeconds: RETRY_SECONDS },
  });
}

function tooLong({ deadlineMs }: WorkThreadsOptions): () => InnsigliError {
  return () =>
    new InnsigliError('service.timeout', `the work took longer than ${deadlineMs / 1000} s`);
}
