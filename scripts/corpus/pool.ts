import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { SealAnswer, SealTask } from './worker.ts';

/** What the parent saw of a task: the worker's answer, or that it died. */
export type SealFate = SealAnswer | { readonly kind: 'hung' } | { readonly kind: 'died' };

/** Bounds of one worker. */
export interface WorkerLimits {
  readonly timeoutMs: number;
  readonly memoryMib: number;
}

const MEMORY_CHECK_MS = 200;

/**
 * A worker that is started again whenever it dies, takes too long or grows too large.
 *
 * @param directory of the development trust
 */
export function openWorker(directory: string, limits: WorkerLimits) {
  let child: ChildProcess | undefined;
  return {
    async seal(task: SealTask): Promise<SealFate> {
      child ??= await start(directory, limits);
      const fate = await askWorker(child, task, limits);
      if (fate.kind === 'hung' || fate.kind === 'died') child = undefined;
      return fate;
    },
    close: () => child?.kill('SIGKILL'),
  };
}

function start(directory: string, { memoryMib }: WorkerLimits): Promise<ChildProcess> {
  const child = fork('scripts/run-ts.mjs', ['scripts/corpus/worker.ts', directory], {
    execArgv: [`--max-old-space-size=${memoryMib}`],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
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
    const onExit = () => end({ kind: 'died' });
    const onMessage = (answer: SealAnswer) => end(answer);
    const timer = setTimeout(() => end({ kind: 'hung' }), limits.timeoutMs);
    const watch = setInterval(() => {
      if (residentMib(child.pid) > limits.memoryMib) end({ kind: 'died' });
    }, MEMORY_CHECK_MS);
    child.once('exit', onExit);
    child.once('message', onMessage);
    child.send(task);
  });
}

/** 0 where the system does not tell. */
function residentMib(pid: number | undefined): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
