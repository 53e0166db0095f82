/** What people are told: words, handles, addresses. */
export { formatMailbox, isMailAddress, singleLine } from '../../base/mailbox.ts';
export { isForSignee, knownHandles, type MessageFacts } from './facts.ts';
export { escapeHtml, fillHandles, handleNames } from './handles.ts';
export { htmlToText } from './html-text.ts';
export {
  chooseLanguage,
  formatDay,
  type Language,
  languages,
  localeOfLanguage,
} from './language.ts';
export type { EmailTemplate, HeldMessages, Message, MessageState } from './message.ts';
export { chooseOwnText, requireUsableText, unknownHandles } from './own-text.ts';
export { logoCid } from './page.ts';
export { type OwnText, type RenderedMail, renderMail } from './render-mail.ts';
export { renderSms, smsCharactersMax } from './render-sms.ts';
export { isOpenTo, isWanted, type ReaderPlace } from './wanted.ts';
export { withoutWebAddresses } from './web-address.ts';
