/** Taking documents for signature, and everything that their owner does with them later. */

export type { SequenceView } from './create.ts';
export { isPasscode } from './passcode.ts';
export {
  type ProcessPorts,
  type ProcessService,
  processOperations,
  processService,
} from './process-service.ts';
export { expireProcess, purgeProcess } from './purge.ts';
export type { ProcessContents } from './read.ts';
export type {
  AttachmentReferenceRequest,
  AttachmentRequest,
  CreatePorts,
  ProcessRequest,
  SequenceRequest,
  SigneeRequest,
} from './requests.ts';
export type { ChangedFrom } from './signees.ts';
