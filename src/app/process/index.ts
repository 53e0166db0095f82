/** Creation of signing processes, and their management by the owner. */

export type { SigneeRequest } from './build-signees.ts';
export type { ProcessRequest } from './create.ts';
export type { SequenceRequest } from './create-sequence.ts';
export { isPasscode } from './passcode.ts';
export { type ProcessService, processOperations } from './process-service.ts';
export { expireProcess, purgeProcess } from './purge.ts';
export type { SequenceView } from './read.ts';
export type { ChangedFrom } from './signees.ts';
export type { BroughtDocument, FormPerson, FormRequest, StartedByForm } from './start-by-form.ts';
export type { AttachmentReferenceRequest, AttachmentRequest } from './take-documents.ts';
