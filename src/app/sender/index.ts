/** Senders of mails: the user, and the logo of the company. */
export { type CompanyLogo, findLogo, setLogo } from './company-logo.ts';
export { nameOfUser, nameUser } from './name-user.ts';
