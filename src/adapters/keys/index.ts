/** Signers with private keys from files, in memory, or of third-party libraries. */
export type { CmsSigner } from '../../seal/ports.ts';
export { type KeyObjectSignerOptions, keyObjectSigner, type SigningChoice } from './key-object.ts';
export { type P12SignerOptions, p12Signer } from './p12.ts';
export { type PemSignerOptions, pemSigner } from './pem.ts';
export {
  type FromSignpdfOptions,
  fromSignpdfSigner,
  type ToSignpdfOptions,
  toSignpdfSigner,
} from './signpdf.ts';
