/** Messages: words, handles, addresses. */
export { formatMailbox, isMailAddress, singleLine } from '../../base/mailbox.ts';
export { isForSignee, knownHandles, type MessageFacts } from './facts.ts';
export { escapeHtml, fillHandles, handleNames } from './handle-places.ts';
export { htmlToText } from './html-text.ts';
export * from './language.ts';
export type * from './message.ts';
export * from './own-text.ts';
export { logoCid } from './page.ts';
export * from './render-mail.ts';
export * from './web-address.ts';
