import {
  asArray,
  asDict,
  asInteger,
  asName,
  decodeText,
  type PdfDict,
  type PdfFile,
  PdfString,
  parsePdfDate,
} from '../formats/pdf/index.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { findWeakDigest, findWeakness, findWeakPath } from '../trust/algorithm-policy.ts';
import { findPath, type PathResult } from '../trust/path.ts';
import { checkSigningPurpose } from '../trust/purpose.ts';
import { digestOf } from '../trust/signature.ts';
import { type TimestampVerdict, verifyTimestampToken } from '../trust/timestamp.ts';
import { checkBaseline } from './baseline.ts';
import { type CmsVerdict, signatureTimestamps, verifyCmsSignature } from './cms-signature.ts';
import type { DocumentTimestamp } from './document-timestamps.ts';
import type { SignedEvidence } from './evidence.ts';
import { summarizeTimestamp, toIso } from './judge-timestamp.ts';
import { withChanges } from './later-changes.ts';
import { levelOf } from './level.ts';
import { checkPathStatus, type StatusContext, type StatusVerdict } from './long-term.ts';
import type { Finding, Indication, SignatureReport } from './report.ts';
import type { StoredValidationData } from './security-store.ts';
import { describeSigner } from './signer-summary.ts';
import { proveTime } from './time-proof.ts';

/** The report on one signature. */
export function judgeSignature(
  file: PdfFile,
  evidence: SignedEvidence,
  stamps: readonly DocumentTimestamp[],
  store: StoredValidationData,
  context: StatusContext,
): SignatureReport {
  const cms = verifyCmsSignature(evidence, context.pool);
  const timestamps = verifyStamps(cms, context);
  const covering = stamps.filter(({ evidence: stamp }) => stamp.coveredEnd > evidence.coveredEnd);
  const provedMs = bestTimeMs(timestamps, covering, store, context);
  const bestMs = provedMs ?? context.nowMs;
  const departures = checkBaseline(evidence, cms);
  const findings: Finding[] = [...cms.findings, ...departures];
  const level =
    cms.intact && departures.length === 0
      ? levelOf({ cms, timestamps, covering, store, context })
      : undefined;
  const trust = judgeTrust(cms, bestMs, store, context, findings);
  for (const stamp of timestamps) {
    if (stamp.valid && stamp.trusted) continue;
    findings.push({
      code: stamp.problem ?? 'tsa.response.invalid',
      severity: 'warning',
      message: `signature time-stamp: ${stamp.message}`,
    });
  }
  const outcome = withChanges(file, evidence, trust.outcome, findings);
  return {
    kind: 'signature',
    field: evidence.field,
    subFilter: evidence.subFilter,
    ...outcome,
    ...(level === undefined ? {} : { level }),
    intact: cms.intact,
    trusted: trust.trusted,
    ...(trust.anchor === undefined ? {} : { anchor: trust.anchor }),
    coverage: evidence.coverage,
    byteRange: evidence.byteRange,
    ...describeAlgorithm(cms),
    ...(cms.certificate === undefined ? {} : { signer: describeSigner(cms.certificate) }),
    ...describeClaims(file, evidence.dict),
    bestTime: toIso(bestMs),
    timeProved: provedMs !== undefined,
    timestamps: timestamps.map(summarizeTimestamp),
    findings,
  };
}

function verifyStamps(cms: CmsVerdict, context: StatusContext): readonly TimestampVerdict[] {
  const { signerInfo } = cms;
  if (signerInfo === undefined || !cms.intact) return [];
  return signatureTimestamps(signerInfo).map((token) =>
    verifyTimestampToken({
      token,
      imprint: (digest) => digestOf(digest, signerInfo.signature),
      ...context,
    }),
  );
}

/** The earliest time at which the signature provably existed. */
function bestTimeMs(
  timestamps: readonly TimestampVerdict[],
  covering: readonly DocumentTimestamp[],
  store: StoredValidationData,
  context: StatusContext,
): number | undefined {
  const times = covering.flatMap(({ proof }) => (proof.timeMs === undefined ? [] : [proof.timeMs]));
  const provedMs = Math.min(context.nowMs, ...times);
  for (const verdict of timestamps) {
    const { timeMs } = proveTime(verdict, store, provedMs, context);
    if (timeMs !== undefined) times.push(timeMs);
  }
  return times.length === 0 ? undefined : Math.min(...times);
}

interface TrustJudgement {
  readonly outcome: { readonly indication: Indication; readonly subIndication?: string };
  readonly trusted: boolean;
  readonly anchor?: string;
}

function judgeTrust(
  cms: CmsVerdict,
  bestMs: number,
  store: StoredValidationData,
  context: StatusContext,
  findings: Finding[],
): TrustJudgement {
  const { certificate, subIndication = 'FORMAT_FAILURE' } = cms;
  if (certificate === undefined || !cms.intact) {
    const indeterminate = subIndication === 'NO_SIGNING_CERTIFICATE_FOUND';
    const unknown = subIndication.startsWith('CRYPTO_') || indeterminate;
    const indication = unknown ? 'INDETERMINATE' : 'TOTAL-FAILED';
    return { outcome: { indication, subIndication }, trusted: false };
  }
  const { pool, anchors } = context;
  const path: PathResult = findPath({ certificate, pool, anchors, atMs: bestMs });
  if (!path.valid) {
    findings.push({ code: 'certificate.untrusted', severity: 'warning', message: path.message });
    const outcome = { indication: 'INDETERMINATE', subIndication: path.problem } as const;
    return { outcome, trusted: false };
  }
  const weakness = findWeakSignature(cms, certificate) ?? findWeakPath(path.path);
  if (weakness !== undefined) {
    findings.push({ code: 'algorithm.weak', severity: 'error', message: weakness });
    const subIndication = 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE';
    return { outcome: { indication: 'INDETERMINATE', subIndication }, trusted: false };
  }
  const [misuse] = checkSigningPurpose(certificate);
  if (misuse !== undefined) {
    findings.push({ code: 'key.usage.forbidden', severity: 'error', message: misuse });
    const subIndication = 'CHAIN_CONSTRAINTS_FAILURE';
    return { outcome: { indication: 'INDETERMINATE', subIndication }, trusted: false };
  }
  const verdict = judgeStatus(certificate, bestMs, store, context, cms, findings);
  const anchor = path.path[path.path.length - 1] as Certificate;
  return { ...verdict, anchor: describeSigner(anchor).subject };
}

function findWeakSignature(cms: CmsVerdict, certificate: Certificate): string | undefined {
  const { signatureAlgorithm: algorithm, digest } = cms.signerInfo ?? {};
  if (algorithm === undefined) return undefined;
  // With embedded content the covered bytes are bound by SHA-1; else by the digest of the signer,
  // which need not be the one that the signature algorithm names.
  const binding = cms.signedData?.content === undefined ? digest : 'sha1';
  return findWeakDigest(binding) ?? findWeakness(algorithm, certificate);
}

function judgeStatus(
  certificate: Certificate,
  bestMs: number,
  store: StoredValidationData,
  context: StatusContext,
  cms: CmsVerdict,
  findings: Finding[],
): TrustJudgement {
  const embedded = cms.signedData;
  const data = {
    certificates: store.certificates,
    ocsp: [...store.ocsp, ...(embedded?.ocsp ?? [])],
    crls: [...store.crls, ...(embedded?.crls ?? [])],
  };
  const verdict: StatusVerdict = checkPathStatus(certificate, data, bestMs, context);
  if (verdict.status === 'revoked') {
    const message = verdict.message;
    findings.push({ code: 'certificate.revoked', severity: 'error', message });
    if ((verdict.revokedAtMs ?? 0) <= bestMs) {
      const outcome = { indication: 'INDETERMINATE', subIndication: 'REVOKED_NO_POE' } as const;
      return { outcome, trusted: false };
    }
  }
  if (verdict.status === 'unknown') {
    const message = `revocation not judged: ${verdict.message}`;
    findings.push({ code: 'revocation.unknown', severity: 'warning', message });
  }
  return { outcome: { indication: 'TOTAL-PASSED' }, trusted: true };
}

function describeAlgorithm({ signerInfo }: CmsVerdict): { readonly algorithm?: string } {
  const algorithm = signerInfo?.signatureAlgorithm;
  if (algorithm === undefined) return {};
  return { algorithm: `${algorithm.scheme} ${algorithm.digest}` };
}

function describeClaims(file: PdfFile, dict: PdfDict) {
  const text = (key: string) => {
    const value = file.resolve(dict.get(key));
    return value instanceof PdfString ? value : undefined;
  };
  const claimed = text('M');
  const claimedMs = claimed === undefined ? undefined : parsePdfDate(claimed);
  const reason = text('Reason');
  const location = text('Location');
  const certifies = certificationLevel(file, dict);
  return {
    ...(claimedMs === undefined ? {} : { claimedTime: toIso(claimedMs) }),
    ...(reason === undefined ? {} : { reason: decodeText(reason) }),
    ...(location === undefined ? {} : { location: decodeText(location) }),
    ...(certifies === undefined ? {} : { certifies }),
  };
}

function certificationLevel(file: PdfFile, dict: PdfDict): 1 | 2 | 3 | undefined {
  for (const item of asArray(file.resolve(dict.get('Reference'))) ?? []) {
    const reference = asDict(file.resolve(item));
    if (asName(file.resolve(reference?.get('TransformMethod')))?.value !== 'DocMDP') continue;
    const parameters = asDict(file.resolve(reference?.get('TransformParams')));
    const level = asInteger(file.resolve(parameters?.get('P'))) ?? 2;
    return level === 1 || level === 3 ? level : 2;
  }
  return undefined;
}
