import { onTestFinished } from 'vitest';
import { appendActivities } from '../../../../src/app/activity/index.ts';
import { bindOperations } from '../../../../src/app/operation.ts';
import type { WebhookTransport } from '../../../../src/app/ports/index.ts';
import {
  deliverDueWebhooks,
  recordEvents,
  type WebhookPorts,
  type WebhookService,
} from '../../../../src/app/webhook/index.ts';
import { webhookOperations } from '../../../../src/app/webhook/webhook-service.ts';
import type { EventDraft, SigningProcess } from '../../../../src/domain/process/index.ts';
import { countingRandom } from '../../../support/sealing.ts';
import { openTestStore, type TestStore, testCompany, testNowMs } from '../../../support/store.ts';

/** A request that was posted. */
export interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Responds to the request with this number (from 1) to this address. */
export type Receiver = (
  request: Posted,
  number: number,
) => Awaited<ReturnType<WebhookTransport['post']>> | number | Error | Promise<number>;

/** A store, a clock and a receiver. */
export interface WebhookWorld {
  readonly stored: TestStore;
  readonly ports: WebhookPorts;
  readonly webhooks: WebhookService;
  readonly posted: Posted[];
  /** Sets the behaviour of the receivers from now on. */
  answer(receiver: Receiver): void;
  /** Moves the clock. */
  pass(ms: number): void;
  now(): number;
  /** Makes the attempts that are due. */
  deliver(owner?: string): Promise<number>;
  /** Stores the process, if it is new, and records events of it. */
  record(process: SigningProcess, ...drafts: readonly EventDraft[]): Promise<void>;
}

/** Opens a {@link WebhookWorld}; it is closed after the test. */
export async function openWebhookWorld(changes: Partial<WebhookPorts> = {}): Promise<WebhookWorld> {
  let nowMs = testNowMs + 3_600_000;
  const stored = await openTestStore({ leaseNow: () => nowMs });
  onTestFinished(() => stored.close());
  const posted: Posted[] = [];
  let receiver: Receiver = () => 200;
  const transport: WebhookTransport = {
    async post({ url, headers, body }) {
      const request = { url, headers, body: Buffer.from(body) };
      posted.push(request);
      const answer = await receiver(request, posted.length);
      if (answer instanceof Error) throw answer;
      return typeof answer === 'number' ? { status: answer, head: '' } : answer;
    },
    close: async () => undefined,
  };
  const ports: WebhookPorts = {
    store: stored.store,
    blobs: stored.blobs,
    transport,
    forwarder: transport,
    addresses: { allowNetworks: [], allowLoopback: true },
    openReceiver: () => Promise.reject(new Error('no receiver here')),
    append: appendActivities,
    random: countingRandom(),
    now: () => nowMs,
    frontEnd: 'https://sign.example.is',
    ...changes,
  };
  return {
    stored,
    ports,
    webhooks: bindOperations(webhookOperations, ports, testCompany.key),
    posted,
    answer(next) {
      receiver = next;
    },
    pass(ms) {
      nowMs += ms;
    },
    now: () => nowMs,
    deliver: (owner = 'worker') => deliverDueWebhooks(ports, { owner, limit: 64 }),
    record: (process, ...drafts) =>
      stored.store.write(async (unit) => {
        if ((await unit.processes.find(process.key)) === undefined) {
          await unit.processes.add(process);
        }
        await recordEvents(unit, ports, process, drafts, nowMs);
      }),
  };
}
