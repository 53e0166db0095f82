import { hexOf } from '../../../base/bytes.ts';
import { getOrCompute } from '../../../base/memo.ts';
import type { Certificate, DigestAlgorithm } from '../../../formats/x509/index.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import { fingerprintOf } from '../../../trust/signature.ts';

/** The certificates of a pool by their digests. */
export interface CertificateIndex {
  /** The certificate with this digest. Undefined if it is not in the pool. */
  find(digest: DigestAlgorithm, value: Uint8Array): Certificate | undefined;
}

/** Creates an index of the pool that is updated as it grows. Each certificate is digested once. */
export function createCertificateIndex(pool: CertificatePool): CertificateIndex {
  const known = new Map<DigestAlgorithm, Map<string, Certificate>>();
  return {
    find(digest, value) {
      const byDigest = getOrCompute(known, digest, () => new Map());
      for (let i = byDigest.size; i < pool.all.length; i++) {
        const certificate = pool.all[i] as Certificate;
        byDigest.set(hexOf(fingerprintOf(certificate, digest)), certificate);
      }
      return byDigest.get(hexOf(value));
    },
  };
}
