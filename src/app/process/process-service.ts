import type { Service } from '../operation.ts';
import {
  block,
  cancel,
  cancelSequence,
  deleteAttachment,
  extend,
  invite,
  purge,
  retryFinalize,
  unblock,
} from './change.ts';
import { create, createSequence } from './create.ts';
import {
  contentOperations,
  countProcesses,
  listProcesses,
  listSequences,
  show,
  showSequence,
} from './read.ts';
import { addSignee, updateSignee } from './signees.ts';

/** Everything that a company can do with its processes, sequences and their files. */
export const processOperations = {
  create,
  createSequence,
  show,
  showSequence,
  list: listProcesses,
  count: countProcesses,
  listSequences,
  cancel,
  cancelSequence,
  block,
  unblock,
  extend,
  retryFinalize,
  addSignee,
  updateSignee,
  invite,
  deleteAttachment,
  purge,
  ...contentOperations,
};

/** The methods of {@link processOperations}. */
export type ProcessService = Service<typeof processOperations>;
