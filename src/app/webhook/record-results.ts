import type { ChainOwner } from '../../domain/activity/index.ts';
import type { RandomBytes } from '../../domain/keys.ts';
import type { ActivityDraft } from '../../domain/process/index.ts';
import {
  afterFailure,
  afterSuccess,
  type DeliveryResult,
  type Webhook,
  withDisabled,
} from '../../domain/webhook/index.ts';
import { isStoreAway, writeResult } from '../patient-store.ts';
import type { Job, Store, StoreUnit } from '../ports/index.ts';

/** Dependencies of {@link resultRecorder}. */
export interface ResultPorts {
  readonly store: Store;
  readonly random: RandomBytes;
  now(): number;
  /** `appendActivities` of app/activity. */
  append(
    unit: StoreUnit,
    ports: { readonly random: RandomBytes },
    all: readonly { readonly process: ChainOwner; readonly drafts: readonly ActivityDraft[] }[],
    nowMs: number,
  ): Promise<void>;
}

/** A job with its result. */
export type JobResult = DeliveryResult & { readonly job: Job };

interface Pending {
  readonly result: JobResult;
  recorded(): void;
  failed(error: unknown): void;
}

/** Results that arrive within this time share a transaction: flushing the disk is the main cost. */
const lingerMs = 25;
const groupMax = 128;

/**
 * Returns a function that writes a result and resolves once it is committed. Results that arrive
 * while a group is being written start the next group. If a group fails, its results are written
 * one by one, so that one bad result does not affect the others.
 */
export function resultRecorder(ports: ResultPorts): (result: JobResult) => Promise<void> {
  let pending: Pending[] = [];
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  const writeSoon = () => {
    if (isWriting || pending.length === 0) return;
    if (pending.length >= groupMax) void writeAll();
    else timer ??= setTimeout(() => void writeAll(), lingerMs);
  };
  const writeAll = async () => {
    clearTimeout(timer);
    isWriting = true;
    const group = pending;
    pending = [];
    await writeGroup(ports, group);
    isWriting = false;
    timer = undefined;
    writeSoon();
  };
  return (result) =>
    new Promise<void>((recorded, failed) => {
      pending.push({ result, recorded, failed });
      writeSoon();
    });
}

async function writeGroup(ports: ResultPorts, group: readonly Pending[]): Promise<void> {
  try {
    await writeResults(
      ports,
      group.map(({ result }) => result),
    );
    for (const { recorded } of group) recorded();
  } catch (error) {
    if (group.length > 1 && !isStoreAway(error)) {
      for (const each of group) await writeGroup(ports, [each]);
    } else for (const { failed } of group) failed(error);
  }
}

/**
 * Writes results in one transaction. A result whose job has passed to a different worker is
 * dropped: the lease expired, and the other worker sends the same bytes under the same ID. The
 * deliveries are unchanged since they were read: cancelling or replaying one first takes the job
 * from this worker.
 */
async function writeResults(ports: ResultPorts, results: readonly JobResult[]): Promise<void> {
  await writeResult(ports.store, async (unit) => {
    const held = await endJobs(unit, results);
    await unit.webhooks.saveDeliveries(
      held.flatMap(({ delivery }) => delivery ?? []),
      held.flatMap(({ attempt }) => attempt ?? []),
    );
    // In key order, so that two workers never deadlock.
    const noted = held.filter(({ note }) => note !== undefined);
    const notes = new Map(grouped(noted, ({ delivery }) => delivery?.processKey));
    const processes = notes.size === 0 ? [] : await unit.processes.lockOwners([...notes.keys()]);
    const all = processes.map((process) => ({
      process,
      drafts: (notes.get(process.key) ?? []).flatMap(({ note }) => note ?? []),
    }));
    // The time is read under the locks, when no other worker can write in between.
    await ports.append(unit, ports, all, ports.now());
    const changing = held.filter(({ receiver }) => receiver !== undefined);
    for (const [id, some] of grouped(changing, ({ delivery }) => delivery?.webhookId)) {
      const webhook = await unit.webhooks.lock(id);
      if (webhook === undefined) continue;
      const nowMs = ports.now();
      const next = some.reduce((last, { receiver }) => applied(last, receiver, nowMs), webhook);
      if (next !== webhook) await unit.webhooks.save(next);
    }
  });
}

/** Finishes or releases jobs. Returns the results whose jobs this worker still held. */
async function endJobs(
  { jobs }: StoreUnit,
  results: readonly JobResult[],
): Promise<readonly JobResult[]> {
  const held = new Set<string>();
  const ended = results.filter(({ delivery }) => delivery?.state !== 'waiting');
  for (const [owner, some] of grouped(ended, ({ job }) => job.owner)) {
    const refs = some.map(({ job }) => job.ref);
    for (const ref of await jobs.finishAll('webhook', refs, owner)) held.add(ref);
  }
  const again = results.flatMap(({ job, delivery }) => {
    if (delivery?.state !== 'waiting') return [];
    return [{ ...job, runAtMs: delivery.nextAtMs ?? job.runAtMs }];
  });
  if (again.length > 0) {
    for (const ref of await jobs.releaseAll('webhook', again)) held.add(ref);
  }
  return results.filter(({ job }) => held.has(job.ref));
}

/** The webhook after an attempt. It was read again, because its owner may have changed it. */
function applied(webhook: Webhook, receiver: DeliveryResult['receiver'], nowMs: number): Webhook {
  if (receiver === undefined) return webhook;
  // A receiver that rejects a single event is available, which closes the circuit breaker as well.
  if (!receiver.isFailing) return afterSuccess(webhook);
  const next = afterFailure(webhook, nowMs, receiver.isProbe);
  return receiver.disables && next.isActive ? withDisabled(next, '410', nowMs) : next;
}

/** Groups items by key, in key order. Items without a key are omitted. */
function grouped<Item, Key extends string | number>(
  items: readonly Item[],
  keyOf: (item: Item) => Key | undefined,
): readonly (readonly [Key, readonly Item[]])[] {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
