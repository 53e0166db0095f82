import { describe, expect, test } from 'vitest';
import { openTimeSlices } from '../../../src/api/plugins/connections/time-slices.ts';

/** Slices of 8 ms on an event loop that the test turns by hand; each work takes `tookMs`. */
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
  test('work begins at once until the turn has taken its time', () => {
    const { ask, done, nextTurn } = openLoop();
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name, 5);
    expect(done).toEqual(['a1', 'a2']);
    nextTurn();
    expect(done).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  test('no turn takes longer than a slice and one piece of work', () => {
    const { ask, done, nextTurn } = openLoop();
    for (let at = 0; at < 100; at += 1) ask('a', `${at}`, 3);
    const sizes = [done.length];
    while (nextTurn() > 0) sizes.push(done.length - sizes.reduce((sum, each) => sum + each, 0));
    expect(Math.max(...sizes)).toBe(3);
    expect(done).toEqual(Array.from({ length: 100 }, (_, at) => `${at}`));
  });

  test('who asks for little waits for one piece of each other client, not for all', () => {
    const { ask, done, nextTurn } = openLoop();
    for (let at = 0; at < 50; at += 1) ask('much', `much ${at}`, 4);
    ask('little', 'little', 4);
    nextTurn();
    expect(done.indexOf('little')).toBe(4);
    while (nextTurn() > 0);
    expect(done).toHaveLength(51);
  });

  test('nobody overtakes who waits', () => {
    const { ask, done, nextTurn } = openLoop();
    ask('a', 'a1', 20);
    ask('b', 'b1', 1);
    ask('c', 'c1', 1);
    expect(done).toEqual(['a1']);
    nextTurn();
    expect(done).toEqual(['a1', 'b1', 'c1']);
  });

  test('an idle loop is not kept busy', () => {
    const { ask, nextTurn } = openLoop();
    ask('a', 'a1', 1);
    expect(nextTurn()).toBe(1);
    expect(nextTurn()).toBe(0);
    ask('a', 'a2', 1);
    expect(nextTurn()).toBe(1);
  });

  test('connections that come hold work back until none has come for a turn', () => {
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

  test('connections without end hold work back for so long and no longer', () => {
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

  test('after connections have ceased, an idle loop is not kept busy', () => {
    const { nextTurn, slices } = openLoop();
    slices.arrived();
    expect([nextTurn(), nextTurn(), nextTurn()]).toEqual([1, 1, 0]);
  });

  test('a turn is promised to who has to wait, and to nobody else', async () => {
    const { ask, slices, nextTurn } = openLoop();
    expect(slices.turn('a')).toBeUndefined();
    ask('a', 'long', 9);
    const turn = slices.turn('a');
    expect(turn).toBeInstanceOf(Promise);
    nextTurn();
    await turn;
  });
});

test('of hundreds of bodies that come at once, a turn of the real loop takes a part', async () => {
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
    // As sockets do: one after the other in one turn.
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
  // 200 ms of work; a slice of 8 ms, and what the promises of one piece bring with them.
  expect(most).toBeLessThanOrEqual(16);
});
