import { InnsigliError, isInnsigliError } from '../../base/errors.ts';

/**
 * The result of `parse`; ASN.1 errors become errors that name the structure.
 *
 * @throws x509.invalid if `parse` throws `asn1.invalid`
 */
export function parsing<T>(what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isInnsigliError(error) || error.code !== 'asn1.invalid') throw error;
    throw new InnsigliError('x509.invalid', `not ${what}: ${error.message}`, { cause: error });
  }
}
