/** Smart-ID and compatible services, version 3 of the protocol: logins with a device link. */
export { smartIdDriver } from './driver.ts';
export type { CertificateLevel, HashAlgorithm, SmartIdOptions } from './options.ts';
