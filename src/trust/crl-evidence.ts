import { equalBytes } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import {
  type Certificate,
  type CertificateList,
  comparableName,
  keyUsageBits,
  parseCrl,
} from '../formats/x509/index.ts';
import { namesOf } from './certificates.ts';
import { isSamePoint } from './distribution-point.ts';
import { createInternTable } from './intern.ts';
import { findPath } from './path.ts';
import type { Evidence, EvidenceQuestion } from './revocation-evidence.ts';
import { tryParsing } from './revocation-evidence.ts';

/** Certificates of the issuer's name that are tried as the signer of one CRL. */
const MAX_SIGNERS = 16;

const parsed = createInternTable(64, 64 * 1024, parseCrl);

/**
 * What one CRL proves about the certificate, or a sentence that says why it proves nothing.
 * Undefined when the CRL is another issuer's. Delta and indirect CRLs and those that cover some
 * reasons only are not used.
 *
 * @spec RFC 5280 §6.3.3
 */
export function readCrlEvidence(
  question: EvidenceQuestion,
  der: Uint8Array,
): Evidence | string | undefined {
  const crl = tryParsing(() => parsed.get(der));
  if (typeof crl === 'string') return crl;
  const { certificate } = question;
  if (!isIssuedBy(crl, certificate)) return undefined;
  const unusable = checkKind(crl);
  if (unusable !== undefined) return unusable;
  const responder = findSigner(question, crl);
  if (typeof responder === 'string') return responder;
  const entry = tryParsing(() => crl.findRevoked(certificate.serialNumber));
  if (typeof entry === 'string') return entry;
  const said = {
    source: 'crl' as const,
    der,
    signed: crl,
    responder,
    thisUpdateMs: crl.thisUpdateMs,
    ...defined({ nextUpdateMs: crl.nextUpdateMs }),
  };
  // A CRL that covers a part only does not say that the rest is good, but an entry is an entry.
  if (entry !== undefined) return { ...said, status: 'revoked', ...entry };
  const flaw = tryParsing(() => checkScope(crl, certificate));
  return { ...said, status: 'good', ...defined({ flaw }) };
}

function isIssuedBy(crl: CertificateList, certificate: Certificate): boolean {
  return (
    equalBytes(crl.issuerDer, certificate.issuerDer) ||
    comparableName(crl.issuerDer) === namesOf(certificate).issuer
  );
}

/** Kinds whose entries cannot be read without more. */
function checkKind({ isDelta, scope }: CertificateList): string | undefined {
  if (isDelta) return 'the CRL is a delta CRL';
  return scope?.indirect ? 'the CRL is indirect' : undefined;
}

function checkScope(crl: CertificateList, certificate: Certificate): string | undefined {
  if (crl.unknownCritical.length > 0) {
    return `the CRL has the unknown critical extension ${crl.unknownCritical[0]}`;
  }
  const { scope } = crl;
  if (scope === undefined) return undefined;
  if (scope.onlySomeReasons) return 'the CRL covers some reasons only';
  if (scope.onlyAttributeCertificates) return 'the CRL covers attribute certificates only';
  const isCa = certificate.extensions.basicConstraints?.ca ?? false;
  if (scope.onlyUserCertificates && isCa) return 'the CRL does not cover CA certificates';
  if (scope.onlyCaCertificates && !isCa) return 'the CRL covers CA certificates only';
  if (scope.distributionPoint === undefined) return undefined;
  return isSamePoint(scope.distributionPoint, certificate)
    ? undefined
    : 'the CRL is for another distribution point';
}

/** The issuer, or another certificate of the same name on a valid path: keys are rolled over. */
function findSigner(question: EvidenceQuestion, crl: CertificateList): Certificate | string {
  const { certificate, issuer, pool, anchors, atMs } = question;
  let reason = 'the signature of the CRL is invalid, or its issuer is unknown';
  for (const candidate of [issuer, ...pool.issuersOf(certificate).slice(0, MAX_SIGNERS)]) {
    const { keyUsage } = candidate.extensions;
    if (keyUsage !== undefined && (keyUsage & keyUsageBits.cRLSign) === 0) {
      if (candidate === issuer) reason = 'the issuer may not sign CRLs';
      continue;
    }
    if (!question.isSignedBy(crl, candidate)) continue;
    if (candidate === issuer) return candidate;
    const result = findPath({ certificate: candidate, pool, anchors, atMs });
    if (!result.valid) reason = `the issuer of the CRL has no valid path: ${result.message}`;
    else if (
      result.path.some((member, index) => isMemberRevoked(question, member, result.path[index + 1]))
    ) {
      reason = 'the certificate of the CRL issuer is revoked';
    } else return candidate;
  }
  return reason;
}

function isMemberRevoked(
  question: EvidenceQuestion,
  member: Certificate,
  issuer: Certificate | undefined,
): boolean {
  return issuer !== undefined && question.isRevoked(member, issuer);
}
