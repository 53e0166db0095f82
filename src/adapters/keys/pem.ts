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

/** A private key and certificates, as stored in files. */
export interface PemSignerOptions extends SigningChoice {
  /** PEM or DER: PKCS #8, possibly encrypted, PKCS #1 or SEC 1. */
  readonly key: string | Uint8Array;
  /** PEM with one or more certificates, or DER: the certificate of the key and its issuers. */
  readonly certificate: string | Uint8Array;
  /** Additional issuer certificates. Default: none. */
  readonly chain?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** Password of an encrypted key. Default: none. */
  readonly password?: string;
}

/**
 * Creates a signer from PEM. The certificate that matches the key is the signing certificate, the
 * others are its chain.
 *
 * @throws usage.invalid, key.unreadable, key.password.missing, key.password.wrong, key.mismatch
 * @throws algorithm.unsupported if the key does not support the choice
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
 * Creates a signer from a key and a set of DER certificates that includes its own.
 *
 * @throws key.mismatch if no certificate matches the key
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
