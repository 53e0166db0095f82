import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { AlgorithmTable } from '../algorithms/index.ts';
import type { CertificatePool } from '../path.ts';
import { isSignatureKnown, isSignedBy } from '../signed.ts';
import { readCrlEvidence } from './crl-evidence.ts';
import { readOcspEvidence } from './ocsp-evidence.ts';
import {
  checkGood,
  type Evidence,
  type EvidenceQuestion,
  findOutdatedEvidence,
  findWeakEvidence,
  isPastEvidence,
  kindOf,
} from './revocation-evidence.ts';

/** Input of {@link checkRevocation}. */
export interface RevocationQuestion {
  readonly certificate: Certificate;
  /** The certificate whose key signed it. */
  readonly issuer: Certificate;
  /** Available evidence, DER. It need not be verified, and may concern other certificates. */
  readonly data: { readonly ocsp: readonly Uint8Array[]; readonly crls: readonly Uint8Array[] };
  /** Certificates that may have signed the evidence. */
  readonly pool: CertificatePool;
  readonly anchors: readonly Certificate[];
  /** The time at which the status is needed: evidence must not be stale by then. */
  readonly atMs: number;
  /**
   * The time of the check (default: `atMs`): evidence issued up to then is considered as well. It
   * may then report `revoked` with a `revokedAtMs` after `atMs`; the caller decides what that
   * means.
   */
  readonly nowMs?: number;
  /** Expiry dates of algorithms. Default: the built-in table. */
  readonly algorithms?: AlgorithmTable | undefined;
  /** Earliest proven time of existence of evidence, in epoch milliseconds. Default: never. */
  readonly existedAtMs?: ((der: Uint8Array) => number | undefined) | undefined;
  /** Default: no responder is listed. */
  readonly isListedResponder?: IsListedResponder | undefined;
}

/**
 * Whether OCSP responses of `responder` are accepted for the issuer at that time although the
 * issuer did not certify it: a responder authorised by local configuration.
 *
 * @spec RFC 6960 §4.2.2.2
 */
export type IsListedResponder = (
  responder: Certificate,
  issuer: Certificate,
  atMs: number,
) => boolean;

/** Revocation status of a certificate. */
export interface RevocationVerdict {
  readonly status: 'good' | 'revoked' | 'unknown';
  /** The kind of evidence that was decisive. Absent if the status is unknown. */
  readonly source?: 'ocsp' | 'crl';
  /** The decisive evidence: an OCSPResponse or CertificateList. */
  readonly der?: Uint8Array;
  /** Further decisive CRLs: delta CRLs, and CRLs for other reasons. */
  readonly further?: readonly Uint8Array[];
  readonly thisUpdateMs?: number;
  readonly nextUpdateMs?: number;
  readonly revokedAtMs?: number;
  /** Reason code of RFC 5280 §5.3.1: `keyCompromise`, … */
  readonly reason?: string;
  /** Signer of the evidence. */
  readonly responder?: Certificate;
  /** `unknown` if nothing shows that the signer of the evidence was not itself revoked. */
  readonly responderStatus?: 'good' | 'unknown';
  /** Set if a trusted list authorises the signer, which makes its own status irrelevant. */
  readonly isListed?: true;
  /** Reason that evidence for `good` is too weak. Absent otherwise. */
  readonly weakness?: string;
  /** Why evidence for `good` may have been created after its signer expired. Absent otherwise. */
  readonly outdated?: string;
  /** Set if the signer of evidence for `good` has expired since. */
  readonly isPast?: true;
  /** Human-readable result. */
  readonly message: string;
}

/**
 * Determines the status of a certificate from the available evidence. An OCSP response or CRL is
 * considered only if its signature and its signer's authority are valid. `revoked` then counts
 * whatever the age or scope of the evidence, and even if other evidence says `good`: the earliest
 * revocation is decisive. `good` counts only if the evidence has no fault at all. Of several such
 * statements the newest is decisive, including a hold, because a hold may be lifted. If all
 * evidence is faulty, the status is unknown, and the message states why.
 *
 * @throws limit.exceeded if there is more evidence in the name of the issuer than is checked: the
 *   rest may prove a revocation
 * @spec RFC 6960 §3.2; RFC 5280 §6.3; ETSI EN 319 102-1 §5.2.5
 */
export function checkRevocation(question: RevocationQuestion): RevocationVerdict {
  const work: Work = { signatureChecks: 0, isUnusable: false, statuses: new Map() };
  const { decisive, reasons, outdated } = check(question, MAX_NESTING, work);
  const verdict =
    decisive === undefined
      ? { ...unknown(question, reasons), ...defined({ outdated }) }
      : known(decisive);
  if (verdict.status === 'revoked') return verdict;
  if (work.signatureChecks > MAX_SIGNATURE_CHECKS) {
    const message = `more than ${MAX_SIGNATURE_CHECKS} signatures of revocation data to check`;
    throw new InnsigliError('limit.exceeded', message);
  }
  if (work.isUnusable && question.pool.isFull === true) {
    const message =
      'more certificates than are retained: signers of revocation data may be missing';
    throw new InnsigliError('limit.exceeded', message);
  }
  return verdict;
}

/**
 * Whether a certificate is too short-lived to be revoked, as stated by its issuer: it then counts
 * as good without evidence.
 *
 * @spec ETSI EN 319 412-1 §5.2.2
 */
export function needsNoStatus({ extensions }: Certificate): boolean {
  return extensions.noRevocationData && extensions.basicConstraints?.ca !== true;
}

/** Maximum depth of evidence about signers of evidence; beyond it the status remains unknown. */
const MAX_NESTING = 2;
/** Maximum number of new signature checks per question; cached ones are not counted. */
const MAX_SIGNATURE_CHECKS = 512;

type SignerStatus = Pick<RevocationVerdict, 'status' | 'revokedAtMs' | 'responderStatus'>;

interface Work {
  signatureChecks: number;
  /** Some evidence proves nothing, possibly because its signer is not available. */
  isUnusable: boolean;
  /** Status of the signers of evidence that were already checked. */
  readonly statuses: Map<Certificate, SignerStatus>;
}

/** The decisive statement, or the reasons that there is none. */
interface Found {
  readonly decisive: Statement | undefined;
  readonly reasons: readonly string[];
  readonly outdated: string | undefined;
}

function check(question: RevocationQuestion, nestingLeft: number, work: Work): Found {
  const { data } = question;
  const asked = questionOf(question, nestingLeft, work);
  const reasons: string[] = [];
  const statements: Statement[] = [];
  let outdated: string | undefined;
  const consider = (found: Evidence | string | undefined) => {
    if (found === undefined) return;
    if (typeof found === 'string') {
      work.isUnusable = true;
      reasons.push(found);
      return;
    }
    const flaw = found.status === 'good' ? checkGood(found, asked) : undefined;
    if (flaw === undefined) statements.push(rate(found, asked));
    else {
      reasons.push(flaw);
      outdated ??= findOutdatedEvidence(found, asked);
    }
  };
  for (const der of data.ocsp) consider(readOcspEvidence(asked, der));
  for (const found of readCrlEvidence(asked, data.crls)) consider(found);
  return { decisive: decide(statements), reasons, outdated };
}

function questionOf(
  question: RevocationQuestion,
  nestingLeft: number,
  work: Work,
): EvidenceQuestion {
  const { certificate, issuer, pool, anchors, atMs, nowMs = atMs, algorithms } = question;
  const verdictOf = (signer: Certificate, above: Certificate): SignerStatus => {
    const known = work.statuses.get(signer);
    if (known !== undefined || nestingLeft === 0) return known ?? { status: 'unknown' };
    // Prevents recursion: two signers may report on each other.
    work.statuses.set(signer, { status: 'unknown' });
    const nested = { ...question, certificate: signer, issuer: above };
    const { decisive } = check(nested, nestingLeft - 1, work);
    const status: SignerStatus = decisive ?? { status: 'unknown' };
    work.statuses.set(signer, status);
    return status;
  };
  // A single literal, because it is created for every certificate and every signer of evidence.
  return {
    certificate,
    issuer,
    pool,
    anchors,
    atMs,
    nowMs,
    algorithms,
    isListedResponder: (responder, above, whenMs) =>
      question.isListedResponder?.(responder, above, whenMs) === true,
    existedAtMs: (der) => Math.min(nowMs, question.existedAtMs?.(der) ?? nowMs),
    statusOf(signer, above, existedMs) {
      const { status, revokedAtMs = 0, responderStatus } = verdictOf(signer, above);
      if (status === 'revoked') return revokedAtMs > existedMs ? 'good' : 'revoked';
      // Signers of unknown status cannot vouch for each other.
      return responderStatus === 'unknown' ? 'unknown' : status;
    },
    isSignedBy(value, signer) {
      if (!isSignatureKnown(value, signer)) {
        work.signatureChecks++;
        if (work.signatureChecks > MAX_SIGNATURE_CHECKS) return false;
      }
      return isSignedBy(value, signer);
    },
  };
}

/** Evidence, with the faults that matter if it says `good`. */
type Statement = Evidence & Pick<RevocationVerdict, 'weakness' | 'outdated' | 'isPast'>;

function rate(evidence: Evidence, question: EvidenceQuestion): Statement {
  if (evidence.status !== 'good') return evidence;
  const weakness = findWeakEvidence(evidence, question);
  const outdated = findOutdatedEvidence(evidence, question);
  const isPast = isPastEvidence(evidence, question) ? true : undefined;
  return { ...evidence, ...defined({ weakness, outdated, isPast }) };
}

function decide(statements: readonly Statement[]): Statement | undefined {
  const isFinal = ({ status, reason }: Evidence) => status === 'revoked' && reason !== HOLD;
  const final = statements.filter(isFinal);
  if (final.length > 0) {
    const timeOf = ({ revokedAtMs = 0 }: Evidence) => revokedAtMs;
    return final.reduce((worst, one) => (timeOf(one) < timeOf(worst) ? one : worst));
  }
  // Among statements of `good`, strong ones whose signers are known to be good come first.
  const rank = ({ responderStatus, weakness, outdated, status }: Statement) => {
    if (status === 'revoked') return 2;
    if ((weakness ?? outdated) !== undefined) return 0;
    return responderStatus === 'unknown' ? 1 : 2;
  };
  const isBetter = (one: Statement, best: Statement) => {
    if (rank(one) !== rank(best)) return rank(one) > rank(best);
    if (one.thisUpdateMs !== best.thisUpdateMs) return one.thisUpdateMs > best.thisUpdateMs;
    return one.status === 'revoked' && best.status !== 'revoked';
  };
  const [first, ...others] = statements;
  return others.reduce((best, one) => (best && isBetter(one, best) ? one : best), first);
}

/** The only reason that is not permanent. @spec RFC 5280 §5.3.1 */
const HOLD = 'certificateHold';

function known({ flaw: _, signed: __, listed, ...rest }: Statement): RevocationVerdict {
  const evidence = { ...rest, ...(listed !== undefined && { isListed: true as const }) };
  const from = `${kindOf(evidence.source)} of ${isoTime(evidence.thisUpdateMs)}`;
  if (evidence.status === 'good') return { ...evidence, message: `good according to the ${from}` };
  const why = evidence.reason === undefined ? '' : ` (${evidence.reason})`;
  const when = evidence.revokedAtMs === undefined ? '' : ` at ${isoTime(evidence.revokedAtMs)}`;
  return { ...evidence, message: `revoked${when}${why} according to the ${from}` };
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
