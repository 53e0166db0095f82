import { parentPort } from 'node:worker_threads';
import { assert } from '../../../base/errors.ts';
import { processIo } from '../../process-io.ts';
import { serveWorker } from './worker.ts';

/** The body of a worker thread: answers until it is ended. */
export function serveThread(): void {
  assert(parentPort !== null, 'a worker thread has a port to its parent');
  serveWorker(parentPort, processIo());
}
