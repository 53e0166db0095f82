import { type Certificate, describeName } from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';
import { internCertificate } from '../../trust/certificates.ts';
import { findPath } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';

/**
 * Subject of the first certificate in a signer's path that has no OCSP or CRL address. Signatures
 * of such a signer can be augmented only with validation data provided by the user. Undefined if
 * each certificate has an address, or no path is known.
 */
export function silentCertificate(
  signer: Pick<Signer, 'certificate' | 'chain'>,
  anchors: readonly Certificate[],
  nowMs: number,
): string | undefined {
  const certificate = internCertificate(signer.certificate);
  const pool = createCertificatePool([...signer.chain]);
  const result = findPath({ certificate, pool, anchors, atMs: nowMs });
  const silent = result.path.find(({ extensions, subjectDer, issuerDer }, index) => {
    const isAnchor = result.valid && index === result.path.length - 1;
    if (isAnchor || Buffer.compare(subjectDer, issuerDer) === 0) return false;
    const { ocspUrls, crlUrls } = extensions;
    return ![...ocspUrls, ...crlUrls].some((url) => /^https?:/i.test(url));
  });
  return silent && describeName(silent.subjectDer);
}
