import { equalBytes } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import { type CertificatePool, findPath } from '../../trust/path.ts';
import {
  checkRevocation,
  type IsListedResponder,
  needsNoStatus,
  type RevocationVerdict,
} from '../../trust/revocation/index.ts';
import type { Qualifier } from '../qualification/index.ts';
import { withoutRepeats } from '../value-key.ts';
import type { StoredValidationData } from './document-security-store.ts';
import type { EvidenceExistence } from './evidence-existence.ts';

/** OCSP responses and CRLs, DER. */
export type RevocationEvidence = Pick<StoredValidationData, 'ocsp' | 'crls'>;

/** Revocation mode, and data from outside the document. */
export interface RevocationRules {
  /**
   * Treatment of an unknown status: with `require` the indication is INDETERMINATE, with `ignore`
   * it is a finding.
   *
   * @spec ETSI EN 319 102-1 §5.2.6
   */
  readonly mode?: 'require' | 'ignore';
  /** Evidence from outside the document. It does not count for levels. Default: none. */
  readonly given?: RevocationEvidence;
  /** Called with each certificate whose status is unknown, and its issuer. */
  onUnknown?(certificate: Certificate, issuer: Certificate): void;
}

/**
 * Adds evidence to the rules, without duplicates. Evidence that the caller of
 * {@link checkPathStatus} passes anyway can be omitted.
 *
 * @throws limit.exceeded if it is too much: an omitted part may be the proof of a revocation
 */
export function withEvidence(
  rules: RevocationRules | undefined,
  { ocsp, crls }: RevocationEvidence,
): RevocationRules {
  const { given = { ocsp: [], crls: [] } } = rules ?? {};
  const more = { ocsp: withoutRepeats(ocsp), crls: withoutRepeats(crls) };
  const found = Math.max(more.ocsp.length, more.crls.length);
  if (found > limits.sharedEvidence) {
    const message = `${found} OCSP responses or CRLs: at most ${limits.sharedEvidence} are read`;
    throw new InnsigliError('limit.exceeded', message);
  }
  return {
    ...rules,
    given: { ocsp: [...given.ocsp, ...more.ocsp], crls: [...given.crls, ...more.crls] },
  };
}

/** Checks that the rules omit, for the list of unchecked items. */
export function listUncheckedRevocation(rules: RevocationRules | undefined): readonly string[] {
  return rules?.mode === 'ignore' ? ['revocation of certificates with unknown status'] : [];
}

/** Revocation status of a certificate and its issuers. */
export interface StatusVerdict {
  /**
   * `revoked`: one of them was revoked by the end of the given time; `good`: for every certificate
   * below the anchor, the evidence is good or states a later revocation.
   */
  readonly status: 'good' | 'revoked' | 'unknown';
  /** Readable description of the certificate that is not good and decides the status. */
  readonly message: string;
  /** The sub-indication for a status that is not good. */
  readonly subIndication?: string;
  /** True if the status of the first certificate is known, whatever that of its issuers. */
  readonly isLeafKnown?: boolean;
  /**
   * True if the first certificate is good by evidence whose signer has since expired: a past
   * validation, which needs the status of every certificate.
   */
  readonly isByPastEvidence?: boolean;
  /** Readable description of a revocation after the given time. */
  readonly revokedLater?: string;
  /** The revocation, by the end of the given time or later. */
  readonly revocation?: Revocation;
}

/** Revocation of a certificate, with its evidence. */
export interface Revocation {
  readonly certificate: Certificate;
  /** Epoch milliseconds. Undefined if the evidence does not state it. */
  readonly revokedAtMs: number | undefined;
  /** A reason code of RFC 5280 §5.3.1: `keyCompromise`, … */
  readonly reason: string | undefined;
  readonly source: 'ocsp' | 'crl' | undefined;
  /** OCSPResponse or CertificateList. */
  readonly der: Uint8Array | undefined;
}

/** The context of one verification. */
export interface StatusContext {
  /** The pool of this verification, to which the certificates of the document are added. */
  readonly pool: CertificatePool;
  /** Certificates that the caller trusts. */
  readonly anchors: readonly Certificate[];
  /** Time of verification, epoch milliseconds. */
  readonly nowMs: number;
  /** Determines the qualified status by trusted lists. Undefined if none were given. */
  readonly qualifier?: Qualifier | undefined;
  /** Whether lists authorise an OCSP responder. Default: as the qualifier states, or none. */
  readonly isListedResponder?: IsListedResponder | undefined;
  /** Default: {@link RevocationRules} with their defaults. */
  readonly revocation?: RevocationRules | undefined;
  /** Expiry dates of algorithms. Default: the table of `trust`. */
  readonly algorithms?: AlgorithmTable | undefined;
  /** Earliest proven times of existence of OCSP responses and CRLs. Default: nothing is proven. */
  readonly existence?: EvidenceExistence | undefined;
}

/** Time of a revocation check. */
export interface StatusTime {
  /** Time at which evidence must still be fresh. */
  readonly atMs: number;
  /** Revocations up to this time count. Default: `atMs`. */
  readonly untilMs?: number;
  /**
   * Whether evidence about the first certificate whose signer has since expired needs proof that it
   * existed before. The common policy of validators requires this for signers of documents, but not
   * for authorities. Default: false.
   */
  readonly isOutdatedRefused?: boolean;
}

/** One certificate of a path, with its issuer and its known status. */
interface Member {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly isLeaf: boolean;
  readonly verdict: RevocationVerdict;
}

/**
 * Determines the revocation status of every certificate in the path from the given data and that of
 * the context. All of them are examined: a revocation anywhere counts, even if the status of others
 * is unknown.
 *
 * @spec ETSI EN 319 102-1 §5.2.6
 */
export function checkPathStatus(
  path: readonly Certificate[],
  data: RevocationEvidence,
  { atMs, untilMs = atMs, isOutdatedRefused = false }: StatusTime,
  context: StatusContext,
): StatusVerdict {
  const { given = { ocsp: [], crls: [] }, mode, onUnknown } = context.revocation ?? {};
  const all = { ocsp: [...given.ocsp, ...data.ocsp], crls: [...given.crls, ...data.crls] };
  const members = membersOf(path, all, atMs, context);
  const revoked = members.filter(({ verdict }) => verdict.status === 'revoked');
  const isPast = ({ verdict }: Member) => (verdict.revokedAtMs ?? 0) <= untilMs;
  const decisive = revoked.find((one) => isPast(one) && !isOnHold(one)) ?? revoked.find(isPast);
  if (decisive !== undefined) {
    const { message } = decisive.verdict;
    const subIndication = revocationOf(decisive);
    return { status: 'revoked', message, subIndication, revocation: describeRevocation(decisive) };
  }
  const [later] = revoked;
  const rest =
    later === undefined
      ? {}
      : { revokedLater: later.verdict.message, revocation: describeRevocation(later) };
  const doubts: Doubt[] = [];
  let isLeafKnown = true;
  for (const member of members) {
    const found = findDoubt(member, isOutdatedRefused);
    if (found === undefined) continue;
    doubts.push(found);
    if (member.isLeaf) isLeafKnown = false;
    onUnknown?.(found.certificate, member.issuer);
  }
  const decisiveDoubt = findDecisiveDoubt(doubts, mode);
  if (decisiveDoubt === undefined) return { status: 'good', message: 'not revoked', ...rest };
  const { message, subIndication = 'TRY_LATER' } = decisiveDoubt;
  const isByPastEvidence = members[0]?.verdict.isPast === true;
  return { status: 'unknown', message, subIndication, isLeafKnown, isByPastEvidence, ...rest };
}

function describeRevocation({ certificate, verdict }: Member): Revocation {
  const { revokedAtMs, reason, source, der } = verdict;
  return { certificate, revokedAtMs, reason, source, der };
}

/** @spec ETSI EN 319 102-1 §5.2.6.4: the hold on a certificate may be lifted later */
function revocationOf(member: Member): string {
  if (isOnHold(member)) return 'TRY_LATER';
  return member.isLeaf ? 'REVOKED_NO_POE' : 'REVOKED_CA_NO_POE';
}

function isOnHold({ verdict }: Member): boolean {
  return verdict.reason === 'certificateHold';
}

/** Reason for an unknown status, and the certificate that needs evidence. */
interface Doubt {
  readonly certificate: Certificate;
  readonly message: string;
  /** Default: that for missing evidence. */
  readonly subIndication?: string;
}

/** The evidence exists, but its signer has since expired. */
const OUTDATED = { subIndication: 'REVOCATION_OUT_OF_BOUNDS_NO_POE' };
/** The evidence exists, but is too weak. @spec ETSI EN 319 102-1 §5.2.6.4 step 6 */
const WEAK = { subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' };

/**
 * The doubt that decides, wherever its certificate is in the path: a missing status (step 4)
 * precedes a weak one (step 6), which precedes one whose signer has expired (step 8). A missing
 * status that is ignored decides only if there is no other doubt.
 *
 * @spec ETSI EN 319 102-1 §5.2.6.4
 */
function findDecisiveDoubt(
  doubts: readonly Doubt[],
  mode: RevocationRules['mode'],
): Doubt | undefined {
  if (doubts.length < 2) return doubts[0];
  const steps = [undefined, WEAK.subIndication, OUTDATED.subIndication];
  const order = mode === 'ignore' ? [...steps.slice(1), ...steps.slice(0, 1)] : steps;
  const [step] = order.filter((one) => doubts.some(({ subIndication }) => subIndication === one));
  return doubts.find(({ subIndication }) => subIndication === step);
}

function findDoubt(
  { certificate, issuer, isLeaf, verdict }: Member,
  isOutdatedRefused: boolean,
): Doubt | undefined {
  const { status, responder, responderStatus, weakness, outdated, message } = verdict;
  if (status === 'revoked' || (isLeaf && needsNoStatus(certificate))) return undefined;
  const isOutdated = isLeaf && isOutdatedRefused && outdated !== undefined;
  if (status === 'unknown') return { certificate, message, ...(isOutdated && OUTDATED) };
  const isVouched =
    responderStatus !== 'unknown' || responder === undefined || responder === issuer;
  if (weakness !== undefined) return { certificate, message: weakness, ...(isVouched && WEAK) };
  if (isOutdated) return { certificate, message: outdated, ...OUTDATED };
  if (isVouched) return undefined;
  const why = 'the status of the OCSP responder is unknown';
  return { certificate: responder, message: `${message}, but ${why}` };
}

function membersOf(
  path: readonly Certificate[],
  data: RevocationEvidence,
  atMs: number,
  context: StatusContext,
): readonly Member[] {
  const { pool, anchors, nowMs, algorithms, existence, qualifier } = context;
  const { isListedResponder = qualifier?.isListedResponder } = context;
  const top = path[path.length - 1];
  const trusted = top === undefined ? anchors : [...anchors, top];
  return path.slice(0, -1).map((certificate, index): Member => {
    const issuer = path[index + 1] as Certificate;
    const verdict = checkRevocation({
      certificate,
      issuer,
      data,
      pool,
      anchors: trusted,
      atMs,
      nowMs,
      algorithms,
      existedAtMs: existence?.existedAtMs,
      isListedResponder,
    });
    return { certificate, issuer, isLeaf: index === 0, verdict };
  });
}

/**
 * Whether the given data alone proves that no certificate in the path was revoked by then, as
 * long-term levels require. A path that ends in an untrusted root is checked up to that root,
 * because the level of a file does not depend on its verifier's trust anchors.
 */
export function isProvedGood(
  certificate: Certificate,
  data: RevocationEvidence,
  atMs: number,
  context: StatusContext,
): boolean {
  const { pool, anchors } = context;
  const { path } = findPath({ certificate, pool, anchors, atMs });
  const top = path[path.length - 1];
  if (top === undefined || !endsHere(top, anchors)) return false;
  return membersOf(path, data, atMs, context).every(({ certificate: member, isLeaf, verdict }) => {
    const { status, weakness, revokedAtMs = 0 } = verdict;
    if (status === 'revoked') return revokedAtMs > atMs;
    if (isLeaf && needsNoStatus(member)) return true;
    return status === 'good' && weakness === undefined;
  });
}

function endsHere(certificate: Certificate, anchors: readonly Certificate[]): boolean {
  if (equalBytes(certificate.subjectDer, certificate.issuerDer)) return true;
  return anchors.some((anchor) => equalBytes(anchor.der, certificate.der));
}
