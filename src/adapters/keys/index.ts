/** Private keys from files and in memory as signers. */
export {
  type KeyObjectSignerOptions,
  keyObjectSigner,
  type SigningChoice,
} from './key-object.ts';
export { readCertificates, readPrivateKey } from './pem-reader.ts';
export { type PemSignerOptions, pemSigner } from './pem.ts';
