import { InnsigliError } from '../../../base/errors.ts';

/** Counts failures by key over a window of time, in bounded memory. */
interface Throttle {
  /**
   * Rejects if `key`, which may fail `share` times as often as other keys, has failed too often.
   *
   * @throws request.throttled
   */
  require(key: string, nowMs: number, share?: number): void;
  fail(key: string, nowMs: number): void;
}

const KEYS_MAX = 20_000;

/**
 * Creates a throttle that rejects after `failuresMax` failures within `windowMs`. When there are
 * too many keys, the oldest are dropped, so memory is always bounded.
 */
export function openThrottle(failuresMax: number, windowMs: number): Throttle {
  const windows = new Map<string, { sinceMs: number; count: number }>();
  const live = (key: string, nowMs: number) => {
    const found = windows.get(key);
    const ageMs = nowMs - (found?.sinceMs ?? 0);
    // A clock set back would prolong the window by the same time.
    if (found === undefined || (ageMs >= 0 && ageMs < windowMs)) return found;
    windows.delete(key);
    return undefined;
  };
  return {
    require(key, nowMs, share = 1) {
      const found = live(key, nowMs);
      if (found === undefined || found.count < failuresMax * share) return;
      const retryAfterSeconds = Math.ceil((found.sinceMs + windowMs - nowMs) / 1000);
      throw new InnsigliError('request.throttled', 'too many failed attempts; wait', {
        details: { retryAfterSeconds },
      });
    },
    fail(key, nowMs) {
      const found = live(key, nowMs);
      if (found !== undefined) {
        found.count += 1;
        return;
      }
      if (windows.size >= KEYS_MAX) windows.delete(windows.keys().next().value as string);
      windows.set(key, { sinceMs: nowMs, count: 1 });
    },
  };
}
