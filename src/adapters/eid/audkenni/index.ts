/** Auðkenni (Iceland): SIM cards and app, over call-backs or a back channel. */
export { audkenniCibaDriver } from './ciba/ciba-driver.ts';
export type { CibaOptions } from './ciba/ciba-options.ts';
export type { CommonOptions } from './options.ts';
export { audkenniRestDriver } from './rest/rest-driver.ts';
export type { RestOptions } from './rest/rest-options.ts';
