import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';

/** A rate limit by key, in bounded memory. */
export interface RateLimit {
  /**
   * Takes one request of `key`, which may make `share` times as many as others; one that costs as
   * much as several counts as `cost` of them.
   *
   * @throws request.rate.exceeded
   */
  take(key: string, nowMs: number, share?: number, cost?: number): void;
  /**
   * The same of every network that a client is in: a wider one has more shares, and this machine
   * is in none.
   *
   * @throws request.rate.exceeded
   */
  takeOf(ip: string, nowMs: number, cost?: number): void;
}

interface LimitOptions {
  readonly keysMax?: number;
  /** Amount that may be taken at once. Default: that of ten seconds. */
  readonly atOnce?: number;
  /** Any cost counts whole. Default: at most as the requests of a second. */
  readonly isWhole?: boolean;
}

// In seconds of the rate.
const BURST_SECONDS = 10;
const KEYS_MAX = 20_000;

interface BucketSize {
  readonly perSecond: number;
  /** Amount that may be taken at once. */
  readonly atOnce: number;
  readonly keysMax?: number;
}

/**
 * Token buckets by key; `take` gives the seconds to wait, 0 when it has taken. The key that was
 * quiet for longest is forgotten when there are too many.
 */
export function openBuckets({ perSecond, atOnce, keysMax = KEYS_MAX }: BucketSize): {
  take(key: string, nowMs: number, share: number, amount: number): number;
  /** Gives back what was taken for nothing. */
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
      // Last in the order of the map: the first one is the quietest.
      buckets.delete(key);
      if (buckets.size >= keysMax) buckets.delete(buckets.keys().next().value as string);
      const isEnough = tokens >= amount;
      buckets.set(key, { tokens: isEnough ? tokens - amount : tokens, atMs: nowMs });
      return isEnough ? 0 : Math.ceil((amount - tokens) / rate);
    },
    give(key, amount) {
      const found = buckets.get(key);
      // The next one who takes finds it no fuller than it may be.
      if (found !== undefined) found.tokens += amount;
    },
  };
}

/** Buckets that fill with `perSecond`; 0 lets everything pass. */
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

/** The refusal of a request that came too soon. */
export function tooOften(rate: number, retryAfterSeconds: number): InnsigliError {
  return new InnsigliError('request.rate.exceeded', `expected at most ${rate} per second`, {
    details: { retryAfterSeconds },
  });
}

/**
 * Refuses files of visitors who send them too often, or too much of them, before their bodies are
 * read.
 */
export function addVisitorRate(app: ApiApp, now: () => number): void {
  const checks = openRateLimit(limits.pageChecksPerSecond, { atOnce: limits.pageChecksAtOnce });
  const bytes = openRateLimit(limits.pageBytesPerSecond, {
    atOnce: limits.pageBytesAtOnce,
    isWhole: true,
  });
  app.addHook('onRequest', async ({ routeOptions, headers, ip }) => {
    if (routeOptions.config.facts?.bodiesOf !== 'visitors') return;
    const most = routeOptions.bodyLimit;
    // A body of unknown length counts as the longest one; a longer one is refused unread.
    const said = Number(headers['content-length'] ?? most);
    const lengthBytes = said > most ? 0 : said;
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    checks.takeOf(ip, now(), isForm === true ? limits.pageFormCost : 1);
    bytes.takeOf(ip, now(), lengthBytes);
  });
}
