import type { CompanyKey } from '../../domain/keys.ts';
import { bindOperations, type Service } from '../operation.ts';
import { addSignee } from './add-signee.ts';
import { cancelSequence } from './cancel-sequence.ts';
import {
  block,
  cancel,
  deleteAttachment,
  extend,
  invite,
  purge,
  retryFinalize,
  unblock,
} from './change-process.ts';
import { type ProcessContents, processContents } from './contents.ts';
import { create } from './create-process.ts';
import { createSequence } from './create-sequence.ts';
import {
  countProcesses,
  listProcesses,
  listSequences,
  show,
  showSequence,
} from './read-processes.ts';
import type { RemovalPorts } from './remove-contents.ts';
import type { CreatePorts } from './requests.ts';
import { updateSignee } from './update-signee.ts';

/** Everything that a company can do with its processes and sequences. */
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
};

/** The methods of {@link processOperations}, and the files of processes. */
export type ProcessService = Service<typeof processOperations> & ProcessContents;

/** What {@link processService} depends on. */
export type ProcessPorts = CreatePorts & RemovalPorts;

/** The processes of one company. */
export function processService(ports: ProcessPorts, companyKey: CompanyKey): ProcessService {
  return {
    ...bindOperations(processOperations, ports, companyKey),
    ...processContents(ports, companyKey),
  };
}
