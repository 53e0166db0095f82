/** Taking documents for signature, and everything that their owner does with them later. */
export type { SequenceView } from './create-sequence.ts';
export { expireProcess } from './expire.ts';
export { isPasscode } from './passcode.ts';
export { type ProcessPorts, type ProcessService, processService } from './process-service.ts';
export { purgeProcess } from './purge.ts';
export type {
  AttachmentReferenceRequest,
  AttachmentRequest,
  CreatePorts,
  ProcessRequest,
  SequenceRequest,
  SigneeRequest,
} from './requests.types.ts';
export type { ChangedFrom } from './update-signee.ts';
