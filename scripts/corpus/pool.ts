import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { SealAnswer, SealTask } from './worker.ts';

/** Result of a task as seen by the parent: the worker's response, or how the worker ended. */
export type SealFate =
  | SealAnswer
  | { readonly kind: 'hung'; readonly message: string }
  | { readonly kind: 'died'; readonly message: string };

/** Limits of one worker. */
export interface WorkerLimits {
  readonly timeoutMs: number;
  readonly memoryMib: number;
}

/** A worker process that handles many files. */
export type Worker = ReturnType<typeof openWorker>;

const MEMORY_CHECK_MS = 200;
const START_TIMEOUT_MS = 60_000;

/**
 * Returns a worker that is restarted whenever it crashes, times out or exceeds its memory limit.
 *
 * @param directory of the development trust
 */
export function openWorker(directory: string, limits: WorkerLimits) {
  let child: ChildProcess | undefined;
  let closed = false;
  const ready = async (): Promise<ChildProcess | undefined> => {
    if (!closed && child?.connected !== true) child = await start(directory, limits);
    // Closed during its start: it may finish starting, so that it leaves no file behind.
    if (closed) child?.kill('SIGKILL');
    return closed ? undefined : child;
  };
  return {
    /**
     * Resolves when the worker listens. The first worker has then created the development trust.
     */
    ready,
    async seal(task: SealTask): Promise<SealFate> {
      const asked = await ready();
      if (asked === undefined) return { kind: 'died', message: 'the run was stopped' };
      const fate = await askWorker(asked, task, limits);
      if (fate.kind === 'hung' || fate.kind === 'died') child = undefined;
      return fate;
    },
    close: () => {
      closed = true;
      child?.kill('SIGKILL');
    },
  };
}

function start(directory: string, { memoryMib }: WorkerLimits): Promise<ChildProcess> {
  const child = fork('scripts/run-ts.mjs', ['scripts/corpus/worker.ts', directory], {
    execArgv: [`--max-old-space-size=${memoryMib}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // A channel that closes while a task is sent also causes an exit event, which is handled.
  child.on('error', () => child.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
    const onExit = (code: number | null, signal: string | null) => {
      clearTimeout(timer);
      reject(new Error(`the worker did not start: it ended with ${code ?? signal}`));
    };
    child.once('exit', onExit);
    child.once('message', () => {
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve(child);
    });
  });
}

function askWorker(child: ChildProcess, task: SealTask, limits: WorkerLimits): Promise<SealFate> {
  return new Promise((resolve) => {
    const end = (fate: SealFate) => {
      clearTimeout(timer);
      clearInterval(watch);
      child.off('exit', onExit);
      child.off('message', onMessage);
      if (fate.kind === 'hung' || fate.kind === 'died') child.kill('SIGKILL');
      resolve(fate);
    };
    const onExit = (code: number | null, signal: string | null) =>
      end({ kind: 'died', message: `the process ended with ${code ?? signal}` });
    const onMessage = (answer: SealAnswer) => end(answer);
    const timer = setTimeout(
      () => end({ kind: 'hung', message: `no response within ${limits.timeoutMs} ms` }),
      limits.timeoutMs,
    );
    const watch = setInterval(() => {
      const found = residentMib(child.pid);
      if (found <= limits.memoryMib) return;
      const message = `expected at most ${limits.memoryMib} MiB of memory, found ${found.toFixed()}`;
      end({ kind: 'died', message });
    }, MEMORY_CHECK_MS);
    child.once('exit', onExit);
    child.once('message', onMessage);
    child.send(task);
  });
}

/** 0 if the system does not report it. */
function residentMib(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
