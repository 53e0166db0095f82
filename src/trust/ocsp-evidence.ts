import { equalBytes } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  equalNames,
  type OcspBasicResponse,
  type OcspResponse,
  type OcspSingleResponse,
  parseOcspResponse,
} from '../formats/x509/index.ts';
import { internCertificate } from './certificates.ts';
import { createInternTable } from './intern.ts';
import { checkOcspPurpose } from './purpose.ts';
import type { Evidence, EvidenceQuestion } from './revocation-evidence.ts';
import { checkFreshness, checkPeriod, tryParsing } from './revocation-evidence.ts';
import { digestOf } from './signature.ts';

/** Certificates of one answer that are tried as its responder. */
const MAX_RESPONDERS = 16;

const parsed = createInternTable(256, 16 * 1024, (der) => ({ der, ...parseOcspResponse(der) }));

const issuerHashes = new WeakMap<
  Certificate,
  Map<DigestAlgorithm, { readonly name: Uint8Array; readonly key: Uint8Array }>
>();

function hashesOf(issuer: Certificate, digest: DigestAlgorithm) {
  let known = issuerHashes.get(issuer);
  if (known === undefined) {
    known = new Map();
    issuerHashes.set(issuer, known);
  }
  let hashes = known.get(digest);
  if (hashes === undefined) {
    hashes = {
      name: digestOf(digest, issuer.subjectDer),
      key: digestOf(digest, issuer.publicKeyBits),
    };
    known.set(digest, hashes);
  }
  return hashes;
}

/**
 * What one OCSP response proves about the certificate, or a sentence that says why it proves
 * nothing. Undefined when the answer is about other certificates.
 *
 * @spec RFC 6960 §3.2, §4.2.2.2
 */
export function readOcspEvidence(
  question: EvidenceQuestion,
  der: Uint8Array,
): Evidence | string | undefined {
  const response = tryParsing<OcspResponse>(() => parsed.get(der));
  if (typeof response === 'string') return response;
  if (response.basic === undefined) return `the OCSP responder returned ${response.status}`;
  const { basic } = response;
  const single = basic.responses.find((candidate) => isAbout(candidate, question));
  if (single === undefined) return undefined;
  if (basic.unknownCritical.length + single.unknownCritical.length > 0) {
    return 'the OCSP response has an unknown critical extension';
  }
  const responder = findResponder(question, basic);
  if (typeof responder === 'string') return responder;
  const stale = checkFreshness('OCSP response', single, question);
  if (stale !== undefined) return stale;
  if (single.status === 'unknown') return 'the OCSP responder does not know the certificate';
  return {
    source: 'ocsp',
    der,
    status: single.status,
    responder,
    thisUpdateMs: single.thisUpdateMs,
    ...defined({
      nextUpdateMs: single.nextUpdateMs,
      revokedAtMs: single.revokedAtMs,
      reason: single.reason,
    }),
  };
}

function isAbout(single: OcspSingleResponse, { certificate, issuer }: EvidenceQuestion): boolean {
  const { digest, issuerNameHash, issuerKeyHash, serialNumber } = single.certificateId;
  if (!equalBytes(serialNumber, certificate.serialNumber)) return false;
  const hashes = hashesOf(issuer, digest);
  return equalBytes(hashes.name, issuerNameHash) && equalBytes(hashes.key, issuerKeyHash);
}

function isNamed(basic: OcspBasicResponse, candidate: Certificate): boolean {
  if (basic.responderKeyHash !== undefined) {
    return equalBytes(hashesOf(candidate, 'sha1').key, basic.responderKeyHash);
  }
  return equalNames(basic.responderName ?? new Uint8Array(0), candidate.subjectDer);
}

/** The issuer itself, or a certificate that the issuer's key made for signing OCSP responses. */
function findResponder(question: EvidenceQuestion, basic: OcspBasicResponse): Certificate | string {
  const { issuer, pool, atMs } = question;
  let reason = 'the certificate of the OCSP responder is missing';
  if (isNamed(basic, issuer)) {
    if (question.isSignedBy(basic, issuer)) return issuer;
    reason = 'the signature of the OCSP response is invalid';
  }
  let tried = 0;
  for (const candidate of candidatesOf(basic, pool.all)) {
    if (candidate === issuer || !isNamed(basic, candidate)) continue;
    tried++;
    if (tried > MAX_RESPONDERS) break;
    const [fault] = checkOcspPurpose(candidate);
    if (fault !== undefined) reason = `the OCSP responder is not allowed to respond: ${fault}`;
    else if (
      !equalNames(candidate.issuerDer, issuer.subjectDer) ||
      !question.isSignedBy(candidate, issuer)
    ) {
      reason = 'the OCSP responder is not authorised by the issuer of the certificate';
    } else if (!question.isSignedBy(basic, candidate))
      reason = 'the signature of the OCSP response is invalid';
    else {
      const outside = checkPeriod(candidate, Math.min(atMs, basic.producedAtMs));
      if (outside !== undefined) reason = `the certificate of the OCSP responder ${outside}`;
      else if (!candidate.extensions.ocspNoCheck && question.isRevoked(candidate, issuer)) {
        reason = 'the certificate of the OCSP responder is revoked';
      } else return candidate;
    }
  }
  return reason;
}

function* candidatesOf(
  basic: OcspBasicResponse,
  others: readonly Certificate[],
): Generator<Certificate> {
  for (const der of basic.certificates.slice(0, MAX_RESPONDERS)) {
    const certificate = tryParsing(() => internCertificate(der));
    if (typeof certificate !== 'string') yield certificate;
  }
  yield* others;
}
