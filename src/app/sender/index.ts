/** Senders of mails: the user, and the logo of the company. */
export * from './company-logo.ts';
export * from './name-user.ts';
