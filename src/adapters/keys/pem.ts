import type { KeyObject } from 'node:crypto';
import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { requireTextOrBytes } from '../../base/given.ts';
import { readableOptions } from '../../base/taken.ts';
import type { Signer } from '../../seal/ports.ts';
import {
  choiceNames,
  keyFitsCertificate,
  keyObjectSigner,
  parseGivenCertificate,
  type SigningChoice,
} from './key-object.ts';
import { readCertificates, readPrivateKey } from './pem-reader.ts';

/** A private key and certificates as they stand in files. */
export interface PemSignerOptions extends SigningChoice {
  /** PEM or DER: PKCS #8, also encrypted, PKCS #1 or SEC 1. */
  readonly key: string | Uint8Array;
  /** PEM with one or several certificates, or DER: the one of the key and its issuers. */
  readonly certificate: string | Uint8Array;
  /** More certificates of issuers. Default: none. */
  readonly chain?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** Password of an encrypted key. Default: none. */
  readonly password?: string;
}

/**
 * A signer from PEM. The certificate that matches the key signs, the others are its chain.
 *
 * @throws usage.invalid, key.unreadable, key.password.missing, key.password.wrong, key.mismatch
 * @throws algorithm.unsupported when the key cannot do what was chosen
 * @example
 * const [key, certificate] = await Promise.all([readFile('seal.key'), readFile('seal.pem')]);
 * const signer = pemSigner({ key, certificate });
 */
export function pemSigner(given: PemSignerOptions): Signer {
  const names = { ...choiceNames, key: 1, certificate: 1, chain: 1, password: 1 } as const;
  const options = readableOptions('pemSigner', given, names);
  requireTextOrBytes('key', options.key);
  requireTextOrBytes('certificate', options.certificate);
  const privateKey = readPrivateKey(options.key, options.password);
  const certificates = readCertificates(options.certificate, 'the certificate');
  const { chain = [] } = options;
  const files = typeof chain === 'string' || chain instanceof Uint8Array ? [chain] : chain;
  for (const file of files) certificates.push(...readCertificates(file, 'the chain'));
  return signerOf(privateKey, certificates, options);
}

/**
 * A signer from a key and a heap of certificates, DER, among which its own is.
 *
 * @throws key.mismatch when no certificate is for the key
 * @throws key.unreadable, algorithm.unsupported
 */
export function signerOf(
  privateKey: KeyObject,
  certificates: readonly Uint8Array[],
  choice: SigningChoice,
): Signer {
  const own = certificates
    .map(parseGivenCertificate)
    .find((certificate) => keyFitsCertificate(privateKey, certificate))?.der;
  if (own === undefined) {
    const count = certificates.length;
    const what = count === 1 ? 'the certificate is not' : `none of ${count} certificates is`;
    throw new InnsigliError('key.mismatch', `${what} for the private key`, {
      hint: 'pass the certificate issued for this key',
    });
  }
  const chain = certificates.filter((bytes) => !equalBytes(bytes, own));
  return keyObjectSigner({
    privateKey,
    certificate: own,
    chain,
    ...defined({ digest: choice.digest, scheme: choice.scheme }),
  });
}
