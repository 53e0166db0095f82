import { limits } from '../base/limits.ts';
import { isoTime } from '../base/time/iso-time.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { readCrlEvidence } from './crl-evidence.ts';
import { readOcspEvidence } from './ocsp-evidence.ts';
import type { CertificatePool } from './path.ts';
import type { Evidence, EvidenceQuestion } from './revocation-evidence.ts';
import { isSignatureKnown, isSignedBy } from './signed.ts';

/** What {@link checkRevocation} is asked. */
export interface RevocationQuestion {
  readonly certificate: Certificate;
  /** The certificate whose key signed it. */
  readonly issuer: Certificate;
  /** Evidence at hand, DER; nothing of it needs to be verified, or about this certificate. */
  readonly data: { readonly ocsp: readonly Uint8Array[]; readonly crls: readonly Uint8Array[] };
  /** Certificates that may have signed the evidence. */
  readonly pool: CertificatePool;
  readonly anchors: readonly Certificate[];
  /** The time at which the status must be known: evidence must not have gone stale by then. */
  readonly atMs: number;
  /**
   * The time of the question (default: `atMs`): evidence issued up to then counts too. It then
   * may say `revoked` with a `revokedAtMs` after `atMs`: the caller decides what that means.
   */
  readonly nowMs?: number;
}

/** What is known about the status of a certificate. */
export interface RevocationVerdict {
  readonly status: 'good' | 'revoked' | 'unknown';
  /** The kind of evidence that decided; absent when unknown. */
  readonly source?: 'ocsp' | 'crl';
  /** The evidence that decided: OCSPResponse or CertificateList. */
  readonly der?: Uint8Array;
  readonly thisUpdateMs?: number;
  readonly nextUpdateMs?: number;
  readonly revokedAtMs?: number;
  /** A name of RFC 5280 §5.3.1: `keyCompromise`, … */
  readonly reason?: string;
  /** Who signed the evidence. */
  readonly responder?: Certificate;
  /** What was found, for people. */
  readonly message: string;
}

/**
 * The status of a certificate by the evidence at hand. OCSP responses and CRLs count only when
 * their signature, their signer's right to sign, the certificate they speak of and their time
 * are all in order; of several the newest decides. Never throws for bad evidence: the status is
 * then unknown and the message says why.
 *
 * @spec RFC 6960 §3.2, RFC 5280 §6.3
 */
export function checkRevocation(question: RevocationQuestion): RevocationVerdict {
  return check(question, MAX_NESTING, { signatureChecks: 0, revoked: new Map() });
}

/** Evidence about signers of evidence about signers: two steps, then it is left open. */
const MAX_NESTING = 2;
/** Fresh signature checks for one question; known ones are free. */
const MAX_SIGNATURE_CHECKS = 512;

interface Work {
  signatureChecks: number;
  /** Signers of evidence that were asked about already. */
  readonly revoked: Map<Certificate, boolean>;
}

function check(question: RevocationQuestion, nestingLeft: number, work: Work): RevocationVerdict {
  const { certificate, issuer, data, pool, anchors, atMs } = question;
  const asked: EvidenceQuestion = {
    certificate,
    issuer,
    pool,
    anchors,
    atMs,
    nowMs: question.nowMs ?? atMs,
    isSignedBy(value, signer) {
      if (!isSignatureKnown(value, signer)) {
        if (work.signatureChecks >= MAX_SIGNATURE_CHECKS) return false;
        work.signatureChecks++;
      }
      return isSignedBy(value, signer);
    },
    isRevoked(signer, above) {
      const known = work.revoked.get(signer);
      if (known !== undefined || nestingLeft === 0) return known ?? false;
      const nested = { ...question, certificate: signer, issuer: above };
      const answer = check(nested, nestingLeft - 1, work).status === 'revoked';
      work.revoked.set(signer, answer);
      return answer;
    },
  };
  const reasons: string[] = [];
  let best: Evidence | undefined;
  const consider = (found: Evidence | string | undefined) => {
    if (typeof found === 'string') reasons.push(found);
    else if (found !== undefined && (best === undefined || isNewer(found, best))) best = found;
  };
  for (const der of data.ocsp.slice(0, limits.certificates)) {
    consider(readOcspEvidence(asked, der));
  }
  for (const der of data.crls.slice(0, limits.certificates)) {
    consider(readCrlEvidence(asked, der));
  }
  return best === undefined ? unknown(question, reasons) : known(best);
}

function isNewer(found: Evidence, best: Evidence): boolean {
  if (found.thisUpdateMs !== best.thisUpdateMs) return found.thisUpdateMs > best.thisUpdateMs;
  return found.status === 'revoked' && best.status !== 'revoked';
}

function known(evidence: Evidence): RevocationVerdict {
  const kind = evidence.source === 'ocsp' ? 'OCSP response' : 'CRL';
  const from = `${kind} of ${isoTime(evidence.thisUpdateMs)}`;
  if (evidence.status === 'good') return { ...evidence, message: `good by the ${from}` };
  // The reason «removeFromCRL» takes a hold back.
  if (evidence.reason === 'removeFromCRL') {
    return { ...evidence, status: 'good', message: `no longer on hold by the ${from}` };
  }
  const why = evidence.reason === undefined ? '' : ` (${evidence.reason})`;
  const when = evidence.revokedAtMs === undefined ? '' : ` at ${isoTime(evidence.revokedAtMs)}`;
  return { ...evidence, message: `revoked${when}${why} by the ${from}` };
}

function unknown(question: RevocationQuestion, reasons: readonly string[]): RevocationVerdict {
  const { ocsp, crls } = question.data;
  if (reasons.length > 0) {
    const listed = [...new Set(reasons)].slice(0, 3).join('; ');
    return { status: 'unknown', message: `no usable revocation data: ${listed}` };
  }
  return {
    status: 'unknown',
    message:
      ocsp.length + crls.length === 0
        ? 'there is no revocation data'
        : 'no revocation data covers this certificate',
  };
}
