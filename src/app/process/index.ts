/** Taking documents for signature, and everything that their owner does with them later. */
export { cancelSequence, isStarter } from './cancel-sequence.ts';
export { collectContents } from './collect-contents.ts';
export { createProcess } from './create-process.ts';
export { buildSignee } from './create-request.ts';
export { createSequence, type SequenceView } from './create-sequence.ts';
export { requireProcess, requireSequence } from './find-process.ts';
export { hashPasscode, isPasscode } from './passcode.ts';
export { type ProcessPorts, type ProcessToolkit, processToolkit } from './process-toolkit.ts';
export type {
  AttachmentReferenceRequest,
  AttachmentRequest,
  CreatePorts,
  ProcessRequest,
  SequenceRequest,
  SigneeRequest,
} from './requests.types.ts';
export { expireProcess, purgeProcess } from './timed-jobs.ts';
