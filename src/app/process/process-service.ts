import type { CompanyKey } from '../../domain/keys.ts';
import { bindOperations, type Service } from '../operation.ts';
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
import type { RemovalPorts } from './purge.ts';
import {
  countProcesses,
  listProcesses,
  listSequences,
  type ProcessContents,
  processContents,
  show,
  showSequence,
} from './read.ts';
import type { CreatePorts } from './requests.ts';
import { addSignee, updateSignee } from './signees.ts';

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
