import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/context.ts';
import { type EidProgress, type EidSession, followEid } from '../../../src/cli/eid/index.ts';

/** A context in which waiting takes a moment, and a function that sends the signal. */
function place() {
  let nowMs = 1_000_000;
  let stop: () => void = () => undefined;
  const stopped = new Promise<'SIGINT'>((resolve) => {
    stop = () => resolve('SIGINT');
  });
  const io = {
    ...{ env: {}, now: () => nowMs, waitForStop: () => stopped },
    stderr: { isTerminal: false, write: () => undefined },
    wait: (ms: number) => {
      nowMs += ms;
      return new Promise<void>((resolve) => setTimeout(resolve, ms / 20));
    },
  };
  const globals = { json: true, quiet: false, color: false };
  const context = { io, globals, console: { note: () => undefined } };
  return { context: context as unknown as CommandContext, stop };
}

/** A session whose polls call `poll`; `told` counts cancellations. */
function session(poll: () => Promise<EidProgress<string>>) {
  const told = { cancellations: 0 };
  const started = { verificationCode: '', pollingIntervalSeconds: 2 };
  const followed: EidSession<string> = {
    ...{ title: 'Sign: app', isSimulated: true, started, expiresAtMs: 1_180_000, poll },
    refresh: async () => undefined,
    receiveReturns: async () => undefined,
    cancel: async () => {
      told.cancellations += 1;
    },
  };
  return { followed, told };
}

const later = <T>(ms: number, value: T) =>
  new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));

describe('a signal during a poll', () => {
  test.each([
    ['done', { state: 'done', value: 'signed' }],
    ['failed', { state: 'failed', hint: 'userCancel' }],
  ] as const)('does not hide the outcome of the poll: %s', async (_, answer) => {
    const { context, stop } = place();
    const { followed, told } = session(() => {
      stop();
      return later<EidProgress<string>>(10, answer);
    });
    expect(await followEid(followed, context)).toEqual(answer);
    expect(told.cancellations).toBe(0);
  });

  test.each([
    ['is still pending', () => later<EidProgress<string>>(10, { state: 'waiting' })],
    ['fails', () => Promise.reject(new Error('away'))],
    ['never ends', () => new Promise<never>(() => undefined)],
  ])('cancels the session when the poll %s', async (_, poll) => {
    const { context, stop } = place();
    const { followed, told } = session(() => {
      stop();
      return poll();
    });
    await expect(followEid(followed, context)).rejects.toMatchObject({ code: 'interrupted' });
    expect(told.cancellations).toBe(1);
  });
});

test('an error of a poll without a signal is thrown', async () => {
  const { context } = place();
  const { followed } = session(() => Promise.reject(new Error('away')));
  await expect(followEid(followed, context)).rejects.toThrow('away');
});
