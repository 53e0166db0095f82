/** Reading documents and writing results. */
export {
  closeInput,
  type InputFile,
  identityOf,
  inputBytesMax,
  readInput,
  siblingName,
} from './input.ts';
export { type OutputOptions, type OutputPlan, planOutput, writeOutput } from './output.ts';
