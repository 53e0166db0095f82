import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { limits } from '../../base/limits.ts';
import type { TextThreadData } from './text-thread.ts';

/**
 * The body of a process: it takes the order of its parent, has a thread read the document, tells
 * what that found, and ends. V8 ends the whole process where one value of a thread wants far more
 * than the thread may have: it is not the process that answers requests.
 */
export function textProcess(threadFile: URL): void {
  // The thread may be in a loop that never ends: this one sees that nobody waits any more.
  process.once('disconnect', () => process.exit());
  process.once('message', (order) => runThread(order as TextThreadData, fileURLToPath(threadFile)));
}

function runThread({ bytes, page }: TextThreadData, file: string): void {
  // What came may be a part of a longer buffer.
  const own = new Uint8Array(bytes);
  const workerData: TextThreadData = { bytes: own, page };
  const thread = new Worker(file, {
    ...{ workerData, transferList: [own.buffer] },
    ...{ env: {}, argv: [], execArgv: [], stdin: false, stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: limits.textValuesMb, maxYoungGenerationSizeMb: 8 },
  });
  const end = () => process.exit();
  // An answer without a text: memory, or a fault of the library.
  thread.once('message', (text) => process.send?.({ text }, end));
  thread.once('error', end);
  thread.once('exit', (code) => {
    if (code !== 0) end();
  });
}
