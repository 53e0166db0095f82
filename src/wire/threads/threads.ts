import { InnsigliError } from '../../base/errors.ts';
import type { WatchedClock } from '../../base/time/watched-clock.ts';
import type { ResolvedConfig } from '../config/config.ts';
import { resourceLimits } from '../thread-starter.ts';
import type { ToolkitIo, WarningCode } from '../toolkit.types.ts';
import { type Handlers, openChannel, type WorkerThread } from './thread-channel.ts';

/** What threads are started with, and what they ask for. */
export interface ThreadHost extends Pick<ToolkitIo, 'warn' | 'askPassword'> {
  readonly config: ResolvedConfig;
  /** The clock that threads go on with. */
  readonly clock?: WatchedClock;
  start(): WorkerThread;
}

/** A thread of `innsigli serve`. */
export interface OpenedThread {
  /** @throws what the thread throws, and internal.unexpected when it ends meanwhile */
  call(name: string, value?: unknown, moved?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Ends it at once; calls under way fail with `why`. */
  end(why?: InnsigliError): Promise<void>;
}

/**
 * A thread with the configuration of `host`.
 *
 * @param ended called once when the thread is gone, whatever the reason
 * @param handlers what it may call besides
 */
export function openThread(
  host: ThreadHost,
  ended: () => void,
  handlers: Handlers = {},
): OpenedThread {
  const thread = host.start();
  const channel = openChannel(thread, {
    warn: ({ message, code }: { readonly message: string; readonly code: WarningCode }) =>
      host.warn(message, code),
    askPassword: (what: string) => host.askPassword?.(what),
    ...handlers,
  });
  let isGone = false;
  const gone = (why: InnsigliError) => {
    if (isGone) return;
    isGone = true;
    channel.fail(why);
    ended();
  };
  const died = (why: string) =>
    new InnsigliError('internal.unexpected', `a thread of the service ended: ${why}`);
  thread.on('error', (error) => {
    const isFull = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    gone(isFull ? tooMuchMemory() : died(error instanceof Error ? error.message : String(error)));
  });
  thread.on('exit', (code) => gone(died(`exit ${String(code)}`)));
  const opened = channel.call('open', { config: host.config, line: host.clock?.line() });
  opened.catch(() => undefined);
  return {
    async call(name, value, moved) {
      await opened;
      return channel.call(name, value, moved);
    },
    async end(why = died('it was ended')) {
      gone(why);
      await thread.terminate();
    },
  };
}

function tooMuchMemory(): InnsigliError {
  const most = resourceLimits.maxOldGenerationSizeMb;
  return new InnsigliError('limit.exceeded', `the work takes more than ${most} MB of memory`, {
    details: { expectedMb: most },
  });
}
