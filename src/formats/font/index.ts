/** Fonts with TrueType outlines: measuring, and subsetting for embedding. */
export { type FontSubset, subsetTrueType } from './subset.ts';
export { parseTrueType, type TrueTypeFont } from './truetype.ts';
