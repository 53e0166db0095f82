import { equalBytes } from '../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../base/errors.ts';
import { parseCertificate } from '../formats/x509/index.ts';
import type { Signer } from './ports.ts';

/**
 * The signature over the data.
 *
 * @throws key.sign.failed, also for what a foreign signer throws
 */
export async function signBytes(signer: Signer, data: Uint8Array): Promise<Uint8Array> {
  try {
    return await signer.sign(data);
  } catch (error) {
    if (isInnsigliError(error)) throw error;
    throw new InnsigliError('key.sign.failed', 'the signer returned no signature', {
      cause: error,
    });
  }
}

/** The digest for imprints: that of the signature where it is one of the SHA-2 family. */
export function strongDigest(signer: Signer): 'sha256' | 'sha384' | 'sha512' {
  const { digest } = signer.algorithm;
  return digest === 'sha384' || digest === 'sha512' ? digest : 'sha256';
}

const embedded = new WeakMap<Signer, readonly Uint8Array[]>();

/** Signer and issuers without the root: who trusts a root has it, who does not gains nothing. */
export function embeddedCertificates(signer: Signer): readonly Uint8Array[] {
  let certificates = embedded.get(signer);
  if (certificates === undefined) {
    const issuers = signer.chain.filter((der) => {
      const { subjectDer, issuerDer } = parseCertificate(der);
      return !equalBytes(subjectDer, issuerDer);
    });
    certificates = [signer.certificate, ...issuers];
    embedded.set(signer, certificates);
  }
  return certificates;
}
