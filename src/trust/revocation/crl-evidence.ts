import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { attempt } from '../../base/errors.ts';
import {
  type Certificate,
  type CertificateList,
  keyUsageBits,
  parseCrl,
} from '../../formats/x509/index.ts';
import { namesOf } from '../certificates.ts';
import { interned } from '../intern.ts';
import { anchorsNamed, findPath } from '../path.ts';
import { type CrlStatement, combineDeltas, combineReasons } from './combined-crls.ts';
import { allReasons, findReach, listNameOf } from './distribution-point.ts';
import type { Evidence, EvidenceQuestion } from './revocation-evidence.ts';

const parsed = interned(64, 64 * 1024, parseCrl);

/**
 * The evidence of CRLs about the certificate, and a sentence with the reason for each CRL that is
 * not usable. CRLs of other issuers are ignored. A delta CRL is combined with its base, CRLs for
 * some reasons or distribution points with those for the rest, and an indirect CRL is used if the
 * certificate names its issuer. Every single revoking entry is reported separately.
 *
 * @spec RFC 5280 §6.3.3
 */
export function readCrlEvidence(
  question: EvidenceQuestion,
  ders: readonly Uint8Array[],
): readonly (Evidence | string)[] {
  const flaws: string[] = [];
  const statements: CrlStatement[] = [];
  for (const der of ders) {
    const found = attempt(
      () => readOne(question, der),
      ({ message }) => message,
    );
    if (typeof found === 'string') flaws.push(found);
    else if (found !== undefined) statements.push(found);
  }
  return [...flaws, ...combineReasons(combineDeltas(statements, question), question)];
}

function readOne(question: EvidenceQuestion, der: Uint8Array): CrlStatement | string | undefined {
  const crl = parsed(der);
  const { certificate } = question;
  const reach = findReach(crl, certificate);
  // Serial numbers of attribute certificates are a separate series.
  if (reach === undefined || crl.scope?.onlyAttributeCertificates === true) return undefined;
  const responder = findSigner(question, crl, der);
  if (typeof responder === 'string') return responder;
  const entry = crl.findRevoked(certificate.serialNumber, certificate.issuerDer);
  const reasons = reach & (crl.scope?.reasons ?? allReasons);
  return {
    source: 'crl',
    der,
    signed: crl,
    crl,
    reasons,
    responder,
    thisUpdateMs: crl.thisUpdateMs,
    ...defined({ nextUpdateMs: crl.nextUpdateMs }),
    ...(entry === undefined ? { status: 'good' } : { status: 'revoked', ...entry }),
    ...defined({
      flaw: checkScope(crl, certificate, reach) ?? checkSelf(responder, certificate),
    }),
  };
}

/** Why a CRL without an entry for a certificate does not prove it good; undefined if it does. */
function checkScope(
  crl: CertificateList,
  certificate: Certificate,
  reached: number,
): string | undefined {
  const unknown = crl.unknownCritical[0] ?? crl.unknownCriticalEntry();
  if (unknown !== undefined) return `the CRL has the unknown critical extension ${unknown}`;
  if (reached === 0) return 'the CRL is for a different distribution point';
  const { scope } = crl;
  if (scope === undefined) return undefined;
  const isCa = certificate.extensions.basicConstraints?.ca ?? false;
  if (scope.onlyUserCertificates && isCa) return 'the CRL does not cover CA certificates';
  if (scope.onlyCaCertificates && !isCa) return 'the CRL covers only CA certificates';
  return undefined;
}

/** A key cannot vouch for its own certificate: an attacker who has stolen the key could do so. */
function checkSelf({ spkiDer }: Certificate, certificate: Certificate): string | undefined {
  const isOwn = equalBytes(spkiDer, certificate.spkiDer);
  return isOwn ? 'the CRL is signed with the key of the certificate in question' : undefined;
}

/**
 * Finds the signer of a CRL: the issuer, another certificate with its name, or the authority of an
 * indirect CRL. All except the issuer need a valid path to the same anchor.
 */
function findSigner(
  question: EvidenceQuestion,
  crl: CertificateList,
  der: Uint8Array,
): Certificate | string {
  const { issuer } = question;
  let reason = 'the signature of the CRL is invalid, or its issuer is unknown';
  for (const candidate of signersOf(question, crl)) {
    const { keyUsage } = candidate.extensions;
    if (keyUsage !== undefined && (keyUsage & keyUsageBits.cRLSign) === 0) {
      if (candidate === issuer) reason = 'the issuer is not permitted to sign CRLs';
      continue;
    }
    if (!question.isSignedBy(crl, candidate)) continue;
    if (candidate === issuer) return candidate;
    const fault = checkSignerPath(question, candidate, der);
    if (fault === undefined) return candidate;
    reason = fault;
  }
  return reason;
}

function* signersOf(
  { issuer, pool, anchors }: EvidenceQuestion,
  crl: CertificateList,
): Generator<Certificate> {
  const { authorityKeyId: wanted } = crl;
  const name = listNameOf(crl);
  if (name === namesOf(issuer).subject) yield issuer;
  const named = [...pool.named(name), ...anchorsNamed(anchors, name)];
  const isWanted = ({ extensions: { subjectKeyId } }: Certificate) =>
    wanted !== undefined && subjectKeyId !== undefined && equalBytes(subjectKeyId, wanted);
  const ranked = [...named.filter(isWanted), ...named.filter((one) => !isWanted(one))];
  for (const candidate of ranked) if (candidate !== issuer) yield candidate;
}

/**
 * The reason that a certificate may not sign CRLs for the issuer; undefined if it may.
 *
 * @spec RFC 5280 §6.3.3 (f)
 */
function checkSignerPath(
  question: EvidenceQuestion,
  signer: Certificate,
  der: Uint8Array,
): string | undefined {
  const { issuer, pool, anchors, atMs } = question;
  const own = anchors.length < 2 ? undefined : findPath({ ...question, certificate: issuer });
  const top = own?.valid === true ? own.path.slice(-1) : anchors;
  const result = findPath({ certificate: signer, pool, anchors: top, atMs });
  if (!result.valid) return `the issuer of the CRL has no valid path: ${result.message}`;
  const isRevoked = result.path.some((member, index) => {
    const above = result.path[index + 1];
    if (above === undefined) return false;
    return question.statusOf(member, above, question.existedAtMs(der)) === 'revoked';
  });
  return isRevoked ? 'the certificate of the CRL issuer is revoked' : undefined;
}
