import { randomBytes } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { SealedBytes } from '../api/index.ts';
import { memorySource } from '../base/bytes.ts';
import { assert } from '../base/errors.ts';
import type { ClockLine } from '../base/watched-clock.ts';
import { systemClock } from './clock-watch.ts';
import type { ResolvedConfig } from './config.ts';
import { type JobLoop, startJobs } from './job-loop.ts';
import { type Handlers, Moved, openChannel, type Port } from './thread-channel.ts';
import type { SealOutcome, Toolkit } from './toolkit.types.ts';

/** A document on its way to a thread: the buffer of `bytes` is moved. */
export interface DocumentCall {
  readonly bytes: Uint8Array;
  readonly options: object;
}

/** What a thread begins with. */
export interface ThreadStart {
  readonly config: ResolvedConfig;
  /** Of the clock of who started it. */
  readonly line?: ClockLine;
}

/** The body of a thread of `innsigli serve`: answers until it is ended. */
export function serveThread(): void {
  assert(parentPort !== null, 'a thread has a port to its parent');
  answerParent(parentPort as Port);
}

/**
 * Answers over `port` with a toolkit of its own: keys are opened here, and never sent. The
 * configuration comes with `open`; `jobs` begins to do what is due.
 */
export function answerParent(port: Port): void {
  let toolkit: Toolkit | undefined;
  let jobs: (JobLoop & { close(): Promise<void> }) | undefined;
  const opened = () => {
    assert(toolkit !== undefined, 'the thread was opened');
    return toolkit;
  };
  const channel = openChannel(port, {
    open: async ({ config, line }: ThreadStart) => {
      const { openToolkit } = await import('./toolkit.ts');
      const clock = systemClock(line);
      toolkit = openToolkit(config, {
        now: clock.now,
        clock,
        random: (count) => randomBytes(count),
        warn: (message, code) => void channel.call('warn', { message, code }),
        askPassword: async (what) =>
          (await channel.call('askPassword', what)) as string | undefined,
      });
    },
    ...documentHandlers(opened),
    jobs: async () => {
      // The program that began it has opened the database: one that is gone is not made anew.
      const service = await opened().service({ mustExist: true });
      const tell = (what: string, value: unknown) => void channel.call(what, value);
      const loop = startJobs(
        service,
        (kind, ref, code, why) => tell('jobFailed', { kind, ref, code, why }),
        (worked) => tell('worked', worked),
      );
      jobs = { ...loop, close: () => service.close() };
    },
    close: async () => {
      await jobs?.stop();
      await jobs?.close();
      toolkit?.close();
    },
  });
}

function documentHandlers(toolkit: () => Toolkit): Handlers {
  return {
    seal: async ({ bytes, options }: DocumentCall) =>
      made(bytes, await toolkit().seal(memorySource(bytes), options)),
    sealXml: async ({ bytes, options }: DocumentCall) =>
      made(bytes, await toolkit().sealXml(memorySource(bytes), options)),
    archive: async ({ bytes }: DocumentCall) =>
      made(bytes, await toolkit().archive(memorySource(bytes))),
    verify: ({ bytes }: DocumentCall) => toolkit().verify(memorySource(bytes)),
  };
}

function made(bytes: Uint8Array, { keptBytes, tail, sealCount }: SealOutcome): Moved {
  // The same buffer, moved back.
  const answer: SealedBytes = {
    kept: bytes.subarray(0, keptBytes),
    tail: ownBytes(tail),
    ...(sealCount === undefined ? {} : { sealCount }),
  };
  return new Moved(answer, [answer.kept.buffer as ArrayBuffer, answer.tail.buffer as ArrayBuffer]);
}

/** `bytes` with a buffer that holds little else: that of others may not be moved away. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength < 2 * length;
  return isOwn ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
}
