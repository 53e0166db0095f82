import type { EidPollTask } from './kill-acts.ts';
import type { Nursery, Victim } from './kill-children.ts';

/** A poll of a program that has died keeps others away for 15 seconds. */
const PAST_FLIGHT_MS = 16_000;
/** All moments are tried: `KILL_POINTS=all`. */
const isThorough = process.env['KILL_POINTS'] === 'all';

/** Where sessions are begun, and the programs that die while they ask how one stands. */
export interface KillPlace {
  readonly nursery: Nursery;
  /** Clock of the place against the real one. */
  offsetMs(): number;
  pass(ms: number): void;
  /** A session whose person has agreed. */
  approved(): Promise<EidPollTask>;
  /** What is true of a session whose program was killed, or not. */
  check(poll: EidPollTask, moment: string): Promise<void>;
}

/**
 * Polls an approved session in a program that lives on, and then in programs that die at moments
 * of the poll; gives the moments. Of the same ones in a row the last is tried.
 *
 * @throws when a program ends otherwise than by its kill
 */
export async function killEverywhere(place: KillPlace): Promise<readonly string[]> {
  const pollIn = async (victim: Victim, killAt: number | undefined) => {
    const poll = await place.approved();
    const killed = killAt === undefined ? {} : { killAt };
    const offsetMs = place.offsetMs();
    const outcome = await victim.run({ act: 'all', processKey: '', offsetMs, poll, ...killed });
    victim.kill();
    place.pass(PAST_FLIGHT_MS);
    await place.check(poll, `moment ${killAt}`);
    return outcome;
  };
  const whole = await pollIn(await place.nursery.take(), undefined);
  if (whole?.error !== undefined) throw new Error(`the poll ended with ${whole.error}`);
  const points = whole?.points ?? [];
  for (const [index, name] of points.entries()) {
    if (!isThorough && name === points[index + 1]) continue;
    const outcome = await pollIn(await place.nursery.take(), index + 1);
    if (outcome !== undefined) throw new Error(`nothing was killed at ${name}`);
  }
  return points;
}
