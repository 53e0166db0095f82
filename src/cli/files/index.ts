/** Reading documents and writing results. */
export { endingOf, isContainerName, isDocumentName } from './endings.ts';
export {
  closeInput,
  type InputFile,
  identityOf,
  inputBytesMax,
  readDetached,
  readInput,
  siblingName,
} from './input.ts';
export {
  type NameSync,
  type OutputOptions,
  type OutputPlan,
  planOutput,
  type ResultBytes,
  syncFolder,
  writeOutput,
} from './output.ts';
