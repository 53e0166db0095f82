import { latin1Text } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type Certificate, parseCertificate } from '../../formats/x509/index.ts';

const BLOCK = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([^-]*)-----END/g;

/**
 * The certificates of a PEM text, PEM bytes or DER bytes.
 *
 * @throws x509.invalid when there is none
 */
export function readCertificates(input: string | Uint8Array): readonly Certificate[] {
  if (typeof input !== 'string' && input[0] === 0x30) return [parseCertificate(input)];
  const text = typeof input === 'string' ? input : latin1Text(input);
  const found: Certificate[] = [];
  for (const [, base64 = ''] of text.matchAll(BLOCK)) {
    if (found.length >= limits.givenObjects) throw tooManyGiven();
    found.push(parseCertificate(Buffer.from(base64, 'base64')));
  }
  if (found.length > 0) return found;
  throw new InnsigliError('x509.invalid', 'expected a certificate in PEM or DER', {
    hint: 'give PEM (-----BEGIN CERTIFICATE-----) or DER',
  });
}

/** The error for more certificates, CRLs and OCSP responses than anybody needs. */
export function tooManyGiven(): InnsigliError {
  const max = limits.givenObjects;
  const message = `expected at most ${max} certificates, CRLs and OCSP responses, found more`;
  return new InnsigliError('limit.exceeded', message, {
    details: { max },
    hint: 'give those of the authorities that the documents name',
  });
}
