import { describe, expect, test } from 'vitest';
import { openTimeSlices } from '../../../src/api/plugins/connections/time-slices.ts';

/** Slices of 8 ms on an event loop that the test advances; each piece of work takes `tookMs`. */
function openLoop() {
  let nowMs = 0;
  let turns: (() => void)[] = [];
  const after: (() => void)[] = [];
  const settle = () => {
    for (let next = after.shift(); next !== undefined; next = after.shift()) next();
  };
  const slices = openTimeSlices(
    { sliceMs: 8, arrivalsMs: 50 },
    {
      now: () => nowMs,
      nextTurn: (work) => void turns.push(work),
      afterwards: (work) => void after.push(work),
    },
  );
  const done: string[] = [];
  return {
    done,
    slices,
    ask(client: string, name: string, tookMs: number) {
      slices.run(client, () => {
        done.push(name);
        nowMs += tookMs;
      });
    },
    passes(ms: number) {
      nowMs += ms;
    },
    nextTurn() {
      const now = turns;
      turns = [];
      for (const work of now) {
        work();
        settle();
      }
      return now.length;
    },
  };
}

describe('time slices', () => {
  test('run work immediately until the turn has used its time', () => {
    const { ask, done, nextTurn } = openLoop();
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name, 5);
    expect(done).toEqual(['a1', 'a2']);
    nextTurn();
    expect(done).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('limit a turn to one slice plus one piece of work', () => {
    const { ask, done, nextTurn } = openLoop();
    for (let at = 0; at < 100; at += 1) ask('a', `${at}`, 3);
    const sizes = [done.length];
    while (nextTurn() > 0) sizes.push(done.length - sizes.reduce((sum, each) => sum + each, 0));
    expect(Math.max(...sizes)).toBe(3);
    expect(done).toEqual(Array.from({ length: 100 }, (_, at) => `${at}`));
  });

  test('let a small client wait for one piece of each other client only', () => {
    const { ask, done, nextTurn } = openLoop();
    for (let at = 0; at < 50; at += 1) ask('much', `much ${at}`, 4);
    ask('little', 'little', 4);
    nextTurn();
    expect(done.indexOf('little')).toBe(4);
    while (nextTurn() > 0);
    expect(done).toHaveLength(51);
  });

  test('are served in order', () => {
    const { ask, done, nextTurn } = openLoop();
    ask('a', 'a1', 20);
    ask('b', 'b1', 1);
    ask('c', 'c1', 1);
    expect(done).toEqual(['a1']);
    nextTurn();
    expect(done).toEqual(['a1', 'b1', 'c1']);
  });

  test('schedule no turn when idle', () => {
    const { ask, nextTurn } = openLoop();
    ask('a', 'a1', 1);
    expect(nextTurn()).toBe(1);
    expect(nextTurn()).toBe(0);
    ask('a', 'a2', 1);
    expect(nextTurn()).toBe(1);
  });

  test('defer work until a turn without new connections', () => {
    const { ask, done, nextTurn, slices } = openLoop();
    for (const name of ['a1', 'a2', 'a3']) {
      slices.arrived();
      ask('a', name, 1);
      nextTurn();
    }
    expect(done).toEqual([]);
    nextTurn();
    nextTurn();
    expect(done).toEqual(['a1', 'a2', 'a3']);
  });

  test('defer work for endless connections only up to a limit', () => {
    const { ask, done, nextTurn, passes, slices } = openLoop();
    ask('a', 'a1', 9);
    ask('a', 'a2', 9);
    const doneAt: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      slices.arrived();
      nextTurn();
      passes(10);
      doneAt.push(done.length);
    }
    expect(doneAt).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  });

  test('schedule no turn when idle after connections have stopped', () => {
    const { nextTurn, slices } = openLoop();
    slices.arrived();
    expect([nextTurn(), nextTurn(), nextTurn()]).toEqual([1, 1, 0]);
  });

  test('return a promise only if the caller has to wait', async () => {
    const { ask, slices, nextTurn } = openLoop();
    expect(slices.turn('a')).toBeUndefined();
    ask('a', 'long', 9);
    const turn = slices.turn('a');
    expect(turn).toBeInstanceOf(Promise);
    nextTurn();
    await turn;
  });
});

test('spread hundreds of concurrent bodies over several turns of the real loop', async () => {
  const slices = openTimeSlices({ sliceMs: 8, arrivalsMs: 50 });
  const turnsOf: number[] = [];
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const bodies = Array.from({ length: 50 }, async () => {
    // As sockets do: one after another in one turn.
    await new Promise((begin) => setImmediate(begin));
    for (let piece = 0; piece < 4; piece += 1) {
      await slices.turn('a');
      const end = performance.now() + 1;
      while (performance.now() < end);
      turnsOf.push(turn);
    }
  });
  await Promise.all(bodies);
  isOver = true;
  const most = Math.max(...turnsOf.map((at) => turnsOf.filter((each) => each === at).length));
  // 200 ms of work: a slice of 8 ms, plus the continuations of one piece.
  expect(most).toBeLessThanOrEqual(16);
});
