import { isUrl } from '../../base/network/is-url.ts';

/** Maximum numbers of concurrent deliveries. */
export interface DeliveryLimits {
  readonly total: number;
  /** Per host, across all webhooks with that host. */
  readonly perHost: number;
  readonly perWebhook: number;
  /**
   * A delivery stays in the queue while its webhook completes {@link perWebhook} other deliveries
   * within this time. Otherwise it is returned to the store.
   */
  readonly patienceMs: number;
}

/** Limits concurrent deliveries, so that a slow receiver delays only its own. */
export interface DeliveryLimiter {
  /**
   * Runs `work` as soon as the limits allow a delivery to that webhook.
   *
   * @returns the result of `work`, or the delay before a retry because the queue made no progress
   */
  run<T>(
    receiver: { readonly id: number; readonly url: string },
    work: () => Promise<T>,
  ): Promise<{ readonly done: T } | { readonly retryAfterMs: number }>;
}

/** The limits that apply to a delivery: its webhook first, its host, and the total. */
type Slots = readonly [Slot, ...Slot[]];
type Slot = readonly [name: string, limit: number];

/** Staggers the return of deliveries that were sent back to the store. */
const backoff = { firstMs: 1000, stepMs: 100, lastMs: 60_000 };
/** Time for which no delivery is queued for a webhook whose queue made no progress. */
const stalledMs = 5000;

/** Creates the limiter of one worker. */
export function openLimiter(limits: DeliveryLimits): DeliveryLimiter {
  const { total, perHost, perWebhook, patienceMs } = limits;
  const running = openCounts();
  const completed = openCounts();
  const stalled = openStalled();
  const queue: { readonly slots: Slots; start(): void }[] = [];
  const isFree = (slots: Slots) => slots.every(([name, limit]) => running.of(name) < limit);
  const addAll = (slots: Slots, step: 1 | -1) => {
    for (const [name] of slots) running.add(name, step);
  };
  const leave = (slots: Slots) => {
    addAll(slots, -1);
    completed.add(slots[0][0], 1);
    const index = queue.findIndex((each) => isFree(each.slots));
    const [next] = index < 0 ? [] : queue.splice(index, 1);
    if (next === undefined) return;
    addAll(next.slots, 1);
    next.start();
  };
  const wait = (slots: Slots) =>
    new Promise<boolean>((resolve) => {
      let before = completed.of(slots[0][0]);
      const look = () => {
        const after = completed.of(slots[0][0]);
        if (after - before >= perWebhook) {
          before = after;
          timer = setTimeout(look, patienceMs);
          return;
        }
        queue.splice(queue.indexOf(entry), 1);
        resolve(false);
      };
      let timer = setTimeout(look, patienceMs);
      const start = () => {
        clearTimeout(timer);
        resolve(true);
      };
      const entry = { slots, start };
      queue.push(entry);
    });
  return {
    async run({ id, url }, work) {
      const webhook = `webhook ${id}`;
      const host = `host ${isUrl(url) ? new URL(url).host : ''}`;
      const slots: Slots = [
        [webhook, perWebhook],
        [host, perHost],
        ['all', total],
      ];
      if (isFree(slots)) addAll(slots, 1);
      else if (stalled.has(webhook) || !(await wait(slots))) {
        return { retryAfterMs: stalled.add(webhook) };
      }
      try {
        return { done: await work() };
      } finally {
        leave(slots);
      }
    },
  };
}

function openCounts() {
  const counts = new Map<string, number>();
  const of = (name: string) => counts.get(name) ?? 0;
  return {
    of,
    add(name: string, step: 1 | -1): void {
      const next = of(name) + step;
      if (next === 0) counts.delete(name);
      else counts.set(name, next);
    },
  };
}

/** Webhooks whose queue recently made no progress. */
function openStalled() {
  const stalled = new Map<string, { readonly untilMs: number; readonly count: number }>();
  const countOf = (name: string) => {
    const found = stalled.get(name);
    return found !== undefined && found.untilMs > performance.now() ? found.count : undefined;
  };
  return {
    has: (name: string) => countOf(name) !== undefined,
    /** Adds a delivery that is sent back. Returns the delay before it is retried. */
    add(name: string): number {
      const count = (countOf(name) ?? -1) + 1;
      stalled.set(name, { untilMs: performance.now() + stalledMs, count });
      return Math.min(backoff.firstMs + count * backoff.stepMs, backoff.lastMs);
    },
  };
}
