import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { StorePlace } from './store-place.ts';

/** An OS process that runs store-child.ts. */
export interface StoreChild {
  readonly process: ChildProcess;
  /** The next line it prints; rejects if it ends first. */
  line(): Promise<string>;
  /** Lets it start its task. */
  go(): void;
}

/** Builds store-child.ts once and starts it on each call. */
export async function childProgram(): Promise<{
  start(task: string, place: StorePlace, owner: string, count: number): StoreChild;
  remove(): void;
}> {
  const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
  const folder = mkdtempSync(join(modules, '.store-child-'));
  const outfile = join(folder, 'child.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('store-child.ts', import.meta.url))],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return {
    start(task, { engine, target }, owner, count) {
      const args = [outfile, task, engine, target, owner, String(count)];
      return childOf(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] }));
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function childOf(child: ChildProcess): StoreChild {
  const lines: string[] = [];
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  let rest = '';
  let complaint = '';
  let ended = false;
  child.stderr?.on('data', (data: Buffer) => {
    complaint += data.toString();
  });
  child.stdout?.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      const next = waiting.shift();
      if (next === undefined) lines.push(line);
      else next.resolve(line);
    }
  });
  child.on('close', () => {
    ended = true;
    for (const { reject } of waiting.splice(0)) reject(new Error(`it ended: ${complaint}`));
  });
  return {
    process: child,
    line() {
      const line = lines.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (ended) return Promise.reject(new Error(`it ended: ${complaint}`));
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    go: () => void child.stdin?.write('go\n'),
  };
}
