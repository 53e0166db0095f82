import { InnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';
import type { WatchedClock } from '../../base/time/watched-clock.ts';
import type { ResolvedConfig } from '../config/config.ts';
import { resourceLimits } from '../thread-starter.ts';
import type { ToolkitIo, WarningCode } from '../toolkit.types.ts';
import { type Handlers, openChannel, type WorkerThread } from './thread-channel.ts';

/** Start message of threads, and the requests they may send back. */
export interface ThreadHost extends Pick<ToolkitIo, 'warn' | 'askPassword'> {
  readonly config: ResolvedConfig;
  /** The clock that threads continue. */
  readonly clock?: WatchedClock;
  start(): WorkerThread;
}

/** A thread that can be called. */
export interface OpenedThread {
  /** @throws what the thread throws, and internal.unexpected if it ends meanwhile */
  call(name: string, value?: unknown, moved?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Terminates the thread immediately. Calls in progress fail with `why`. */
  end(why?: InnsigliError): Promise<void>;
}

/**
 * Opens a thread with the configuration of `host`.
 *
 * @param ended called once when the thread has ended, whatever the reason
 * @param handlers further functions that it may call
 */
export function openThread(
  host: ThreadHost,
  ended: (why: InnsigliError) => void,
  handlers: Handlers = {},
): OpenedThread {
  return openWorkerThread({
    ...{ thread: host.start(), ended, given: { config: host.config, line: host.clock?.line() } },
    handlers: {
      warn: ({ message, code }: { readonly message: string; readonly code: WarningCode }) =>
        host.warn(message, code),
      askPassword: (what: string) => host.askPassword?.(what),
      ...handlers,
    },
    died(why, code) {
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') return tooMuchMemory();
      return new InnsigliError('internal.unexpected', `a thread of the service exited: ${why}`);
    },
  });
}

/** Options of {@link openWorkerThread}. */
export interface ThreadOptions {
  readonly thread: WorkerThread;
  /** Argument of its handler `open`, which is called first. */
  readonly given: unknown;
  /** Functions that it may call. */
  readonly handlers: Handlers;
  /** The error for calls that were in progress when it ended. */
  died(why: string, code?: string): InnsigliError;
  /** Called once when the thread has ended, whatever the reason. */
  ended(why: InnsigliError): void;
}

/** Wraps a started thread so that it can be called. */
export function openWorkerThread(options: ThreadOptions): OpenedThread {
  const { thread, given, handlers, died, ended } = options;
  const channel = openChannel(thread, handlers);
  let isGone = false;
  const gone = (why: InnsigliError) => {
    if (isGone) return;
    isGone = true;
    channel.fail(why);
    ended(why);
  };
  thread.on('error', (error) => {
    const code = systemCode(error);
    gone(died(error instanceof Error ? error.message : String(error), code));
  });
  thread.on('exit', (code) => gone(died(`exit ${String(code)}`)));
  const opened = channel.call('open', given);
  opened.catch(() => undefined);
  return {
    async call(name, value, moved) {
      await opened;
      return channel.call(name, value, moved);
    },
    async end(why = died('it was terminated')) {
      gone(why);
      await thread.terminate();
    },
  };
}

function tooMuchMemory(): InnsigliError {
  const most = resourceLimits.maxOldGenerationSizeMb;
  return new InnsigliError('limit.exceeded', `the work needs more than ${most} MB of memory`, {
    details: { expectedMb: most },
  });
}
