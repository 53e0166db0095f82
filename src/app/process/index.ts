/** Taking documents for signature, and everything that their owner does with them later. */

export type { ChangedFrom } from './add-signee.ts';
export type { ProcessContents } from './contents.ts';
export type { SequenceView } from './create-sequence.ts';
export { expireProcess } from './expire.ts';
export { isPasscode } from './passcode.ts';
export {
  type ProcessPorts,
  type ProcessService,
  processOperations,
  processService,
} from './process-service.ts';
export { purgeProcess } from './purge.ts';
export type {
  AttachmentReferenceRequest,
  AttachmentRequest,
  CreatePorts,
  ProcessRequest,
  SequenceRequest,
  SigneeRequest,
} from './requests.ts';
