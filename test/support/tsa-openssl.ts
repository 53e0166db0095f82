import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newTemporaryFolder } from './folders.ts';

/** A folder of one test file for several runs of openssl. */
export interface OpensslRoom {
  put(name: string, content: string | Uint8Array): void;
  get(name: string): Buffer;
  /** Standard output of one call. @throws Error with standard error when it fails */
  run(...args: string[]): string;
  clear(): void;
}

/** Creates the folder; `clear` removes it. */
export function openRoom(): OpensslRoom {
  const folder = newTemporaryFolder('openssl');
  return {
    put: (name, content) => writeFileSync(join(folder, name), content),
    get: (name) => readFileSync(join(folder, name)),
    run: (...args) =>
      execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }).toString(),
    clear: () => rmSync(folder, { recursive: true, force: true }),
  };
}
