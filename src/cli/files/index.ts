/** Reading documents and writing results. */
export { type DetachedFile, parseDetached, readDetached } from './detached.ts';
export { endingOf, isContainerName, isDocumentName, isPdfName } from './endings.ts';
export {
  type AsicKind,
  containerKind,
  looksLikeCms,
  looksLikePdf,
  looksLikeXml,
  looksLikeZip,
} from './first-bytes.ts';
export {
  archivedName,
  closeInput,
  type InputFile,
  identityOf,
  piecesOf,
  readInput,
  siblingName,
  statPath,
} from './input.ts';
export { writeNewFile } from './new-file.ts';
export { type OutputOptions, type OutputPlan, planOutput, unwritable } from './output.ts';
export {
  type NameSync,
  type ResultBytes,
  removeQuietly,
  shortName,
  syncFolder,
  writeOutput,
  writePart,
} from './write-output.ts';
