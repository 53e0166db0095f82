import type { SealLevel } from '../../base/level.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { internCertificate } from '../../trust/certificates.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import { loadCertificates } from '../files/files.ts';
import type { ToolkitIo } from '../toolkit.types.ts';

/**
 * The configured trust anchors; the user is warned of each that cannot be read.
 *
 * @throws config.invalid when a path cannot be read or no certificate can
 */
export function loadAnchors(
  { trust }: Pick<ResolvedConfig, 'trust'>,
  io: Pick<ToolkitIo, 'warn'>,
): Promise<readonly Certificate[]> {
  return loadCertificates(trust, (message) => io.warn(message, 'trust.certificate.unreadable'));
}

/**
 * The anchors that the user trusts: the configured ones, and roots in the user's own chain.
 * Configured anchors replace the development root, which is the default where it exists; it stays
 * trusted while keys or time-stamps of the development trust are in use.
 */
export async function anchorsOf(
  configured: readonly Certificate[],
  development: DevelopmentAccess,
  chain: readonly Uint8Array[],
  isAtWork = false,
): Promise<readonly Certificate[]> {
  const isTrusted = isAtWork || configured.length === 0;
  const trust = isTrusted ? await development.existing() : undefined;
  return [
    ...configured,
    ...(trust === undefined ? [] : [internCertificate(trust.rootCertificate)]),
    ...chain.map(internCertificate).filter(isSelfIssued),
  ];
}

/** True when key or time-stamps of a seal come from the development trust. */
export function worksWithTestKeys(
  { key, tsa }: Pick<ResolvedConfig, 'key' | 'tsa'>,
  level: SealLevel,
): boolean {
  return key.kind === 'development' || (level !== 'B-B' && tsa.length === 0);
}

function isSelfIssued({ subjectDer, issuerDer }: Certificate): boolean {
  return Buffer.compare(subjectDer, issuerDer) === 0;
}
