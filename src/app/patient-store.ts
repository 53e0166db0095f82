import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isInnsigliError } from '../base/errors.ts';
import type { Store, StoreUnit } from './ports/index.ts';

/** True for a commit without a response: its changes may or may not be stored. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isInnsigliError(error) && error.details['outcome'] === 'unknown';
}

/** True if the store may accept the same change soon: it is unavailable, busy or a standby. */
export function isStoreAway(error: unknown): boolean {
  return /^store\.(unavailable|busy|readonly)$/.test(codeOf(error));
}

/** True for a store fault that can end without a change to the program. */
export function isOutage(code: string): boolean {
  return /^store\.(unavailable|busy|readonly|full)$/.test(code);
}

/**
 * Wait of a job for free disk space, in milliseconds: a full disk may accept the small change of a
 * claim but not the result of work already sent.
 */
export const FULL_WAIT_MS = 600_000;
/** Longest wait for an unavailable store with a result that was expensive to produce. */
const PATIENCE_MS = 60_000;
const AGAIN_FIRST_MS = 100;
const AGAIN_LAST_MS = 1000;

/**
 * Yields the delays between attempts: 100 ms, 200 ms, … one second.
 *
 * @param ref false: a program that ends does not wait for them
 */
export async function* pauses(ref = true): AsyncGenerator<number> {
  for (let waitMs = AGAIN_FIRST_MS; ; waitMs = Math.min(2 * waitMs, AGAIN_LAST_MS)) {
    yield waitMs;
    await sleep(waitMs, undefined, { ref });
  }
}

/**
 * Writes the result of a job. It waits for an unavailable store, because repeating the job would
 * send its mail, or create its seal, a second time.
 *
 * @param work throws `process.conflict` if the job is no longer held
 * @returns the result of `work`; undefined if an earlier attempt, whose commit got no response, was
 * written after all
 * @throws store.* if the store remains unavailable
 */
export async function writeResult<T>(
  store: Pick<Store, 'write'>,
  work: (unit: StoreUnit) => Promise<T>,
): Promise<T | undefined> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  let mayBeWritten = false;
  for await (const _ of pauses()) {
    try {
      return await store.write(work);
    } catch (error) {
      if (mayBeWritten && codeOf(error) === 'process.conflict') return undefined;
      if (!isStoreAway(error) || performance.now() > giveUpAt) throw error;
      mayBeWritten ||= isOutcomeUnknown(error);
    }
  }
  return undefined;
}

/** True for a host fault (store, contents, key, trust): no job can succeed, no attempt counts. */
export function isHostFault(code: string): boolean {
  return (
    /^(store|vault\.key)\./.test(code) || code === 'contents.unshared' || code === 'trust.mismatch'
  );
}
