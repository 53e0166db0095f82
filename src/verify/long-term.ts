import { equalBytes } from '../base/bytes.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { type CertificatePool, findPath } from '../trust/path.ts';
import { checkRevocation, type RevocationVerdict } from '../trust/revocation.ts';
import type { StoredValidationData } from './document-security-store.ts';
import type { Qualifier } from './qualification/index.ts';

/** What is known about the status of a certificate and its issuers. */
export interface StatusVerdict {
  /** `good` when every certificate below the anchor has an answer that is good. */
  readonly status: 'good' | 'revoked' | 'unknown';
  /** For people: the first certificate that is not good. */
  readonly message: string;
  readonly revokedAtMs?: number;
}

/** The context of one verification. */
export interface StatusContext {
  /** The pool of this verification: the certificates that the document carries are added. */
  readonly pool: CertificatePool;
  readonly anchors: readonly Certificate[];
  readonly nowMs: number;
  /** Says what is qualified; absent when no trusted lists were given. */
  readonly qualifier?: Qualifier | undefined;
}

/**
 * The revocation status of every certificate on the path, checked by the given data alone: what
 * makes a signature long-term. A path that ends in an untrusted root is checked up to that root,
 * because the level of a file does not depend on whom its reader trusts.
 */
export function checkPathStatus(
  certificate: Certificate,
  data: StoredValidationData,
  atMs: number,
  context: StatusContext,
): StatusVerdict {
  const { pool, anchors, nowMs } = context;
  const { path } = findPath({ certificate, pool, anchors, atMs });
  const top = path[path.length - 1];
  if (top === undefined || !endsHere(top, anchors)) {
    return { status: 'unknown', message: 'the certification path is incomplete' };
  }
  for (let i = 0; i + 1 < path.length; i++) {
    const verdict: RevocationVerdict = checkRevocation({
      certificate: path[i] as Certificate,
      issuer: path[i + 1] as Certificate,
      data,
      pool,
      anchors: [...anchors, top],
      atMs,
      nowMs,
    });
    if (verdict.status === 'good') continue;
    const { status, message, revokedAtMs } = verdict;
    return revokedAtMs === undefined ? { status, message } : { status, message, revokedAtMs };
  }
  return { status: 'good', message: 'not revoked' };
}

function endsHere(certificate: Certificate, anchors: readonly Certificate[]): boolean {
  if (equalBytes(certificate.subjectDer, certificate.issuerDer)) return true;
  return anchors.some((anchor) => equalBytes(anchor.der, certificate.der));
}
