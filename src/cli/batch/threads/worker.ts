import { parentPort } from 'node:worker_threads';
import { assert, InnsigliError } from '../../../base/errors.ts';
import {
  errorData,
  openChannel,
  type Port,
  type WorkerThread,
} from '../../../wire/threads/thread-channel.ts';
import { type OpenedThread, openWorkerThread } from '../../../wire/threads/threads.ts';
import type { ToolkitIo, WarningCode } from '../../../wire/toolkit.types.ts';
import { openToolkitWith } from '../../context.ts';
import type { CliIo } from '../../io.ts';
import { processIo } from '../../process-io.ts';
import type { BatchRequest, BatchTask, ItemResult, JournalRecord } from '../batch.types.ts';
import { workOn } from './work.ts';

/** Processes one document at a time, with its own keys and connections. */
export interface ItemWorker {
  run(task: BatchTask): Promise<ItemResult>;
  close(): Promise<void>;
}

/** Requests of workers to their host. */
export interface WorkerHost {
  warn(message: string, code: WarningCode): void;
  askPassword(what: string): Promise<string | undefined>;
  readStdinLine(): Promise<string>;
  /** Resolves when the next request to a time-stamping authority may be sent. */
  pace(): Promise<void>;
  /** Resolves when the journal has recorded that an input is about to be replaced. */
  announce(record: JournalRecord): Promise<void>;
}

/** A worker in this thread. */
export async function openLocalWorker(
  request: BatchRequest,
  host: WorkerHost,
  io: CliIo,
): Promise<ItemWorker> {
  const { now, random } = io;
  const { warn, askPassword, readStdinLine, pace } = host;
  const own = { warn, askPassword, readStdinLine, beforeTimestamp: pace };
  const toolkitIo: ToolkitIo = { now, random, ...own };
  const toolkit = await openToolkitWith(io, request.config, toolkitIo);
  return {
    async run(task) {
      // Sealing may run synchronously: give signals and the journal their turn.
      await new Promise<void>((resolve) => setImmediate(resolve));
      return workOn(task, request, { io, toolkit, announce: host.announce });
    },
    close: async () => toolkit.close(),
  };
}

/** A worker in a thread. If the thread dies, its document fails and a new thread takes the next. */
export function openThreadWorker(
  request: BatchRequest,
  host: WorkerHost,
  startThread: () => WorkerThread,
): ItemWorker {
  let thread: OpenedThread | undefined;
  const start = () =>
    openWorkerThread({
      ...{ thread: startThread(), given: request, handlers: hostHandlers(host) },
      died: (why) => new InnsigliError('internal.unexpected', `the worker thread ended: ${why}`),
      ended: () => {
        thread = undefined;
      },
    });
  return {
    async run(task) {
      const startedMs = performance.now();
      try {
        thread ??= start();
        return (await thread.call('work', task)) as ItemResult;
      } catch (error) {
        const elapsedMs = performance.now() - startedMs;
        return { status: 'failed', inputBytes: task.sizeBytes, error: errorData(error), elapsedMs };
      }
    },
    async close() {
      const running = thread;
      await running?.call('close').catch(() => undefined);
      await running?.end();
    },
  };
}

/** The body of a worker thread: serves requests until it is terminated. */
export function serveThread(): void {
  assert(parentPort !== null, 'expected a worker thread with a port to its parent');
  serveWorker(parentPort, processIo());
}

/** The counterpart of {@link openThreadWorker}: serves requests over `port`. */
export function serveWorker(port: Port, io: CliIo): void {
  let worker: ItemWorker | undefined;
  const channel = openChannel(port, {
    open: async (request: BatchRequest) => {
      worker = await openLocalWorker(request, hostBehind(), io);
    },
    work: (task: BatchTask) => worker?.run(task),
    close: () => worker?.close(),
  });
  const hostBehind = (): WorkerHost => ({
    warn: (message, code) => void channel.call('warn', { message, code }),
    askPassword: async (what) => (await channel.call('askPassword', what)) as string | undefined,
    readStdinLine: async () => (await channel.call('readStdinLine')) as string,
    pace: async () => void (await channel.call('pace')),
    announce: async (record) => void (await channel.call('announce', record)),
  });
}

interface SentWarning {
  readonly message: string;
  readonly code: WarningCode;
}

function hostHandlers(host: WorkerHost) {
  return {
    warn: ({ message, code }: SentWarning) => host.warn(message, code),
    askPassword: (what: string) => host.askPassword(what),
    readStdinLine: () => host.readStdinLine(),
    pace: () => host.pace(),
    announce: (record: JournalRecord) => host.announce(record),
  };
}
