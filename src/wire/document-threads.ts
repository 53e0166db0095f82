import type { ByteSource } from '../base/bytes.ts';
import { CoreError } from '../base/errors.ts';
import { type DocumentCall, ownBytes } from './serve-thread.ts';
import { type OpenedThread, openThread, type ThreadHost } from './threads.ts';

/** How documents are worked on in threads. */
export interface DocumentThreadsOptions {
  /** Threads at most; each is started when there is work for it. */
  readonly threadsMax: number;
  /** Documents that may wait for a thread. */
  readonly queueMax: number;
  /** Bytes of all of them. */
  readonly queueBytesMax: number;
  /** A thread that works on one document for longer is ended. */
  readonly deadlineMs: number;
  /** A thread without work is ended after this time. */
  readonly restMs: number;
}

/** Threads that work on one document each. */
export interface DocumentThreads {
  /**
   * What the handler `task` of a thread makes of a document, whose bytes are moved away.
   *
   * @throws service.busy when too many wait, service.timeout, and what the work throws
   */
  run(task: string, input: ByteSource, options: object): Promise<unknown>;
  /** Ends the threads; what is under way fails. */
  close(): Promise<void>;
}

interface Waiting {
  readonly task: string;
  readonly call: DocumentCall;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Seconds after which a refused client may ask again. */
const RETRY_SECONDS = 5;

/** No thread is started yet. */
export function documentThreads(
  host: ThreadHost,
  options: DocumentThreadsOptions,
): DocumentThreads {
  const { queueMax, queueBytesMax, deadlineMs } = options;
  const queue: Waiting[] = [];
  const crew = openCrew(host, options);
  let queuedBytes = 0;

  const serve = async (thread: OpenedThread, { task, call, resolve, reject }: Waiting) => {
    const timer = setTimeout(() => void thread.end(tooLong(deadlineMs)), deadlineMs);
    try {
      resolve(await thread.call(task, call, [call.bytes.buffer as ArrayBuffer]));
    } catch (error) {
      reject(error);
    } finally {
      clearTimeout(timer);
    }
    crew.giveBack(thread);
    pump();
  };
  const pump = () => {
    while (queue.length > 0) {
      const thread = crew.take();
      const next = thread === undefined ? undefined : queue.shift();
      if (thread === undefined || next === undefined) return;
      queuedBytes -= next.call.bytes.length;
      void serve(thread, next);
    }
  };
  return {
    run: (task, input, wishes) =>
      new Promise((resolve, reject) => {
        const { lengthBytes } = input;
        const isFull = queue.length >= queueMax || queuedBytes + lengthBytes > queueBytesMax;
        if (isFull && queue.length > 0) throw busy(queue.length);
        const bytes = ownBytes(input.bytes ?? input.slice(0, lengthBytes));
        queue.push({ task, call: { bytes, options: wishes }, resolve, reject });
        queuedBytes += lengthBytes;
        pump();
      }),
    async close() {
      const closing = new CoreError('service.busy', 'the service is being stopped');
      for (const { reject } of queue.splice(0)) reject(closing);
      await crew.close(closing);
    },
  };
}

/** Threads that are busy, or rest and are ended when they have rested for long. */
function openCrew(host: ThreadHost, { threadsMax, restMs }: DocumentThreadsOptions) {
  const all = new Set<OpenedThread>();
  const resting = new Map<OpenedThread, NodeJS.Timeout>();
  const wake = (thread: OpenedThread) => {
    clearTimeout(resting.get(thread));
    resting.delete(thread);
    return thread;
  };
  const start = (): OpenedThread => {
    const thread = openThread(host, () => all.delete(wake(thread)));
    all.add(thread);
    return thread;
  };
  return {
    /** One without work; undefined when all of them are busy. */
    take(): OpenedThread | undefined {
      const [free] = resting.keys();
      if (free !== undefined) return wake(free);
      return all.size < threadsMax ? start() : undefined;
    },
    /** One that died or was ended is forgotten already. */
    giveBack(thread: OpenedThread): void {
      if (!all.has(thread)) return;
      const timer = setTimeout(() => void thread.end(), restMs);
      timer.unref();
      resting.set(thread, timer);
    },
    async close(why: CoreError): Promise<void> {
      await Promise.all([...all].map((thread) => thread.end(why)));
    },
  };
}

function busy(count: number): CoreError {
  return new CoreError('service.busy', `${count} documents wait already`, {
    details: { retryAfterSeconds: RETRY_SECONDS },
  });
}

function tooLong(deadlineMs: number): CoreError {
  return new CoreError('service.timeout', `the work took longer than ${deadlineMs / 1000} s`);
}
