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

/** Answers that are kept besides those that wait, and for how long. */
const KEPT = 8;
const KEPT_MS = 300_000;
/** A document that took too long on a busy machine may be read a little later. */
const FAILURE_KEPT_MS = 30_000;
/** Seconds after which a client that was refused may ask again. */
const RETRY_SECONDS = 10;

type Answer = Promise<DocumentText | undefined>;
interface TextAnswer {
  readonly text: DocumentText | undefined;
}

/** Dependencies of {@link documentTexts}, for tests. */
export interface TextReaderOptions {
  readonly deadlineMs?: number;
  readonly ordersMax?: number;
  /** Default: in a process of its own. */
  readonly readText?: (bytes: Uint8Array, page: number) => Answer;
}

/**
 * Reads texts with pdf.js, one document at a time, each in a process of its own that is ended
 * when it takes too long or too much memory. No process is started yet.
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
    // A document that could not be fetched may be there the next time.
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
      // Memory, time, or a fault of the library: the document cannot be read here.
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
