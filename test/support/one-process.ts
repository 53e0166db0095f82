/**
 * In the fast project starting a program or thread is an error, so that no slow test hides there:
 * it belongs in a file `x.slow.test.ts`.
 */
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';
import { atFileEnd } from './file-end.ts';

const starters = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'];
/**
 * What was started: a test that probes for a program and copes without it must still be reported.
 */
const started = new Set<string>();

for (const name of starters) {
  const refused = (program: unknown) => refuse(`node:child_process.${name}(${program})`);
  Object.assign(childProcess, { [name]: refused });
}
Object.assign(workerThreads, {
  Worker: class {
    constructor(module: unknown) {
      refuse(`node:worker_threads.Worker(${module})`);
    }
  },
});
syncBuiltinESMExports();

// Node 24 has a pool of this size: buffers that share memory there do so here, too.
Buffer.poolSize = 1 << 16;

atFileEnd('one process', () => {
  const found = [...started];
  started.clear();
  if (found.length > 0) throw new Error(`${found.join(', ')}: name the file x.slow.test.ts`);
});

function refuse(what: string): never {
  started.add(what);
  throw new Error(`${what} in a fast test: name the file x.slow.test.ts`);
}
