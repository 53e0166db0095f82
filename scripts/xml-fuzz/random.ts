/** Random choices, reproducible by a seed. */
export interface Random {
  /** Returns an integer from 0 up to, but excluding, `below`. */
  below(below: number): number;
  /** Returns true once in `often` times, on average. */
  oneIn(often: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** Returns the choices of a seed (mulberry32: small, fast, good enough to pick test documents). */
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
