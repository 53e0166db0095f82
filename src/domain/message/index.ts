/** Messages: texts, handles, addresses. */
export { formatMailbox, isMailAddress, singleLine } from '../../base/mailbox.ts';
export { isForSignee, knownHandles, type MessageFacts } from './facts.ts';
export { escapeHtml, handleNames } from './handle-places.ts';
export { htmlToText } from './html-text.ts';
export {
  chooseLanguage,
  formatDay,
  isOpenTo,
  isWanted,
  type Language,
  languages,
  localeOfLanguage,
  type ReaderPlace,
} from './language.ts';
export type { EmailTemplate, HeldMessages, Message, MessageState, OwnText } from './message.ts';
export { chooseOwnText, requireUsableText, unknownHandles } from './own-text.ts';
export { logoCid } from './page.ts';
export { renderMail, renderSms } from './render-mail.ts';
export { claimedNameFault, withoutWebAddresses } from './web-address.ts';
