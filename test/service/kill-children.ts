import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { driverAlias } from '../support/driver-alias.ts';
import type { KillOutcome, KillTask } from './kill-acts.ts';

/** A program that can be killed. */
export interface Victim {
  /**
   * Runs a task; returns its result, or undefined if the program was killed.
   *
   * @param killAfterMs time after the start at which it is killed
   */
  run(task: KillTask, killAfterMs?: number): Promise<KillOutcome | undefined>;
  kill(): void;
}

/** Starts programs, and keeps some ready in advance. */
export interface Nursery {
  /** The next program. */
  take(): Promise<Victim>;
  remove(): void;
}

/** Builds kill-child.ts once and starts `spare` programs with `env`. */
export async function openNursery(
  env: Readonly<Record<string, string>>,
  spare = 1,
): Promise<Nursery> {
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const folder = mkdtempSync(join(modules, '.victim-'));
  const outfile = join(folder, 'victim.mjs');
  const source = new URL('../../src/x/x.ts', import.meta.url).href;
  await build({
    entryPoints: [fileURLToPath(new URL('kill-child.ts', import.meta.url))],
    outfile,
    bundle: true,
    // Bundled into one file, it starts in half the time.
    alias: driverAlias,
    external: ['better-sqlite3', 'better-sqlite3-napi', 'pg-native'],
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire('${source}');`,
    },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    // Modules locate fonts and the PKI plan relative to their position in src.
    define: { 'import.meta.url': JSON.stringify(source) },
  });
  const started: ChildProcess[] = [];
  const start = async (): Promise<Victim> => {
    const child = spawn(process.execPath, [outfile, JSON.stringify(env)]);
    started.push(child);
    const victim = victimOf(child);
    await victim.ready();
    return victim;
  };
  const waiting = Array.from({ length: spare }, start);
  return {
    take() {
      waiting.push(start());
      return waiting.shift() as Promise<Victim>;
    },
    remove() {
      for (const each of waiting) each.catch(() => undefined);
      for (const child of started) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function victimOf(child: ChildProcess) {
  let complaint = '';
  child.stderr?.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  child.stdin?.on('error', () => undefined);
  const exit = new Promise<string | null>((resolve) => {
    child.once('close', (_code, signal) => resolve(signal));
  });
  const input = child.stdout as NodeJS.ReadableStream;
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done !== true) return value as string;
    const signal = await exit;
    if (signal === 'SIGKILL') return undefined;
    throw new Error(`the program ended: ${complaint}`);
  };
  return {
    ready: line,
    async run(task: KillTask, killAfterMs?: number) {
      child.stdin?.write(`${JSON.stringify(task)}\n`);
      await line();
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      const outcome = await line();
      return outcome === undefined ? undefined : (JSON.parse(outcome) as KillOutcome);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
