import { InnsigliError } from '../../../base/errors.ts';

/** A rate limit by key, in bounded memory. */
export interface RateLimit {
  /**
   * Takes one request of `key`, which may make `share` times as many as others; one that costs as
   * much as several counts as `cost` of them, at most as those of a second.
   *
   * @throws request.rate.exceeded
   */
  take(key: string, nowMs: number, share?: number, cost?: number): void;
}

/** Requests that may come at once, in seconds of the rate. */
const BURST_SECONDS = 10;
const KEYS_MAX = 20_000;

/**
 * Token buckets that fill with `perSecond` and hold ten seconds of it; 0 lets everything pass. The
 * key that was quiet for longest is forgotten when there are too many.
 */
export function openRateLimit(perSecond: number, keysMax = KEYS_MAX): RateLimit {
  if (perSecond <= 0) return { take: () => undefined };
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(key, nowMs, share = 1, cost = 1) {
      const rate = perSecond * share;
      const wanted = Math.min(cost, Math.max(1, rate));
      const full = rate * BURST_SECONDS;
      const found = buckets.get(key) ?? { tokens: full, atMs: nowMs };
      const passedMs = Math.max(0, nowMs - found.atMs);
      const tokens = Math.min(full, found.tokens + (passedMs * rate) / 1000);
      // Last in the order of the map: the first one is the quietest.
      buckets.delete(key);
      if (buckets.size >= keysMax) buckets.delete(buckets.keys().next().value as string);
      const isEnough = tokens >= wanted;
      buckets.set(key, { tokens: isEnough ? tokens - wanted : tokens, atMs: nowMs });
      if (isEnough) return;
      const retryAfterSeconds = Math.ceil((wanted - tokens) / rate);
      throw new InnsigliError('request.rate.exceeded', `expected at most ${rate} a second`, {
        details: { retryAfterSeconds },
      });
    },
  };
}
