import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { limits } from '../../base/limits.ts';
import type { TextThreadData } from './text-thread.ts';

/**
 * The body of the process: it receives an order from its parent, has a thread extract the text,
 * sends the result, and exits. V8 terminates the whole process if a single value by far exceeds the
 * memory limit of a thread; here, that is not the process that serves requests.
 */
export function textProcess(threadFile: URL): void {
  // The thread may be in an endless loop; this handler notices that the parent is gone.
  process.once('disconnect', () => process.exit());
  process.once('message', (order) => runThread(order as TextThreadData, fileURLToPath(threadFile)));
}

function runThread({ bytes, page }: TextThreadData, file: string): void {
  // The received bytes may be a view of a larger buffer.
  const own = new Uint8Array(bytes);
  const workerData: TextThreadData = { bytes: own, page };
  const thread = new Worker(file, {
    ...{ workerData, transferList: [own.buffer] },
    ...{ env: {}, argv: [], execArgv: [], stdin: false, stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: limits.textValuesMb, maxYoungGenerationSizeMb: 8 },
  });
  const end = () => process.exit();
  // Exiting without a message means out of memory, or a fault of the library.
  thread.once('message', (text) => process.send?.({ text }, end));
  thread.once('error', end);
  thread.once('exit', (code) => {
    if (code !== 0) end();
  });
}
