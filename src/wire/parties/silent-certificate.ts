import { type Certificate, describeName } from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';
import { internCertificate } from '../../trust/certificates.ts';
import { findPath } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';

/**
 * The first certificate of a signer's path that names no OCSP or CRL address, by its subject:
 * signatures of such a signer are archived only with data given by the user. Undefined if each
 * names one, or no path is known.
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
