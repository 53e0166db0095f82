/** Random choices that a seed repeats exactly. */
export interface Random {
  /** A whole number from 0 up to `below`, which is left out. */
  below(below: number): number;
  /** True once in `often` times. */
  oneIn(often: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** The choices of a seed (mulberry32: small, fast, good enough to pick test documents). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * limit);
  };
  return {
    below,
    oneIn: (often) => below(often) === 0,
    pick: (choices) => choices[below(choices.length)]!,
  };
}
