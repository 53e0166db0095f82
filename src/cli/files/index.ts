/** Reading documents and writing results. */
export {
  closeInput,
  type InputFile,
  identityOf,
  inputBytesMax,
  readInput,
  siblingName,
} from './input.ts';
export {
  type NameSync,
  type OutputOptions,
  type OutputPlan,
  planOutput,
  syncFolder,
  writeOutput,
} from './output.ts';
