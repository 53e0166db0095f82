import type { EidPollTask } from './kill-acts.ts';
import type { Nursery } from './kill-children.ts';

/** The poll of a program that has died blocks others for 15 seconds. */
const PAST_FLIGHT_MS = 16_000;
/** Concurrent writes share a commit: a poll can have fewer kill points than the previous one. */
const TRIES = 3;
/** Whether all kill points are tried: `KILL_POINTS=all`. */
const isThorough = process.env['KILL_POINTS'] === 'all';

/** Starts sessions, and the programs that die while they poll them. */
export interface KillPlace {
  readonly nursery: Nursery;
  /** Offset of the site's clock from real time. */
  offsetMs(): number;
  pass(ms: number): void;
  /** A session that the person has approved. */
  approved(): Promise<EidPollTask>;
  /** Asserts the state of a session whose program was killed or not. */
  check(poll: EidPollTask, moment: string): Promise<void>;
}

/**
 * Polls an approved session in a program that survives, and then in programs that die at kill
 * points of the poll; returns the kill points. Of consecutive equal ones only the last is tried.
 *
 * @throws when a program ends otherwise than by its kill, except for one shared commit
 */
export async function killEverywhere(place: KillPlace): Promise<readonly string[]> {
  const pollIn = async (killAt: number | undefined, moment: string) => {
    const victim = await place.nursery.take();
    const poll = await place.approved();
    const killed = killAt === undefined ? {} : { killAt };
    const offsetMs = place.offsetMs();
    const outcome = await victim.run({ act: 'all', processKey: '', offsetMs, poll, ...killed });
    victim.kill();
    place.pass(PAST_FLIGHT_MS);
    await place.check(poll, moment);
    return outcome;
  };
  const killAt = async (number: number, name: string) => {
    for (let tries = 1; tries <= TRIES; tries++) {
      const again = tries === 1 ? '' : `, again ${tries}`;
      const outcome = await pollIn(number, `moment ${number}${again}`);
      if (outcome === undefined) return true;
      const isShorter = outcome.error === undefined && (outcome.points ?? []).length < number;
      if (!isShorter) throw new Error(`nothing was killed at ${name}: ${outcome.error}`);
    }
    return false;
  };
  const whole = await pollIn(undefined, 'moment undefined');
  if (whole?.error !== undefined) throw new Error(`the poll ended with ${whole.error}`);
  const points = whole?.points ?? [];
  const missed: string[] = [];
  for (const [index, name] of points.entries()) {
    if (!isThorough && name === points[index + 1]) continue;
    if (!(await killAt(index + 1, name))) missed.push(`${index + 1} ${name}`);
  }
  if (missed.length > 1) throw new Error(`no poll had the moments ${missed.join(', ')}`);
  return points;
}
