/** Comparison of words. */
export { findSimilar } from './similar-word.ts';
