/** Similarity and length of words, and phone numbers as people write them. */
export { dialledPhone, normalPhone } from './phone.ts';
export { shortened } from './shortened.ts';
export { findSimilar, meantHint } from './similar-word.ts';
