import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';

/** A service of the built program. */
export interface BuiltService {
  readonly child: ChildProcess;
  /** Its URL, without a trailing slash. */
  readonly url: string;
  /** Terminates it and waits for its exit code. */
  stop(): Promise<unknown>;
}

/** `innsigli serve` with these arguments on a free port; it is killed when the test ends. */
export async function startBuiltService(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<BuiltService> {
  const all = [resolve('bin/innsigli.cjs'), 'serve', '--port', '0', '--rate-address', '0'];
  const child = spawn(process.execPath, [...all, ...words], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((done) => child.on('exit', done));
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += String(chunk);
  });
  child.stderr?.resume();
  await vi.waitFor(() => expect(said).toMatch(/^http:.*\n/), { timeout: 60_000, interval: 50 });
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { child, url: said.trim(), stop };
}
