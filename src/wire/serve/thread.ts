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

/** Entry point of a thread of `innsigli serve`: serves calls until it is stopped. */
export function serveThread(): void {
  assert(parentPort !== null, 'expected a worker thread with a port to its parent');
  answerParent(parentPort as Port);
}

/**
 * Serves calls over `port` with a separate toolkit: keys are opened in this thread and never sent.
 * `open` receives the configuration; `jobs` starts running due jobs.
 */
export function answerParent(port: Port): void {
  let start: ThreadStart | undefined;
  let toolkit: Toolkit | undefined;
  let jobs: (JobLoop & { close(): Promise<void> }) | undefined;
  // Some calls need no toolkit.
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
      // The parent has opened the database: one that has disappeared must not be created again.
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

/** Lowers the priority below threads that serve requests. Returns its scheduler statistics path. */
function yieldToOthers(): string | undefined {
  // On other systems this would change the priority of the whole process.
  if (platform() === 'linux') setPriority(NICE);
  return threadPlace();
}

/** About a third of a core if another thread competes for it. */
const NICE = 5;

function documentHandlers(toolkit: () => Promise<Toolkit>): Handlers {
  return {
    seal: async ({ bytes, options }: DocumentCall) =>
      made(bytes, await (await toolkit()).seal(memorySource(bytes), options)),
    sealXml: async ({ bytes, options }: DocumentCall) =>
      made(bytes, await (await toolkit()).sealXml(memorySource(bytes), options)),
    archive: async ({ bytes }: DocumentCall) =>
      made(bytes, await (await toolkit()).augment(memorySource(bytes))),
    // As text: copying and serializing a report with thousands of names blocks the receiver.
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

/** Values sent to a thread, with the schema, form or template they are for. */
export interface FlowCall {
  readonly values: FlowValues;
}

interface TemplateCall {
  readonly bytes: Uint8Array;
  /** Language of a template that specifies none. */
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
  // The received buffer is transferred back.
  const answer: SealedDocumentParts = {
    kept: bytes.subarray(0, keptBytes),
    tail: ownBytes(tail),
    ...defined({ sealCount }),
  };
  return new Moved(answer, [answer.kept.buffer as ArrayBuffer, answer.tail.buffer as ArrayBuffer]);
}
