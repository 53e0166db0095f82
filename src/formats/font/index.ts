/** Fonts with TrueType outlines: measured, and cut down for embedding. */
export { type FontSubset, subsetTrueType } from './subset.ts';
export { parseTrueType, type TrueTypeFont } from './truetype.ts';
