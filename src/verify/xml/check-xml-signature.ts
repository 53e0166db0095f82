import { defined } from '../../base/defined.ts';
import { attempt } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { findDigest, referenceTypes, signedInfoBytes } from '../../formats/xmldsig/index.ts';
import { digestOf } from '../../trust/signature.ts';
import { checkBroken, checkSigner, type Outcome, type TrustConclusion } from '../check-signer.ts';
import { requireConstraints } from '../cms/index.ts';
import { type StoredValidationData, withEvidenceUnder } from '../existence/index.ts';
import { buildFinding } from '../findings/index.ts';
import { describeIntegrity } from '../integrity.ts';
import { describeQualification } from '../qualification/index.ts';
import {
  type Finding,
  pathObjects,
  type TimestampSummary,
  type ValidationObjects,
  withObjects,
  type XmlSignatureReport,
} from '../report/index.ts';
import { describeSigner } from '../signer-summary.ts';
import { noteUnprovenTimestamps, summarizeTimestamp } from '../timestamp-summary.ts';
import type { XmlContext } from './context.ts';
import { findCoverage, noteUncovered } from './coverage/coverage-findings.ts';
import { noteForeignContent } from './coverage/foreign-content.ts';
import { checkMathematics, type XmlVerdict } from './cryptographic-verification.ts';
import { describeClaims } from './describe-claims.ts';
import type { ListedSignature } from './list-signatures.ts';
import { listMissingProperties } from './missing-properties.ts';
import { type CheckedReference, checkReferences } from './references/check-references.ts';
import { checkPropertiesReference } from './references/properties-reference.ts';
import { readSignatureObject, type XmlSignatureObject } from './signature-object.ts';
import { type CheckedStamp, checkTimestamps } from './times/check-timestamps.ts';
import { findLevel, type ProvedTimes, proveSignatureTimes } from './times/proofs-of-existence.ts';
import { collectData, type EmbeddedData } from './times/validation-data.ts';
import { checkLongTermForm, checkXadesBaseline } from './xml-baseline.ts';

/** Verifies one signature, also using validation data from `around` it. */
export function checkXmlSignature(
  listed: ListedSignature,
  context: XmlContext,
  around: readonly StoredValidationData[] = [],
  read = readSignatureObject(listed),
): XmlSignatureReport {
  const references = referencesOf(read, context);
  const uncovered = checkPropertiesReference(read, references);
  const evidence =
    uncovered === undefined ? read : { ...read, faults: [...read.faults, uncovered] };
  const data = collectData(evidence, context.pool, around);
  const verdict = checkMathematics(evidence, references, data.certificates, context);
  const findings: Finding[] = [...verdict.findings, ...evidence.notes];
  const stamps = stampsOf(evidence, verdict, context, findings);
  const times = proveSignatureTimes(stamps, data, context);
  noteUnproven(stamps, times, findings);
  const bestMs = times.provedMs ?? context.nowMs;
  const proved = withEvidenceUnder(context, times.evidence);
  const trust = checkTrust(evidence, verdict, references, data, bestMs, proved, findings);
  const level = checkLevel(evidence, verdict, references, times, data, proved, findings);
  const coverage = verdict.intact ? findCoverage(references) : 'none';
  if (verdict.intact) findings.push(...noteUncovered(evidence, references, coverage));
  else findings.push(...noteForeignContent(evidence.element, new Set()));
  const { element, form, signature } = evidence;
  const algorithm = signature?.signedInfo.signatureMethod.algorithm;
  const id = element.attribute('Id');
  const collect = (): ValidationObjects => ({
    ...valuesOf(evidence),
    references: references.flatMap(({ reference: { digest, digestValue: value } }) =>
      digest === undefined ? [] : { digest, value },
    ),
    ...pathObjects(verdict.certificate, bestMs, data.all, context),
    timestamps: stamps.map(({ token, verdict: { path } }) => ({ token, path })),
  });
  return {
    kind: 'signature',
    form,
    ...defined({ id }),
    offsetBytes: element.startOffset,
    ...trust.outcome,
    ...defined({ level }),
    ...describeIntegrity(verdict),
    trusted: trust.trusted,
    ...defined({ anchor: trust.anchor }),
    coverage,
    ...(algorithm && { algorithm: `${algorithm.scheme} ${algorithm.digest}` }),
    ...defined({
      signer: verdict.certificate === undefined ? undefined : describeSigner(verdict.certificate),
    }),
    // Claims that are not bound to this signature are ignored.
    ...(evidence.faults.length === 0 ? describeClaims(evidence.properties?.signed) : {}),
    ...describeQualification(context, verdict.certificate, bestMs),
    bestTime: isoTime(bestMs),
    timeProved: times.provedMs !== undefined,
    timestamps: stamps.map((stamp) =>
      summarizeTimestamp(stamp.verdict, stamp.covers, context, times.proofs.get(stamp)),
    ),
    references: references.map(({ report }) => report),
    findings,
    // Not the first member: V8 would create new hidden classes for each report.
    ...withObjects(collect),
  };
}

function valuesOf({
  signature,
}: XmlSignatureObject): Pick<ValidationObjects, 'signatureValue' | 'signedDigest'> {
  if (signature === undefined) return {};
  const signatureValue = signature.signatureValue.bytes;
  const digest = signature.signedInfo.signatureMethod.algorithm?.digest;
  // A signature that failed an earlier check may have none.
  const bytes = attempt(() => signedInfoBytes(signature.signedInfo));
  if (digest === undefined || bytes === undefined) return { signatureValue };
  return { signatureValue, signedDigest: { digest, value: digestOf(digest, bytes) } };
}

function referencesOf(
  { signature, properties }: XmlSignatureObject,
  context: XmlContext,
): readonly CheckedReference[] {
  if (signature === undefined) return [];
  return checkReferences({ document: context.document, signature, properties }, context);
}

/**
 * Time-stamps over a broken signature prove nothing and are not checked. If only the signed data is
 * missing, they are checked, and the level is determined.
 */
function stampsOf(
  { signature, properties }: XmlSignatureObject,
  verdict: XmlVerdict,
  context: XmlContext,
  findings: Finding[],
): readonly CheckedStamp[] {
  const isSound = verdict.intact || verdict.isDataMissing === true;
  if (!isSound || signature === undefined || properties === undefined) return [];
  return checkTimestamps({ signature, properties }, context, findings);
}

function noteUnproven(
  stamps: readonly CheckedStamp[],
  { proofs }: ProvedTimes,
  findings: Finding[],
): void {
  const names: readonly NonNullable<TimestampSummary['covers']>[] = [
    'content',
    'signature',
    'references',
    'archive',
  ];
  for (const name of names) {
    for (const stamp of stamps.filter(({ covers }) => covers === name)) {
      const proof = proofs.get(stamp);
      const known = proof === undefined ? [] : [proof];
      noteUnprovenTimestamps(`${name} time-stamp`, [stamp.verdict], known, findings);
    }
  }
}

function checkTrust(
  evidence: XmlSignatureObject,
  verdict: XmlVerdict,
  references: readonly CheckedReference[],
  data: EmbeddedData,
  atMs: number,
  context: XmlContext,
  findings: Finding[],
): TrustConclusion {
  const { certificate, intact, subIndication } = verdict;
  const isDataMissing = subIndication === 'SIGNED_DATA_NOT_FOUND';
  if (!intact) {
    if (isDataMissing) return { outcome: indeterminate(subIndication), trusted: false };
    return checkBroken(subIndication);
  }
  if (certificate === undefined) return checkBroken('NO_SIGNING_CERTIFICATE_FOUND');
  const algorithm = evidence.signature?.signedInfo.signatureMethod.algorithm;
  const digests = [...new Set(references.map(({ reference }) => findDigest(reference.digestUri)))];
  const question = { certificate, atMs, algorithm, digests, data: data.all };
  const missing = listMissingProperties(evidence, references, certificate);
  const signer = checkSigner(question, context, findings);
  const trust = requireConstraints(signer, missing, findings);
  const isEmpty = !references.some(({ report }) => !ownScopes.has(report.scope));
  if (isEmpty) {
    const message = 'the references cover only the signature itself';
    findings.push(buildFinding('signature.data.none', message));
  }
  const elsewhere = references.find(isElsewhere);
  if (elsewhere !== undefined) {
    const uri = elsewhere.reference.uri?.slice(0, 100);
    const message =
      `reference "${uri}" has the type Object, but does not refer to an Object of ` +
      'the signature';
    findings.push(buildFinding('signature.object.elsewhere', message));
  }
  const isPassed = trust.outcome.indication === 'TOTAL-PASSED';
  if (!isPassed || !(isDataMissing || isEmpty || elsewhere !== undefined)) return trust;
  return { ...trust, outcome: indeterminate('SIGNED_DATA_NOT_FOUND') };
}

/** Whether an object was moved out of its signature, or something else takes its place. */
function isElsewhere({ reference: { uri = '', type }, report }: CheckedReference): boolean {
  return type === referenceTypes.object && uri.startsWith('#') && report.scope === 'element';
}

/** Scopes of references to parts of the signature itself. */
const ownScopes: ReadonlySet<string> = new Set(['properties', 'key', 'manifest', 'nothing']);

function indeterminate(subIndication: string): Outcome {
  return { indication: 'INDETERMINATE', subIndication };
}

function checkLevel(
  evidence: XmlSignatureObject,
  verdict: XmlVerdict,
  references: readonly CheckedReference[],
  times: ProvedTimes,
  data: EmbeddedData,
  context: XmlContext,
  findings: Finding[],
): XmlSignatureReport['level'] {
  if (evidence.form === 'xmldsig') return undefined;
  const { certificate, intact, isDataMissing = false } = verdict;
  const departures = checkXadesBaseline(evidence, certificate, references);
  const older = checkLongTermForm(evidence.properties);
  findings.push(...departures, ...older);
  const isOfForm = !evidence.notes.some(({ code }) => code.startsWith('baseline.'));
  if (!(intact || isDataMissing) || !isOfForm || departures.length > 0) return undefined;
  return findLevel({ certificate, times, data, isLongTermForm: older.length === 0 }, context);
}
