import { latin1Text } from '../base/bytes.ts';
import { CoreError } from '../base/errors.ts';
import { type Certificate, parseCertificate } from '../formats/x509/index.ts';

const BLOCK = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([^-]*)-----END/g;

/**
 * The certificates of a PEM text, PEM bytes or DER bytes.
 *
 * @throws x509.invalid when there is none
 */
export function readCertificates(input: string | Uint8Array): readonly Certificate[] {
  if (typeof input !== 'string' && input[0] === 0x30) return [parseCertificate(input)];
  const text = typeof input === 'string' ? input : latin1Text(input);
  const found = [...text.matchAll(BLOCK)].map(([, base64 = '']) =>
    parseCertificate(Buffer.from(base64, 'base64')),
  );
  if (found.length > 0) return found;
  throw new CoreError('x509.invalid', 'a certificate expected, found neither PEM nor DER', {
    hint: 'give PEM (-----BEGIN CERTIFICATE-----) or DER',
  });
}
