/** Declarations of commands: flags with their readers, help, work and output. */
export { command, type Declared, offeredWords } from './command.ts';
export type { Given } from './command.types.ts';
export { findCommandDoc } from './command-doc.ts';
export { confirm } from './confirm.ts';
export {
  bytesOfFile,
  jsonTextOfFile,
  readInputText,
  readJsonInput,
  readJsonText,
  readOptionFile,
  readOptionInput,
  readTableText,
  textOfFile,
} from './option-files.ts';
export { withOptionNames } from './option-names.ts';
export {
  atMost,
  byUser,
  endTime,
  findWord,
  idNumber,
  integer,
  key,
  mailAddress,
  oneOf,
  onOff,
  pair,
  pastTime,
  port,
  reading,
  setting,
  timeText,
} from './readers.ts';
