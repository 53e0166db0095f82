import { randomBytes } from 'node:crypto';
import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { SealedDocumentParts } from '../../api/index.ts';
import type { SealedDocument } from '../../app/documents/sealed-document.ts';
import { flowWork, type ValueTrial } from '../../app/flow/index.ts';
import type { ReportInWordsRequest } from '../../app/reports/index.ts';
import { openedDocument, type PreparationOptions } from '../../app/signing/index.ts';
import { memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { assert } from '../../base/errors.ts';
import type { ClockLine } from '../../base/time/watched-clock.ts';
import type { FlowValues } from '../../domain/flow/index.ts';
import type { ResolvedConfig } from '../config/config.ts';
import { loadFonts } from '../fonts.ts';
import { pooledRandom } from '../pooled-random.ts';
import { systemClock } from '../service/clock-watch.ts';
import { type JobLoop, startJobs } from '../service/work.ts';
import { type DocumentCall, ownBytes } from '../threads/document-order.ts';
import { nameSearcher } from '../threads/name-searcher.ts';
import { type Handlers, Moved, openChannel, type Port } from '../threads/thread-channel.ts';
import { serializeVerification } from '../threads/verification-answer.ts';
import { verificationInWords } from '../threads/verification-words.ts';
import { threadPlace } from '../threads/work-clock.ts';
import type { Toolkit } from '../toolkit.types.ts';

/** Start message of a thread. */
export interface ThreadStart {
  readonly config: ResolvedConfig;
  /** Clock line of the parent. */
  readonly line?: ClockLine;
}

/** The body of a thread of `innsigli serve`: answers until it is ended. */
export function serveThread(): void {
  assert(parentPort !== null, 'expected a worker thread with a port to its parent');
  answerParent(parentPort as Port);
}

/**
 * Answers over `port` with a toolkit of its own: keys are opened here, and never sent. The
 * configuration comes with `open`; `jobs` begins to do what is due.
 */
export function answerParent(port: Port): void {
  let start: ThreadStart | undefined;
  let toolkit: Toolkit | undefined;
  let jobs: (JobLoop & { close(): Promise<void> }) | undefined;
  // Not all work needs one.
  const opened = async () => {
    assert(start !== undefined, 'the thread was opened');
    const { openToolkit } = await import('../toolkit.ts');
    if (toolkit !== undefined) return toolkit;
    const clock = systemClock(start.line);
    toolkit = openToolkit(start.config, {
      now: clock.now,
      clock,
      random: pooledRandom(randomBytes),
      warn: (message, code) => void channel.call('warn', { message, code }),
      askPassword: async (what) => (await channel.call('askPassword', what)) as string | undefined,
    });
    return toolkit;
  };
  const channel = openChannel(port, {
    open: (given: ThreadStart) => {
      start = given;
    },
    yieldToOthers,
    ...documentHandlers(opened),
    ...flowHandlers(),
    ...nameSearcher(),
    jobs: async () => {
      // The program that began it has opened the database: one that is gone is not made anew.
      const service = await (await opened()).service({ mustExist: true });
      const tell = (what: string, value: unknown) => void channel.call(what, value);
      const loop = startJobs(
        service,
        (kind, ref, code, why) => tell('jobFailed', { kind, ref, code, why }),
        (worked) => tell('worked', worked),
      );
      jobs = { ...loop, close: () => service.close() };
    },
    close: async () => {
      await jobs?.stop();
      await jobs?.close();
      toolkit?.close();
    },
  });
}

/** Lets the threads that answer requests go first; returns the path of its scheduler statistics. */
function yieldToOthers(): string | undefined {
  // Elsewhere it would be the priority of the whole program.
  if (platform() === 'linux') setPriority(NICE);
  return threadPlace();
}

/** A third of a core where another thread wants it too. */
const NICE = 5;

function documentHandlers(toolkit: () => Promise<Toolkit>): Handlers {
  return {
    seal: async ({ bytes, options }: DocumentCall) =>
      made(bytes, await (await toolkit()).seal(memorySource(bytes), options)),
    sealXml: async ({ bytes, options }: DocumentCall) =>
      made(bytes, await (await toolkit()).sealXml(memorySource(bytes), options)),
    archive: async ({ bytes }: DocumentCall) =>
      made(bytes, await (await toolkit()).augment(memorySource(bytes))),
    // As text: to copy and write a report of many thousand names takes long where others wait.
    verify: async ({ bytes, options }: DocumentCall) => {
      const report = await (await toolkit()).verify(memorySource(bytes), [], options);
      return movedBytes(serializeVerification(report));
    },
    describe: async ({ bytes, options }: DocumentCall) => {
      const report = await (await toolkit()).verify(memorySource(bytes), [], {});
      return verificationInWords(report, options as ReportInWordsRequest);
    },
    openedDocument: ({ bytes, options }: DocumentCall) =>
      movedDocument(openedDocument(bytes, options as PreparationOptions)),
  };
}

/** Values on their way to a thread, with the schema, form or template that they are for. */
export interface FlowCall {
  readonly values: FlowValues;
}

interface TemplateCall {
  readonly bytes: Uint8Array;
  /** Language of a template that names none. */
  readonly usual?: string;
}

function flowHandlers(): Handlers {
  const work = flowWork(loadFonts);
  const { requireSchema, requireFit, formFields, fillForm, renderDocument } = work;
  return {
    findValueFaults: (trial: ValueTrial) => work.findValueFaults(trial),
    requireSchema: ({ schema }: { readonly schema: string }) => requireSchema(schema),
    requireFit: ({ schema, values }: FlowCall & { readonly schema: string }) =>
      requireFit(schema, values),
    formFields: ({ bytes }: { readonly bytes: Uint8Array }) => formFields(bytes),
    fillForm: async ({ bytes, values }: FlowCall & { readonly bytes: Uint8Array }) =>
      movedBytes(await fillForm(bytes, values)),
    renderDocument: async ({ bytes, values, usual }: FlowCall & TemplateCall) =>
      movedBytes(await renderDocument(bytes, values, usual)),
  };
}

function movedBytes(bytes: Uint8Array): Moved {
  const own = ownBytes(bytes);
  return new Moved(own, [own.buffer]);
}

function movedDocument({ content, active }: ReturnType<typeof openedDocument>): Moved {
  const own = ownBytes(content);
  return new Moved({ content: own, active }, [own.buffer]);
}

function made(bytes: Uint8Array, { keptBytes, tail, sealCount }: SealedDocument): Moved {
  // The same buffer, moved back.
  const answer: SealedDocumentParts = {
    kept: bytes.subarray(0, keptBytes),
    tail: ownBytes(tail),
    ...defined({ sealCount }),
  };
  return new Moved(answer, [answer.kept.buffer as ArrayBuffer, answer.tail.buffer as ArrayBuffer]);
}
