/** Values of the use cases in the words of the interface, and back. */

export { dispositionOf } from './disposition.ts';
export { circumstancesOf, customerOf, giveToken, showPoll, showStartedLogin } from './login.ts';
export {
  createNames,
  isAttachmentOf,
  notBase64,
  type ReadDocument,
  readBase64,
  readProcess,
  readSignee,
  showProcess,
  showSignee,
} from './process.ts';
export { readSequence, showSequence } from './sequence.ts';
