import { expect, test } from 'vitest';
import { pooledRandom } from '../../../src/wire/pooled-random.ts';

/** Counts up, so that two adjacent bytes give their position. */
function counting() {
  let next = 0;
  const draws: number[] = [];
  const draw = (count: number) => {
    draws.push(count);
    const bytes = new Uint8Array(2 * Math.ceil(count / 2));
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < bytes.length; at += 2) view.setUint16(at, next++);
    return bytes.subarray(0, count);
  };
  return { draws, draw };
}

test('no byte is returned twice, even across pools', () => {
  const { draws, draw } = counting();
  const random = pooledRandom(draw);
  const seen = new Set<number>();
  for (let call = 0; call < 1000; call++) {
    const given = random(16);
    expect(given).toHaveLength(16);
    const view = new DataView(given.buffer, given.byteOffset);
    for (let at = 0; at < 16; at += 2) seen.add(view.getUint16(at));
  }
  expect(seen.size).toBe(8000);
  expect(draws).toEqual(Array.from({ length: 4 }, () => 4096));
});

test.each([0, 1, 255, 256, 257, 5000])('requests of %i bytes return as many', (count) => {
  const { draws, draw } = counting();
  const random = pooledRandom(draw);
  random(count);
  expect(random(count)).toHaveLength(count);
  expect(draws).toEqual(count > 256 ? [count, count] : count === 0 ? [] : [4096]);
});

test.each([
  ['bytes', (count: number) => new Uint8Array(count)],
  // Its slices are views of the same bytes.
  ['a Buffer', (count: number) => Buffer.alloc(count)],
])('returned %s are erased from the pool and belong to the caller', (_, make) => {
  let pool: Uint8Array = new Uint8Array();
  const random = pooledRandom((count) => {
    pool = make(count).fill(7);
    return pool;
  });
  const first = random(32);
  expect([...first]).toEqual(Array.from({ length: 32 }, () => 7));
  expect([...pool.subarray(0, 32)]).toEqual(Array.from({ length: 32 }, () => 0));
  first.fill(1);
  expect([...random(32)]).toEqual(Array.from({ length: 32 }, () => 7));
});
