import { latin1Text } from '../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type Certificate, parseCertificate } from '../../formats/x509/index.ts';

const BLOCK = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([^-]*)-----END/g;

/** Contents of PEM or DER input. */
export interface ReadCertificates {
  readonly certificates: readonly Certificate[];
  /** Errors of the malformed certificates, one each. */
  readonly unreadable: readonly InnsigliError[];
}

/**
 * Reads the certificates of PEM text, PEM bytes or DER bytes. A malformed certificate does not hide
 * the rest.
 *
 * @throws x509.invalid if nothing in it looks like a certificate
 */
export function readCertificates(input: string | Uint8Array): ReadCertificates {
  const certificates: Certificate[] = [];
  const unreadable: InnsigliError[] = [];
  const read = (der: Uint8Array) => {
    if (certificates.length + unreadable.length >= limits.givenObjects) throw tooManyGiven();
    try {
      certificates.push(parseCertificate(der));
    } catch (error) {
      if (!isInnsigliError(error)) throw error;
      unreadable.push(error);
    }
  };
  if (typeof input !== 'string' && input[0] === 0x30) read(input);
  else {
    const text = typeof input === 'string' ? input : latin1Text(input);
    for (const [, base64 = ''] of text.matchAll(BLOCK)) read(Buffer.from(base64, 'base64'));
  }
  if (certificates.length + unreadable.length > 0) return { certificates, unreadable };
  // A short line is usually a file name; anything else may be secret.
  const isName = typeof input === 'string' && /^(?!.*-----).{1,80}$/.test(input);
  const found = isName ? `, found "${input}"` : '';
  throw new InnsigliError('x509.invalid', `expected a certificate in PEM or DER${found}`, {
    hint: `pass PEM (-----BEGIN CERTIFICATE-----) or DER${isName ? ': content, not a name' : ''}`,
  });
}

/** The error for an implausible number of certificates, CRLs and OCSP responses. */
export function tooManyGiven(): InnsigliError {
  const max = limits.givenObjects;
  const message = `expected at most ${max} certificates, CRLs and OCSP responses, found more`;
  return new InnsigliError('limit.exceeded', message, {
    details: { max },
    hint: 'pass only those of the authorities named in the documents',
  });
}
