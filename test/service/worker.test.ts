/** The worker does all kinds of jobs concurrently: none waits for another. */
import { describe, expect, test } from 'vitest';
import { runConcurrently } from '../../src/app/service/index.ts';

describe('concurrent lanes of a worker', () => {
  test('also do work that they create for each other, in both directions', async () => {
    const left = { a: 3, b: 0 };
    const turn = async (own: 'a' | 'b', other: 'a' | 'b', most: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (left[own] === 0) return 0;
      left[own]--;
      if (left.a + left.b < most) left[other]++;
      return 1;
    };
    let made = 0;
    const lane = (own: 'a' | 'b', other: 'a' | 'b') => () => turn(own, other, made++ < 40 ? 9 : 0);
    const done = await runConcurrently([lane('a', 'b'), lane('b', 'a')]);
    expect(left).toEqual({ a: 0, b: 0 });
    expect(done).toBeGreaterThan(3);
  });

  test('end immediately if there is nothing to do', async () => {
    const startedAt = performance.now();
    expect(await runConcurrently([async () => 0, async () => 0, async () => 0])).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(300);
  });

  test('end if one throws, with its error', async () => {
    let turns = 0;
    const endless = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return ++turns;
    };
    const broken = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('the disk is full');
    };
    await expect(runConcurrently([endless, broken])).rejects.toThrow('the disk is full');
    const seen = turns;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(turns).toBe(seen);
  });

  test('end on a signal even if the work is endless', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 30);
    const endless = () => new Promise<number>((resolve) => setTimeout(resolve, 1, 1));
    expect(await runConcurrently([endless, async () => 0], stopping.signal)).toBeGreaterThan(0);
    expect(await runConcurrently([endless], stopping.signal)).toBe(0);
  });
});
