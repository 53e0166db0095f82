import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { LiveSet, type Placed } from '../../../src/base/live/live-set.ts';

setFlagsFromString('--expose-gc');
const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc');

interface Held extends Placed {
  /** About 5000 bytes. */
  readonly values: readonly number[];
}

interface Members {
  add(member: Held): unknown;
  delete(member: Held): boolean;
}

const ROUNDS = 31;
const TURNS = 100;

/** Bytes of old objects left by each member, with eight members in the set at a time. */
function keptBytes(set: Members): number {
  const held: Held[] = [];
  const turn = (number: number) => {
    const member = { place: 0, values: new Array<number>(600).fill(number) };
    set.add(member);
    held.push(member);
    if (held.length > 8) set.delete(held.shift() as Held);
  };
  for (let number = 0; number < 20; number++) turn(number);
  collect();
  const grown = Array.from({ length: ROUNDS }, () => {
    const before = oldBytes();
    for (let number = 0; number < TURNS; number++) turn(number);
    collect({ type: 'minor' });
    return (oldBytes() - before) / TURNS;
  });
  // A full garbage collection may happen in some of them.
  return grown.sort((a, b) => a - b)[(ROUNDS - 1) / 2] as number;
}

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ??
  0;

test('deleted members are collected early, unlike those of a Set', () => {
  const kept = keptBytes(new LiveSet<Held>());
  // The control: if V8 changed, the class would not be needed.
  expect(keptBytes(new Set<Held>())).toBeGreaterThan(2000);
  expect(kept).toBeLessThan(500);
});
