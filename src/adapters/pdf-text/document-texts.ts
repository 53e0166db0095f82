import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type {
  DocumentText,
  DocumentTexts,
  StoredContent,
  TextOrder,
} from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { TextThreadData } from './text-thread.ts';

/** Number of cached results in addition to pending ones, and their lifetime. */
const KEPT = 8;
const KEPT_MS = 300_000;
/** A document that timed out on a busy machine may succeed a little later. */
const FAILURE_KEPT_MS = 30_000;
/** Seconds after which a rejected client may retry. */
const RETRY_SECONDS = 10;

type Answer = Promise<DocumentText | undefined>;
interface TextAnswer {
  readonly text: DocumentText | undefined;
}

/** Options of {@link documentTexts}, for tests. */
export interface TextReaderOptions {
  readonly deadlineMs?: number;
  readonly ordersMax?: number;
  /** Extracts the text. Default: in a separate process. */
  readonly readText?: (bytes: Uint8Array, page: number) => Answer;
}

/**
 * Extracts texts with pdf.js, one document at a time, each in a separate process that is killed if
 * it exceeds its limits on time or memory. Processes are started on demand.
 */
export function documentTexts(options: TextReaderOptions = {}): DocumentTexts {
  const { deadlineMs = limits.textMs, ordersMax = limits.textOrders } = options;
  const readText = options.readText ?? ((bytes, page) => readInProcess(bytes, page, deadlineMs));
  const kept = new Map<string, Answer>();
  const owners = new Set<string>();
  let line: Promise<unknown> = Promise.resolve();

  const keep = (name: string, answer: Answer) => {
    kept.set(name, answer);
    const forget = () => {
      if (kept.get(name) === answer) kept.delete(name);
    };
    // A document that could not be fetched may be available next time.
    answer.then((text) => {
      setTimeout(forget, text === undefined ? FAILURE_KEPT_MS : KEPT_MS).unref();
    }, forget);
    const [oldest] = kept.keys();
    if (kept.size > KEPT + ordersMax && oldest !== undefined) kept.delete(oldest);
  };
  return {
    async read({ sha256, page, owner, open }: TextOrder) {
      const name = `${sha256} ${Math.ceil(page / limits.textPages)}`;
      const known = kept.get(name);
      if (known !== undefined) return known;
      if (owners.size >= ordersMax || owners.has(owner)) throw busy(owners.size);
      owners.add(owner);
      const answer = line.then(async () => readText(await wholeOf(await open()), page));
      keep(name, answer);
      const done = () => void owners.delete(owner);
      line = answer.then(done, done);
      return answer;
    },
  };
}

async function wholeOf(content: StoredContent): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(content.lengthBytes);
  let at = 0;
  for await (const piece of content.pieces()) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function readInProcess(bytes: Uint8Array, page: number, deadlineMs: number): Answer {
  const { fork } = await import('node:child_process');
  const manifest = createRequire(import.meta.url).resolve('innsigli/package.json');
  const file = join(dirname(manifest), 'bin/text-process.mjs');
  const child = fork(file, [], {
    ...{ env: {}, execArgv: [], serialization: 'advanced' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const timer = setTimeout(() => void child.kill('SIGKILL'), deadlineMs);
  try {
    return await new Promise<DocumentText | undefined>((resolve) => {
      child.on('message', (answer) => resolve((answer as TextAnswer).text));
      // Out of memory, a timeout or a library fault: the document's text cannot be extracted.
      child.on('error', () => resolve(undefined));
      child.on('exit', () => resolve(undefined));
      const order: TextThreadData = { bytes, page };
      child.send(order, () => undefined);
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

function busy(count: number): InnsigliError {
  return new InnsigliError('service.busy', `${count} documents are already queued for reading`, {
    details: { retryAfterSeconds: RETRY_SECONDS },
  });
}
