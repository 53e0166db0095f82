import { defined } from '../../base/defined.ts';
import { codeOf, isInnsigliError } from '../../base/errors.ts';
import { openSemaphore } from '../../base/semaphore.ts';
import {
  type Attempt,
  attempted,
  type DeliveryResult,
  ended,
  longestWaitMs,
  postponed,
  standardHeaders,
  type Webhook,
  type WebhookEvent,
} from '../../domain/webhook/index.ts';
import { type JobLeases, openLeases } from '../job-leases.ts';
import { FULL_WAIT_MS } from '../patient-store.ts';
import type { BlobStore, Job, JobFailure, WebhookTransport } from '../ports/index.ts';
import { type DeliveryLimiter, openLimiter } from './limiter.ts';
import { attemptTimeoutMs, type DeliveryPlan, type DueDelivery, planJobs } from './plan.ts';
import { type ResultPorts, resultRecorder } from './record-results.ts';

/** Dependencies of {@link deliverDueWebhooks}. */
export type DeliverPorts = SendPorts & ResultPorts;

/** Options of {@link deliverDueWebhooks}. */
export interface DeliverOptions {
  /** Unpredictable name of the worker. */
  readonly owner: string;
  /** Maximum number of jobs held at the same time. */
  readonly limit: number;
  /** Only these deliveries. Default: all that are due. */
  readonly refs?: readonly string[];
  /** When aborted, the call ends after the current attempts. */
  readonly signal?: AbortSignal;
  /** Leases shared by the whole program. Default: leases of this call. */
  readonly leases?: JobLeases;
  /** Called with a job that failed and will be retried. Undefined: the first error is thrown. */
  failed?(job: Job, error: unknown): void;
  /** Called for each delivery that did not reach its receiver. */
  missed?(job: Job, failure: JobFailure): void;
}

const limits = { total: 256, perHost: 32, perWebhook: 16, patienceMs: 1000 };
/** Duration of a lease. A running worker renews it. */
const leaseMs = 60_000;
const offlineWaitMs = 60_000;
/** Interval of checks for missing blobs, and time after which the delivery fails permanently. */
const contentLookMs = 600_000;
const contentWaitMs = 3 * 86_400_000;
/** Delay before a job that failed in this program is retried. */
const failedWaitMs = 10_000;
/** Interval between checks for due jobs while attempts are in progress. */
const lookAgainMs = 500;

/**
 * Delivers the due webhooks and returns the number of jobs. New jobs are claimed while earlier ones
 * are in progress, so that a slow receiver does not delay the others.
 */
export async function deliverDueWebhooks(
  ports: DeliverPorts,
  options: DeliverOptions,
): Promise<number> {
  const { owner, limit, refs, signal, leases = openLeases(ports) } = options;
  const failures: unknown[] = [];
  let [held, count] = [0, 0];
  let wake = (): void => undefined;
  const deliver = openDelivery(ports, { ...options, leases }, (jobs, error) => {
    held -= jobs;
    if (error !== undefined) failures.push(error);
    wake();
  });
  for (;;) {
    const isOver = signal?.aborted === true || failures.length > 0;
    // A claim costs a transaction, so it waits until at least half of the slots are free.
    if (!isOver && held <= limit / 2) {
      const { now } = ports;
      const kinds = ['webhook'] as const;
      const claim = { owner, kinds, refs, leaseMs, horizonMs: longestWaitMs };
      const jobs = await leases.claim(defined({ ...claim, nowMs: now(), limit: limit - held }));
      held += jobs.length;
      count += jobs.length;
      if (jobs.length > 0) {
        void deliver(jobs);
        continue;
      }
    }
    if (held === 0) break;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lookAgainMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  if (failures.length > 0) throw failures[0];
  return count;
}

/** Returns a function that delivers claimed jobs. `settled` gets the number of jobs that ended. */
function openDelivery(
  ports: DeliverPorts,
  { leases, failed, missed }: DeliverOptions & { readonly leases: JobLeases },
  settled: (jobs: number, error?: unknown) => void,
): (jobs: readonly Job[]) => Promise<void> {
  const limiter = openLimiter(limits);
  const record = resultRecorder(ports);
  const deliverOne = async (plan: DeliveryPlan, claimedAtMs: number) => {
    const { job } = plan;
    try {
      const result = 'webhook' in plan ? await send(ports, limiter, plan, claimedAtMs) : plan;
      await record({ ...result, job });
      if (result.failure !== undefined) missed?.(job, result.failure);
    } catch (error) {
      if (failed === undefined) throw error;
      const waitMs = codeOf(error) === 'store.full' ? FULL_WAIT_MS : failedWaitMs;
      await leases.giveBack(job, ports.now() + waitMs, true);
      failed(job, error);
    } finally {
      leases.forget(job);
    }
  };
  return async (jobs) => {
    try {
      const claimedAtMs = ports.now();
      for (const plan of await planJobs(ports.store, jobs, claimedAtMs)) {
        void deliverOne(plan, claimedAtMs).then(
          () => settled(1),
          (error: unknown) => settled(1, error),
        );
      }
    } catch (error) {
      // The rows could not be read, so no attempt was made.
      try {
        for (const job of jobs) await leases.giveBack(job, job.runAtMs, false);
      } finally {
        settled(jobs.length, error);
      }
    }
  };
}

/** Makes one attempt as soon as the limits allow it, and returns its result. */
async function send(
  ports: DeliverPorts,
  limiter: DeliveryLimiter,
  due: DueDelivery,
  claimedAtMs: number,
): Promise<DeliveryResult> {
  const { delivery, webhook, event } = due;
  const attempt = async () => {
    const startMs = ports.now();
    // After a long wait for memory, the lease may soon pass to a different worker.
    if (startMs - claimedAtMs > leaseMs / 2) return postponed(delivery, startMs);
    const sent = await sendEvent(ports, webhook, event, delivery.attempts + 1);
    const fraction = () => Buffer.from(ports.random(4)).readUInt32BE(0) / 2 ** 32;
    return attempted(due, sent, ports.now(), fraction);
  };
  const run = await limiter.run(webhook, () =>
    withDocumentMemory(ports, event, attempt).catch((error: unknown) =>
      notAttempted(error, due, ports.now()),
    ),
  );
  return 'done' in run ? run.done : postponed(delivery, ports.now() + run.retryAfterMs);
}

function notAttempted(
  error: unknown,
  { delivery, event }: DueDelivery,
  nowMs: number,
): DeliveryResult {
  const code = codeOf(error);
  if (code === 'network.offline') return postponed(delivery, nowMs + offlineWaitMs);
  if (code !== 'blob.missing' && code !== 'blob.corrupt') throw error;
  // The folder may not be mounted yet, or a restore from backup may be incomplete.
  const isLost = nowMs - event.createdAtMs >= contentWaitMs;
  return isLost ? ended(delivery, 'dead', code, nowMs) : postponed(delivery, nowMs + contentLookMs);
}

/** Dependencies of {@link sendEvent}. */
export interface SendPorts {
  readonly blobs: Pick<BlobStore, 'get' | 'sizeOf'>;
  readonly transport: WebhookTransport;
  now(): number;
}

/** Maximum size of all documents in memory. Their base64 is additional. */
const documentBytesMax = 64 * 1024 * 1024;
const documentMemory = openSemaphore(documentBytesMax);
/** Number of bytes encoded at a time. A multiple of three, so that parts can be concatenated. */
const base64Step = 3 * 64 * 1024;

/** Runs `work` as soon as the document of `event` fits into memory. @throws blob.missing */
export async function withDocumentMemory<T>(
  { blobs }: Pick<SendPorts, 'blobs'>,
  { documentSha256: sha256 }: Pick<WebhookEvent, 'documentSha256'>,
  work: () => Promise<T>,
): Promise<T> {
  return sha256 === undefined ? work() : documentMemory.run(await blobs.sizeOf(sha256), work);
}

/**
 * Sends an event to a webhook once. Call it inside {@link withDocumentMemory}. The body is
 * identical in every attempt, byte for byte; time and signatures in the headers are those of the
 * attempt.
 *
 * @throws blob.missing, blob.corrupt, network.offline; other failures are results
 */
export async function sendEvent(
  ports: SendPorts,
  { url, secrets }: Pick<Webhook, 'url' | 'secrets'>,
  event: Pick<WebhookEvent, 'id' | 'body' | 'documentSha256'>,
  number: number,
): Promise<Attempt> {
  const { transport, now } = ports;
  const body = await buildBody(ports, event);
  const atMs = now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'innsigli-webhook',
    ...standardHeaders({ id: event.id, atMs, body, secrets }),
    'webhook-attempt': String(number),
  };
  try {
    const answer = await transport.post({ url, headers, body, timeoutMs: attemptTimeoutMs });
    const { status, retryAfter, head } = answer;
    const result = defined({ status, retryAfter });
    return defined({ result, atMs, durationMs: now() - atMs, answerHead: head || undefined });
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'network.offline') throw error;
    const result = { errorCode: error.code };
    return { result, atMs, durationMs: now() - atMs, cause: error.message };
  }
}

/** Builds the body of an event, its document as base64 between the two parts. @throws blob.* */
export async function buildBody(
  ports: Pick<SendPorts, 'blobs'>,
  event: Pick<WebhookEvent, 'body' | 'documentSha256'>,
): Promise<Uint8Array> {
  const [head, tail] = event.body;
  if (event.documentSha256 === undefined) return Buffer.from(head + tail, 'utf8');
  const { buffer, byteOffset, byteLength } = await ports.blobs.get(event.documentSha256);
  const content = Buffer.from(buffer, byteOffset, byteLength);
  const [before, after] = [Buffer.from(head, 'utf8'), Buffer.from(tail, 'utf8')];
  const base64Bytes = 4 * Math.ceil(content.length / 3);
  const body = Buffer.allocUnsafe(before.length + base64Bytes + after.length);
  let end = before.copy(body);
  for (let at = 0; at < content.length; at += base64Step) {
    end += body.write(content.toString('base64', at, at + base64Step), end, 'latin1');
  }
  after.copy(body, end);
  return body;
}
