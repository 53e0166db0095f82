import type { Certificate } from '../formats/x509/index.ts';
import { internCertificate } from '../trust/certificates.ts';
import type { DevelopmentAccess } from './development.ts';

/**
 * What the user trusts: the configured anchors, the development root where it exists, and roots
 * that stand in the user's own chain.
 */
export async function anchorsOf(
  configured: readonly Certificate[],
  development: DevelopmentAccess,
  chain: readonly Uint8Array[],
): Promise<readonly Certificate[]> {
  const trust = await development.existing();
  return [
    ...configured,
    ...(trust === undefined ? [] : [internCertificate(trust.rootCertificate)]),
    ...chain.map(internCertificate).filter(isSelfIssued),
  ];
}

function isSelfIssued({ subjectDer, issuerDer }: Certificate): boolean {
  return Buffer.compare(subjectDer, issuerDer) === 0;
}
