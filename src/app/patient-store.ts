import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, isInnsigliError } from '../base/errors.ts';
import type { Store, StoreUnit } from './ports/index.ts';

/** True for a commit without a response: its changes may be stored or not. */
export function isOutcomeUnknown(error: unknown): boolean {
  return isInnsigliError(error) && error.details['outcome'] === 'unknown';
}

/** True for a store that may take the same change soon: it is away, busy or a standby. */
export function isStoreAway(error: unknown): boolean {
  return /^store\.(unavailable|busy|readonly)$/.test(codeOf(error));
}

/** True for the code of a fault of the store that ends without a change of the program. */
export function isOutage(code: string): boolean {
  return /^store\.(unavailable|busy|readonly|full)$/.test(code);
}

/**
 * Wait of a job for room on the disk, in milliseconds: a small change is taken at times, and the
 * result of what was sent is not.
 */
export const FULL_WAIT_MS = 600_000;
/** Longest wait for a store that is away, for a result that was dear to make. */
const PATIENCE_MS = 60_000;
const AGAIN_FIRST_MS = 100;
const AGAIN_LAST_MS = 1000;

/**
 * Waits between attempts: 100 ms, 200 ms, … a second.
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
 * Writes the result of a job: a store that is away is waited for, because to do the job again would
 * send its mail, or make its seal, a second time.
 *
 * @param work throws `process.conflict` when the job is no longer held
 * @returns the result of `work`; undefined when an earlier attempt, whose commit got no response,
 * was written after all
 * @throws store.* when the store stays away
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

/**
 * True for the code of a fault of what a program stands on: store, contents, key or trust. No job
 * could help it, so that it is no attempt of any.
 */
export function isHostFault(code: string): boolean {
  return (
    /^(store|vault\.key)\./.test(code) || code === 'contents.unshared' || code === 'trust.mismatch'
  );
}
