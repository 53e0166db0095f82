import type { CompanyLogin } from '../../app/auth/index.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError, onCode } from '../../base/errors.ts';
import type { CommandContext } from '../context.ts';
import type { EidFailure, EidOutcome, EidProgress, EidSession } from './eid-session.types.ts';
import { type DisplayOptions, type EidDisplay, openDisplay } from './talk.ts';

/** Time allowed for cancelling at the provider, in milliseconds. */
const CANCEL_MS = 2000;
const TICK_MS = 1000;

/**
 * Shows a session at the terminal and waits for its end. A signal cancels it, including at the
 * provider if that takes no longer than two seconds.
 *
 * @throws interrupted, and what polls throw
 */
export async function followEid<T>(
  session: EidSession<T>,
  context: CommandContext,
  options: DisplayOptions = {},
): Promise<EidOutcome<T>> {
  const { io } = context;
  const { redirectUrl } = session.started;
  const returns = redirectUrl === undefined ? undefined : await session.receiveReturns();
  const talk = await openDisplay(session, context, options);
  const stopped = io.waitForStop().then(() => undefined);
  let end: EidOutcome<T> | Stopped<T>;
  try {
    end = await untilEnd(session, context, talk, stopped);
  } finally {
    talk.close();
    await returns?.close();
  }
  if (end.state !== 'stopped') return end;
  const patience = new AbortController();
  const within = (ms: number) => io.wait(ms, patience.signal).then(() => undefined);
  const over = within(CANCEL_MS);
  // The result of a poll in progress is reported unchanged: it may be a signature.
  const late = end.asked && (await Promise.race([end.asked, within(CANCEL_MS / 2)]));
  if (late === undefined || late.state === 'waiting') {
    await Promise.race([session.cancel().catch(() => undefined), over]);
    patience.abort();
    throw interrupted(session);
  }
  patience.abort();
  return late;
}

function interrupted({ title }: EidSession<unknown>): InnsigliError {
  return new InnsigliError('interrupted', `cancelled: ${title}`);
}

/** A signal arrived; a poll may be in progress. */
interface Stopped<T> {
  readonly state: 'stopped';
  readonly asked?: Promise<EidProgress<T> | undefined>;
}

/** Returns the outcome, unless a signal arrives first. */
async function untilEnd<T>(
  session: EidSession<T>,
  { io }: CommandContext,
  talk: EidDisplay,
  stopped: Promise<undefined>,
): Promise<EidOutcome<T> | Stopped<T>> {
  const intervalMs = session.started.pollingIntervalSeconds * 1000;
  let nextPollMs = io.now() + intervalMs;
  for (;;) {
    const leftMs = nextPollMs - io.now();
    const waiting = new AbortController();
    const waitMs = talk.ticks ? Math.min(TICK_MS, Math.max(1, leftMs)) : intervalMs;
    const woken = io.wait(waitMs, waiting.signal).then(() => 'woken');
    if ((await Promise.race([stopped.then(() => 'stop'), woken])) === 'stop') {
      waiting.abort();
      return { state: 'stopped' };
    }
    if (talk.ticks && io.now() < nextPollMs) {
      await talk.show(defined({ link: await session.refresh() }));
      continue;
    }
    const asked = pollOnce(session);
    const answer = await Promise.race([stopped, asked]);
    if (answer === undefined) {
      return { state: 'stopped', asked: asked.catch(() => undefined) };
    }
    if (answer.state !== 'waiting') return answer;
    await talk.show(answer);
    nextPollMs = io.now() + intervalMs;
  }
}

/** A poll that is too early is not a failure of the session. */
async function pollOnce<T>(session: EidSession<T>): Promise<EidProgress<T>> {
  const early = onCode('authentication.poll.too_frequent', () => ({ state: 'waiting' }) as const);
  return session.poll().catch(early);
}

/** Returns the session of `start`, or why the provider refused. Other errors are rethrown. */
export async function startedOrRefused<T extends object = CompanyLogin>(
  start: () => Promise<T>,
): Promise<T | EidFailure> {
  const refused = onCode(/^(authentication\.error\.idp\.start|eid\.provider\.error)$/, (error) => {
    const { reason, providerCode } = error.details as Readonly<Record<string, unknown>>;
    if (typeof reason !== 'string') throw error;
    const told = typeof providerCode === 'string' ? { providerCode } : {};
    return { state: 'failed', hint: reason, ...told } as const;
  });
  return start().catch(refused);
}

/** True if the start was refused. */
export function isRefused(started: object): started is EidFailure {
  return 'state' in started && started.state === 'failed';
}
