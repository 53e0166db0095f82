import { type ErrorCode, InnsigliError } from '../base/errors.ts';
import { type Count, forgottenAtMs, roomAfterMs, withTime } from '../domain/login-bounds.ts';
import type { StoreUnit } from './ports/index.ts';

/**
 * Counts one event under each of `counts`, whose rows are locked in their order. If any of them is
 * at its limit, nothing is counted and the result is the wait in milliseconds until all permit it;
 * otherwise 0.
 */
export async function countEvent(
  unit: StoreUnit,
  counts: readonly Count[],
  nowMs: number,
): Promise<number> {
  await unit.tallies.removeForgotten(nowMs);
  const known = [];
  for (const count of counts) {
    known.push({ ...count, tally: await unit.tallies.lock(count.subject) });
  }
  const waits = known.map(({ tally, spans }) => roomAfterMs(tally.timesMs, spans, nowMs));
  const waitMs = Math.max(0, ...waits);
  if (waitMs > 0) return waitMs;
  for (const { subject, spans, tally } of known) {
    const timesMs = withTime(tally.timesMs, spans, nowMs);
    await unit.tallies.save(subject, { ...tally, timesMs }, forgottenAtMs(spans, nowMs));
  }
  return 0;
}

/** The error for a client that must wait. */
export function rateLimitError(
  code: ErrorCode,
  message: string,
  waitMs: number,
  hint: string,
): InnsigliError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new InnsigliError(code, message, { details: { retryAfterSeconds }, hint });
}

/** Reverts the count made at `takenAtMs`. */
export async function giveBackTimes(
  unit: StoreUnit,
  counts: readonly Count[],
  takenAtMs: number,
): Promise<void> {
  for (const { subject, spans } of counts) {
    const tally = await unit.tallies.lock(subject);
    const at = tally.timesMs.lastIndexOf(takenAtMs);
    const timesMs = tally.timesMs.filter((_, index) => index !== at);
    await unit.tallies.save(subject, { ...tally, timesMs }, forgottenAtMs(spans, takenAtMs));
  }
}
