/** Senders of mails: the user's name, and the logo of the company. */
export { type CompanyLogo, findLogo, logoOperations } from './company-logo.ts';
export { nameOfUser, nameUser } from './name-user.ts';
