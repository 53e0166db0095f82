/** Mail by SMTP, or as files in a folder. */
export { outboxMailer } from './outbox.ts';
export { checkSmtp, type SmtpOptions, smtpMailer } from './smtp.ts';
