/** Senders of mails: the user, and the logo of the company. */
export { type CompanyLogo, findLogo, setLogo, showLogo } from './company-logo.ts';
export { nameOfUser, nameUser } from './name-user.ts';
