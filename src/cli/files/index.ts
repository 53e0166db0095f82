/** Reading documents and writing results. */
export { type AsicKind, containerKind } from './container-kind.ts';
export { type DetachedFile, parseDetached, readDetached } from './detached.ts';
export { endingOf, isContainerName, isDocumentName, isPdfName } from './endings.ts';
export { looksLikeCms, looksLikePdf, looksLikeXml, looksLikeZip } from './first-bytes.ts';
export {
  archivedName,
  closeInput,
  type InputFile,
  identityOf,
  readInput,
  siblingName,
} from './input.ts';
export { writeNewFile } from './new-file.ts';
export { type OutputOptions, type OutputPlan, planOutput } from './output.ts';
export { statPath } from './stat-path.ts';
export {
  type NameSync,
  type ResultBytes,
  shortName,
  syncFolder,
  writeOutput,
  writePart,
} from './write-output.ts';
