import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { attempt } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  equalNames,
  type OcspBasicResponse,
  type OcspResponse,
  type OcspSingleResponse,
  parseOcspResponse,
} from '../../formats/x509/index.ts';
import { internCertificate } from '../certificates.ts';
import { interned } from '../intern.ts';
import { checkOcspPurpose } from '../purpose.ts';
import { digestOf, fingerprintOf } from '../signature.ts';
import type { Evidence, EvidenceQuestion } from './revocation-evidence.ts';
import { checkPeriod } from './revocation-evidence.ts';

/** Maximum number of certificates in one response that are tried as its responder. */
const MAX_CARRIED = 16;

const parsed = interned(256, 16 * 1024, (der) => ({ der, ...parseOcspResponse(der) }));

const issuerHashes = new WeakMap<
  Certificate,
  Map<DigestAlgorithm, { readonly name: Uint8Array; readonly key: Uint8Array }>
>();

function hashesOf(issuer: Certificate, digest: DigestAlgorithm) {
  const known = getOrCompute(issuerHashes, issuer, () => new Map());
  return getOrCompute(known, digest, () => {
    const { subjectDer, publicKeyBits } = issuer;
    return { name: digestOf(digest, subjectDer), key: digestOf(digest, publicKeyBits) };
  });
}

/**
 * The evidence of one OCSP response about the certificate, or a sentence with the reason that it is
 * not usable. Undefined if the response is about other certificates.
 *
 * @spec RFC 6960 §3.2, §4.2.2.2
 */
export function readOcspEvidence(
  question: EvidenceQuestion,
  der: Uint8Array,
): Evidence | string | undefined {
  const response: OcspResponse | string = attempt(
    () => parsed(der),
    ({ message }) => message,
  );
  if (typeof response === 'string') return response;
  if (response.basic === undefined) return `the OCSP responder returned ${response.status}`;
  const { basic } = response;
  const about = basic.responses.filter((candidate) => isAbout(candidate, question));
  const single = worstOf(about);
  if (single === undefined) return undefined;
  const found = findResponder(question, basic, der);
  if (typeof found === 'string') return found;
  if (single.status === 'unknown') return 'the OCSP responder does not know the certificate';
  // A responder that states the digest of the certificate has a record of that certificate.
  const { digest, value } = single.certificateHash ?? {};
  const isKnown = digest && value && equalBytes(fingerprintOf(question.certificate, digest), value);
  return {
    source: 'ocsp',
    der,
    signed: basic,
    status: single.status,
    ...found,
    ...defined({ flaw: checkExtensions(basic, single, isKnown) ?? found.flaw }),
    thisUpdateMs: single.thisUpdateMs,
    producedAtMs: basic.producedAtMs,
    ...defined({
      nextUpdateMs: single.nextUpdateMs,
      expiredFromMs: isKnown === true ? 0 : single.archiveCutoffMs,
      revokedAtMs: single.revokedAtMs,
      reason: single.reason,
    }),
  };
}

const severity: Readonly<Record<OcspSingleResponse['status'], number>> = {
  revoked: 2,
  unknown: 1,
  good: 0,
};

/** The worst of several statements about one certificate in a response takes precedence. */
function worstOf(singles: readonly OcspSingleResponse[]): OcspSingleResponse | undefined {
  const [first, ...others] = singles;
  const isWorse = (one: OcspSingleResponse, worst: OcspSingleResponse) =>
    severity[one.status] > severity[worst.status];
  return others.reduce((worst, one) => (worst && isWorse(one, worst) ? one : worst), first);
}

function checkExtensions(
  basic: OcspBasicResponse,
  { unknownCritical }: OcspSingleResponse,
  isKnown: boolean | undefined,
): string | undefined {
  if (basic.unknownCritical.length + unknownCritical.length > 0) {
    return 'the OCSP response has an unknown critical extension';
  }
  if (isKnown !== false) return undefined;
  return 'the OCSP response is about a different certificate with the same serial number';
}

/**
 * Whether a statement is about the certificate. The issuer name is hashed as encoded in the
 * certificate, which may use other string types than the issuer's own certificate; responders use
 * either encoding.
 *
 * @spec RFC 6960 §4.1.1
 */
function isAbout(single: OcspSingleResponse, { certificate, issuer }: EvidenceQuestion): boolean {
  const { digest, issuerNameHash, issuerKeyHash, serialNumber } = single.certificateId;
  if (!equalBytes(serialNumber, certificate.serialNumber)) return false;
  const hashes = hashesOf(issuer, digest);
  if (!equalBytes(hashes.key, issuerKeyHash)) return false;
  if (equalBytes(hashes.name, issuerNameHash)) return true;
  return (
    equalNames(certificate.issuerDer, issuer.subjectDer) &&
    equalBytes(digestOf(digest, certificate.issuerDer), issuerNameHash)
  );
}

function isNamed(basic: OcspBasicResponse, candidate: Certificate): boolean {
  if (basic.responderKeyHash !== undefined) {
    return equalBytes(hashesOf(candidate, 'sha1').key, basic.responderKeyHash);
  }
  return equalNames(basic.responderName ?? new Uint8Array(0), candidate.subjectDer);
}

/** The signer of the response, with faults that do not affect its authority. */
type FoundResponder = Pick<Evidence, 'responder' | 'responderStatus' | 'flaw' | 'listed'>;

/**
 * Finds the responder: the issuer itself, a certificate that the issuer's key signed for OCSP
 * signing, or one that a trusted list authorises for the issuer.
 */
function findResponder(
  question: EvidenceQuestion,
  basic: OcspBasicResponse,
  der: Uint8Array,
): FoundResponder | string {
  const { issuer, pool } = question;
  let reason = 'the certificate of the OCSP responder is missing';
  if (isNamed(basic, issuer)) {
    if (question.isSignedBy(basic, issuer)) return { responder: issuer };
    reason = 'the signature of the OCSP response is invalid';
  }
  let flawed: FoundResponder | undefined;
  for (const candidate of candidatesOf(basic, pool.all)) {
    if (candidate === issuer || !isNamed(basic, candidate)) continue;
    const fault = checkAuthority(question, basic, candidate);
    if (fault !== undefined) {
      reason = fault;
      continue;
    }
    const found = checkDelegate(question, basic, candidate, der);
    if (found.flaw === undefined) return found;
    flawed ??= found;
  }
  return flawed ?? reason;
}

/** The reason that a certificate may not, or did not, sign for the issuer; undefined if it did. */
function checkAuthority(
  question: EvidenceQuestion,
  basic: OcspBasicResponse,
  candidate: Certificate,
): string | undefined {
  const { issuer } = question;
  const [fault] = checkOcspPurpose(candidate);
  if (fault !== undefined) return `the OCSP responder is not allowed to respond: ${fault}`;
  if (
    !isDelegate(question, candidate) &&
    !question.isListedResponder(candidate, issuer, basic.producedAtMs)
  ) {
    return 'the OCSP responder is not authorised by the issuer of the certificate';
  }
  if (question.isSignedBy(basic, candidate)) return undefined;
  return 'the signature of the OCSP response is invalid';
}

function isDelegate(question: EvidenceQuestion, candidate: Certificate): boolean {
  const { issuer } = question;
  return (
    equalNames(candidate.issuerDer, issuer.subjectDer) && question.isSignedBy(candidate, issuer)
  );
}

/** Checks a delegated responder and its revocation status. @spec RFC 6960 §4.2.2.2.1 */
function checkDelegate(
  question: EvidenceQuestion,
  basic: OcspBasicResponse,
  responder: Certificate,
  der: Uint8Array,
): FoundResponder {
  const { certificate, issuer } = question;
  const outside = checkPeriod(responder, basic.producedAtMs);
  if (outside !== undefined) {
    return { responder, flaw: `the certificate of the OCSP responder ${outside}` };
  }
  if (responder === certificate || equalBytes(responder.der, certificate.der)) {
    return { responder, flaw: 'an OCSP responder cannot vouch for itself' };
  }
  const isOwn = isDelegate(question, responder);
  if (isOwn && responder.extensions.ocspNoCheck) return { responder };
  const existedMs = question.existedAtMs(der);
  const status = isOwn ? question.statusOf(responder, issuer, existedMs) : 'unknown';
  if (status === 'revoked') {
    return { responder, flaw: 'the certificate of the OCSP responder is revoked' };
  }
  // The status of a listed responder need not be known: the list is the proof.
  const isListedAt = (atMs: number) => question.isListedResponder(responder, issuer, atMs);
  if (isOwn && (status === 'good' || !isListedAt(existedMs))) {
    return { responder, responderStatus: status };
  }
  return { responder, listed: isListedAt(existedMs) ? 'still' : 'then' };
}

function* candidatesOf(
  basic: OcspBasicResponse,
  others: readonly Certificate[],
): Generator<Certificate> {
  for (const der of basic.certificates.slice(0, MAX_CARRIED)) {
    const certificate = attempt(
      () => internCertificate(der),
      ({ message }) => message,
    );
    if (typeof certificate !== 'string') yield certificate;
  }
  yield* others;
}
