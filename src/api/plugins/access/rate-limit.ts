import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';

/** A rate limit by key, in bounded memory. */
export interface RateLimit {
  /**
   * Counts one request of `key`, which may make `share` times as many as other keys. A request that
   * costs as much as several counts as `cost` requests.
   *
   * @throws request.rate.exceeded
   */
  take(key: string, nowMs: number, share?: number, cost?: number): void;
  /**
   * Same for every network that a client belongs to: a wider one has more shares, and this machine
   * belongs to none.
   *
   * @throws request.rate.exceeded
   */
  takeOf(ip: string, nowMs: number, cost?: number): void;
}

interface LimitOptions {
  readonly keysMax?: number;
  /** Burst: the amount that may be taken in one go. Default: the amount of ten seconds. */
  readonly atOnce?: number;
  /** Counts any cost in full. Default: a cost counts as at most the amount of one second. */
  readonly isWhole?: boolean;
}

// Size of a burst, in seconds of the rate.
const BURST_SECONDS = 10;
const KEYS_MAX = 20_000;

interface BucketSize {
  readonly perSecond: number;
  /** Burst: the amount that may be taken in one go. */
  readonly atOnce: number;
  readonly keysMax?: number;
}

/**
 * Creates token buckets by key; `take` returns the seconds to wait, 0 on success. When there are
 * too many keys, the longest unused is dropped.
 */
export function openBuckets({ perSecond, atOnce, keysMax = KEYS_MAX }: BucketSize): {
  take(key: string, nowMs: number, share: number, amount: number): number;
  /** Returns tokens that were taken but not used. */
  give(key: string, amount: number): void;
} {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(key, nowMs, share, amount) {
      const rate = perSecond * share;
      const full = atOnce * share;
      const found = buckets.get(key) ?? { tokens: full, atMs: nowMs };
      const passedMs = Math.max(0, nowMs - found.atMs);
      const tokens = Math.min(full, found.tokens + (passedMs * rate) / 1000);
      // Re-inserted at the end of the map: the first key is the longest unused.
      buckets.delete(key);
      if (buckets.size >= keysMax) buckets.delete(buckets.keys().next().value as string);
      const isEnough = tokens >= amount;
      buckets.set(key, { tokens: isEnough ? tokens - amount : tokens, atMs: nowMs });
      return isEnough ? 0 : Math.ceil((amount - tokens) / rate);
    },
    give(key, amount) {
      const found = buckets.get(key);
      // The next `take` caps it at the size of the bucket.
      if (found !== undefined) found.tokens += amount;
    },
  };
}

/** Creates a rate limit whose buckets fill with `perSecond`; 0 means no limit. */
export function openRateLimit(
  perSecond: number,
  { keysMax = KEYS_MAX, atOnce = perSecond * BURST_SECONDS, isWhole = false }: LimitOptions = {},
): RateLimit {
  if (perSecond <= 0) return { take: () => undefined, takeOf: () => undefined };
  const buckets = openBuckets({ perSecond, atOnce, keysMax });
  const take: RateLimit['take'] = (key, nowMs, share = 1, cost = 1) => {
    const rate = perSecond * share;
    const wanted = isWhole ? cost : Math.min(cost, Math.max(1, rate));
    const retryAfterSeconds = buckets.take(key, nowMs, share, wanted);
    if (retryAfterSeconds > 0) throw tooOften(rate, retryAfterSeconds);
  };
  return {
    take,
    takeOf(ip, nowMs, cost) {
      for (const { key, shares } of clientNetworks(ip)) take(key, nowMs, shares, cost);
    },
  };
}

/** Creates the error for a request that came too soon. */
export function tooOften(rate: number, retryAfterSeconds: number): InnsigliError {
  return new InnsigliError('request.rate.exceeded', `expected at most ${rate} per second`, {
    details: { retryAfterSeconds },
  });
}

/** Rejects files of visitors who send too many or too much, before their bodies are read. */
export function addVisitorRate(app: ApiApp, now: () => number): void {
  const checks = openRateLimit(limits.pageChecksPerSecond, { atOnce: limits.pageChecksAtOnce });
  const bytes = openRateLimit(limits.pageBytesPerSecond, {
    atOnce: limits.pageBytesAtOnce,
    isWhole: true,
  });
  app.addHook('onRequest', async ({ routeOptions, headers, ip }) => {
    if (routeOptions.config.facts?.bodiesOf !== 'visitors') return;
    const most = routeOptions.bodyLimit;
    // A body of unknown length counts as the longest allowed; a longer one is rejected unread.
    const said = Number(headers['content-length'] ?? most);
    const lengthBytes = said > most ? 0 : said;
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    checks.takeOf(ip, now(), isForm === true ? limits.pageFormCost : 1);
    bytes.takeOf(ip, now(), lengthBytes);
  });
}
