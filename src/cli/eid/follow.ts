import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import type { CommandContext } from '../context.ts';
import type { EidOutcome, EidProgress, EidSession } from './eid-session.types.ts';
import { type EidTalk, openTalk, type TalkOptions } from './talk.ts';

/** Time that a provider has to hear of a cancellation. */
const CANCEL_MS = 2000;
const TICK_MS = 1000;

/**
 * Shows a session at the terminal and waits for its end. A signal cancels it, at the provider too
 * when that takes no longer than two seconds.
 *
 * @throws interrupted, and what polls throw
 */
export async function followEid<T>(
  session: EidSession<T>,
  context: CommandContext,
  options: TalkOptions = {},
): Promise<EidOutcome<T>> {
  const { io } = context;
  const talk = await openTalk(session, context, options);
  let isStopped = false;
  const stopped = io.waitForStop().then(() => {
    isStopped = true;
  });
  try {
    const outcome = await untilEnd(session, context, talk, stopped);
    if (!isStopped && outcome !== undefined) return outcome;
  } finally {
    talk.close();
  }
  const canceling = session.cancel().catch(() => undefined);
  await Promise.race([canceling, io.wait(CANCEL_MS)]);
  throw new InnsigliError('interrupted', `cancelled: ${session.title}`);
}

/** The outcome; undefined when a signal came before. */
async function untilEnd<T>(
  session: EidSession<T>,
  { io }: CommandContext,
  talk: EidTalk,
  stopped: Promise<void>,
): Promise<EidOutcome<T> | undefined> {
  const intervalMs = session.started.pollingIntervalSeconds * 1000;
  let nextPollMs = io.now() + intervalMs;
  for (;;) {
    const leftMs = nextPollMs - io.now();
    const woken = io.wait(talk.ticks ? Math.min(TICK_MS, Math.max(1, leftMs)) : intervalMs);
    if ((await Promise.race([stopped.then(() => 'stop'), woken])) === 'stop') return undefined;
    if (talk.ticks && io.now() < nextPollMs) {
      await talk.show(defined({ link: await session.refresh() }));
      continue;
    }
    const asked = pollOnce(session);
    const answer = await Promise.race([stopped.then(() => undefined), asked]);
    if (answer === undefined) {
      // Whatever becomes of a poll that nobody waits for.
      asked.catch(() => undefined);
      return undefined;
    }
    if (answer.state !== 'waiting') return answer;
    await talk.show(answer);
    nextPollMs = io.now() + intervalMs;
  }
}

/** A poll that came too early is no failure of the session. */
async function pollOnce<T>(session: EidSession<T>): Promise<EidProgress<T>> {
  try {
    return await session.poll();
  } catch (error) {
    const isEarly = isInnsigliError(error) && error.code === 'authentication.poll.too_frequent';
    if (!isEarly) throw error;
    return { state: 'waiting' };
  }
}
