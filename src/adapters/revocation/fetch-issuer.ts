import { isInnsigliError } from '../../base/errors.ts';
import {
  contentOf,
  derOf,
  oids,
  readDer,
  readOid,
  readSequence,
} from '../../formats/asn1/index.ts';
import { type Certificate, parseCertificate } from '../../formats/x509/index.ts';
import { type FetchOptions, fetchBytes } from './fetch-bytes.ts';
import { pemBodies } from './pem-bodies.ts';

/** Addresses tried, and certificates taken from one answer. */
const MAX_ADDRESSES = 4;
const MAX_CERTIFICATES = 32;

/**
 * Certificates from the caIssuers addresses of a certificate, DER; empty when it names none.
 * An answer is one certificate, PEM text, or a PKCS#7 bag of certificates. Nothing is verified.
 *
 * @throws network.offline, network.blocked, network.failed, x509.invalid
 * @spec RFC 5280 §4.2.2.1
 */
export async function fetchIssuer(
  certificate: Certificate,
  options: FetchOptions,
): Promise<readonly Uint8Array[]> {
  let failure: unknown;
  for (const url of certificate.extensions.caIssuerUrls.slice(0, MAX_ADDRESSES)) {
    try {
      const found = certificatesIn(await fetchBytes(url, options));
      if (found.length > 0) return found;
    } catch (error) {
      if (!isInnsigliError(error)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return [];
}

function certificatesIn(answer: Uint8Array): Uint8Array[] {
  const pem = pemBodies(answer, 'CERTIFICATE');
  const found = pem.length > 0 ? pem : (bagOf(answer) ?? [answer]);
  return found.slice(0, MAX_CERTIFICATES).map((der) => parseCertificate(der).der);
}

/** `SEQUENCE { signedData, [0] SEQUENCE { …, [0] certificates, … } }`. @spec RFC 5652 §5.1 */
function bagOf(answer: Uint8Array): Uint8Array[] | undefined {
  const [type, content] = readSequence(readDer(answer), 'certificates');
  if (type?.tag !== 0x06 || readOid(type) !== oids.signedData || content === undefined) {
    return undefined;
  }
  const fields = readSequence(readDer(contentOf(content)), 'signed data');
  const bag = fields.find((field) => field.tag === 0xa0);
  if (bag === undefined) return [];
  return readSequence({ ...bag, tag: 0x30 }, 'certificates')
    .filter((node) => node.tag === 0x30)
    .map(derOf);
}
