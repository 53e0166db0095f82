/** Numbers from 0 to below 1, the same for the same seed. */
export function numbers(seed: number): () => number;
/** `count` names of a list with one to three mistakes each. */
export function misspeltNames(names: readonly string[], count: number, seed?: number): string[];
