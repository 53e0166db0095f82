/** Values of the use cases in the words of the interface, and back. */

export { circumstancesOf, customerOf, giveToken, showPoll, showStartedLogin } from './login.ts';
export {
  present,
  readBase64,
  readProcess,
  readSignee,
  showProcess,
  showSignee,
} from './process.ts';
export { readSequence, showSequence } from './sequence.ts';
