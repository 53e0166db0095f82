/** Returns a generator of numbers from 0 up to, but excluding, 1; the same for the same seed. */
export function numbers(seed: number): () => number;
/** Returns `count` names of a list with one to three mistakes each. */
export function misspeltNames(names: readonly string[], count: number, seed?: number): string[];
