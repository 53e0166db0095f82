import { equalBytes } from '../../base/bytes.ts';
import {
  readSigningCertificate,
  type SignedData,
  type SignerInfo,
} from '../../formats/cms/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { fingerprintOf } from '../../trust/signature.ts';

/** Certificates of one issuer and serial number whose keys are tried. */
const MAX_CANDIDATES = 16;

/**
 * The certificates that may be that of the signer, best first. With signing-certificate-v2 (or v1)
 * the digest there decides, and not only the name. Without it, those of the SignedData that the
 * signer names come before all others of the pool: anybody can put a certificate there.
 *
 * @spec RFC 5035 §5.4, RFC 5652 §5.3
 */
export function listSigningCertificates(
  signedData: SignedData,
  signerInfo: SignerInfo,
  pool: CertificatePool,
): readonly Certificate[] {
  const { serialNumber } = signerInfo;
  const [bound] = readSigningCertificate(signerInfo);
  if (bound === undefined) return listNamed(signedData, signerInfo, pool);
  const { digest, certificateHash } = bound;
  if (digest === undefined) return [];
  const found = pool.all.find(
    (each) =>
      equalBytes(fingerprintOf(each, digest), certificateHash) &&
      (serialNumber === undefined || equalBytes(each.serialNumber, serialNumber)),
  );
  return found === undefined ? [] : [found];
}

function listNamed(
  { certificates }: SignedData,
  { issuerDer, serialNumber, subjectKeyId }: SignerInfo,
  pool: CertificatePool,
): readonly Certificate[] {
  const own = certificates.flatMap((der) => pool.add(der) ?? []);
  const isNamed = ({ extensions, ...each }: Certificate): boolean => {
    if (issuerDer !== undefined && serialNumber !== undefined) {
      return equalBytes(each.serialNumber, serialNumber) && equalBytes(each.issuerDer, issuerDer);
    }
    const { subjectKeyId: ownId } = extensions;
    return subjectKeyId !== undefined && ownId !== undefined && equalBytes(ownId, subjectKeyId);
  };
  const found = new Set([...own.filter(isNamed), ...pool.all.filter(isNamed)]);
  // The same name may be written in another string type.
  const similar = issuerDer && serialNumber && pool.find(issuerDer, serialNumber);
  if (similar !== undefined) found.add(similar);
  return [...found].slice(0, MAX_CANDIDATES);
}
