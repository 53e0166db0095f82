import type { InnsigliError } from '../../base/errors.ts';
import { triesOfAll, triesOfClient, withTry } from '../../domain/auth/index.ts';
import { forgottenAtMs } from '../../domain/login-bounds.ts';
import { countEvent, giveBackTimes, rateLimitError } from '../counted-times.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { AuthPorts } from './ports.ts';

/** Result of looking up a number. */
export type NamedNumber<T> = { readonly right: T } | { readonly wrong: InnsigliError };

/** Place at which a client submits a number, and the address of the client. */
export interface NumberPlace {
  /** Key of the process or sequence. */
  readonly key: string;
  /** Address of the client. Undefined: this machine. */
  readonly ip?: string | undefined;
}

/**
 * Finds the owner of a number. Wrong numbers are counted like wrong passcodes, and after too many
 * the lookup is refused: otherwise the holder of a link could find out the numbers of others.
 *
 * @param lock locks the process or sequence
 * @param look is not called for a client over the limit: reading a large sequence is slow
 * @throws authentication.start.too_frequent, and the error that `look` returns as `wrong`
 */
export async function findByNumber<T>(
  { store, now }: Pick<AuthPorts, 'store' | 'now'>,
  { key, ip }: NumberPlace,
  lock: (unit: StoreUnit) => Promise<unknown>,
  look: (unit: StoreUnit) => Promise<NamedNumber<T>>,
): Promise<T> {
  const nowMs = now();
  const found = await store.write(async (unit) => {
    await lock(unit);
    const what = `number at ${key}`;
    const { subject, spans } = triesOfAll(what);
    const all = await unit.tallies.lock(subject);
    const client = triesOfClient(what, ip, all, nowMs);
    const waitMs = await countEvent(unit, client, nowMs);
    if (waitMs > 0) {
      const hint = 'wait, or log in by the link of the signee';
      const message = 'too many unknown numbers';
      throw rateLimitError('authentication.start.too_frequent', message, waitMs, hint);
    }
    const answer = await look(unit);
    if ('right' in answer) await giveBackTimes(unit, client, nowMs);
    else await unit.tallies.save(subject, withTry(all, nowMs), forgottenAtMs(spans, nowMs));
    return answer;
  });
  if ('wrong' in found) throw found.wrong;
  return found.right;
}
