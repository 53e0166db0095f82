/** Auðkenni (Iceland): SIM cards and the app, using call-backs or the back channel. */
export { audkenniCibaDriver } from './ciba/ciba-driver.ts';
export type { CibaOptions } from './ciba/request-token.ts';
export type { CommonOptions } from './options.ts';
export { audkenniRestDriver } from './rest/rest-driver.ts';
export type { RestOptions } from './rest/rest-login.ts';
