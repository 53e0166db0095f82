import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { RacerTask } from './racer.ts';

/** The outcome of a racer. */
export interface RacerOutcome {
  readonly ok: boolean;
  readonly state?: string;
  readonly code?: string;
}

/** An OS process that runs racer.ts. */
export interface Racer {
  readonly child: ChildProcess;
  /** Passes a task; settles when the racer is ready to start. */
  arm(task: RacerTask): Promise<void>;
  /** Starts it; settles with the outcome. */
  go(): Promise<RacerOutcome>;
}

/** Racing programs. */
export interface RaceTrack {
  /** Starts this many persistent programs. */
  start(count: number, env: Readonly<Record<string, string>>): Promise<readonly Racer[]>;
  remove(): void;
}

/** Builds racer.ts once. */
export async function openRaceTrack(): Promise<RaceTrack> {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const folder = mkdtempSync(join(modules, '.racer-'));
  const outfile = join(folder, 'racer.mjs');
  const source = new URL('../../src/x/x.ts', import.meta.url).href;
  await build({
    entryPoints: [fileURLToPath(new URL('racer.ts', import.meta.url))],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    // Modules locate fonts and the PKI plan relative to their position in src.
    define: { 'import.meta.url': JSON.stringify(source) },
  });
  const started: ChildProcess[] = [];
  return {
    start: (count, env) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const child = spawn(process.execPath, [outfile, JSON.stringify(env)]);
          started.push(child);
          const racer = racerOf(child);
          await racer.ready();
          return racer;
        }),
      ),
    remove() {
      for (const child of started) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lets racers run their tasks at the same moment. */
export async function race(
  racers: readonly Racer[],
  tasks: readonly RacerTask[],
): Promise<readonly RacerOutcome[]> {
  const runs = tasks.map((task, at) => ({ task, racer: racers[at % racers.length] as Racer }));
  await Promise.all(runs.map(({ racer, task }) => racer.arm(task)));
  return Promise.all(runs.map(({ racer }) => racer.go()));
}

function racerOf(child: ChildProcess) {
  let complaint = '';
  child.stderr?.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  const input = child.stdout as NodeJS.ReadableStream;
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`the racer ended: ${complaint}`);
    return value as string;
  };
  const tell = (text: string) => void child.stdin?.write(`${text}\n`);
  return {
    child,
    ready: line,
    async arm(task: RacerTask) {
      tell(JSON.stringify(task));
      await line();
    },
    async go() {
      tell('go');
      return JSON.parse(await line()) as RacerOutcome;
    },
  };
}
