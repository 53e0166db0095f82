import { codeOf } from '../../base/errors.ts';
import { type OpenedThread, openThread, type ThreadHost } from '../threads/threads.ts';
import type { JobFailed, JobLoop, Worked } from './work.ts';

interface FailedJob extends Record<'kind' | 'ref' | 'code', string> {
  readonly why?: string;
}

/** Delay before a thread that died is restarted. */
const AGAIN_MS = 1000;

/**
 * Runs due jobs in a separate thread with its own database connection, so that sealing a large
 * document blocks nothing else.
 *
 * @param told called with the counts since the start
 */
export function startJobThread(
  host: ThreadHost,
  told: (worked: Worked) => void,
  jobFailed?: JobFailed,
): JobLoop {
  let thread: OpenedThread | undefined;
  let again: NodeJS.Timeout | undefined;
  let isStopping = false;
  let worked: Worked = { done: 0, failed: 0 };
  const begin = () => {
    const before = worked;
    const ended = () => {
      if (!isStopping) again = setTimeout(begin, AGAIN_MS);
    };
    const begun = openThread(host, ended, {
      jobFailed: ({ kind, ref, code, why }: FailedJob) => jobFailed?.(kind, ref, code, why),
      worked: ({ done, failed }: Worked) => {
        worked = { done: before.done + done, failed: before.failed + failed };
        told(worked);
      },
    });
    thread = begun;
    begun.call('jobs').catch((error: unknown) => {
      if (isStopping) return;
      jobFailed?.('worker', '', codeOf(error));
      void begun.end();
    });
  };
  begin();
  return {
    async stop() {
      isStopping = true;
      clearTimeout(again);
      await thread?.call('close').catch(() => undefined);
      await thread?.end();
    },
    end: async () => thread?.end(),
  };
}
