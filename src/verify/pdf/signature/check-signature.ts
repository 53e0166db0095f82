import { defined } from '../../../base/defined.ts';
import { isoTime } from '../../../base/time/iso-time.ts';
import {
  decodeText,
  type PdfDict,
  type PdfFile,
  PdfString,
  parsePdfDate,
} from '../../../formats/pdf/index.ts';
import { type Certificate, commonNameOf, organizationOf } from '../../../formats/x509/index.ts';
import type { TimestampVerdict } from '../../../trust/timestamp.ts';
import type { TrustConclusion } from '../../check-signer.ts';
import {
  type CmsVerdict,
  checkCmsSigner,
  signatureTimestamps,
  signingTimeOf,
} from '../../cms/index.ts';
import {
  bestSignatureTime,
  type StatusContext,
  type StoredValidationData,
  verifyTokens,
} from '../../existence/index.ts';
import { describeIntegrity } from '../../integrity.ts';
import { levelOf } from '../../level.ts';
import { describeQualification } from '../../qualification/index.ts';
import {
  cmsObjects,
  type Finding,
  pathObjects,
  type SignatureReport,
  withObjects,
} from '../../report/index.ts';
import { describeSigner } from '../../signer-summary.ts';
import { noteUnprovenTimestamps, summarizeTimestamp } from '../../timestamp-summary.ts';
import { checkBaseline } from '../baseline.ts';
import { type SignedFile, withChanges } from '../later-changes.ts';
import { docMdpOf } from '../permissions.ts';
import type { SignatureObject } from '../signature-objects.ts';
import { verifyCmsSignature } from './cms-signature.ts';
import type { DocumentTimestamp } from './document-timestamps.ts';

/** Verifies one signature. */
export function checkSignatureObject(
  signed: SignedFile,
  evidence: SignatureObject,
  stamps: readonly DocumentTimestamp[],
  store: StoredValidationData,
  context: StatusContext,
): SignatureReport {
  const cms = verifyCmsSignature(evidence, context.pool);
  const timestamps = verifyStamps(cms, context);
  const covering = stamps.filter(({ evidence: stamp }) => stamp.coveredEnd > evidence.coveredEnd);
  const later = covering.map(({ proof }) => proof);
  const time = bestSignatureTime(timestamps, later, store, context);
  const bestMs = time.bestSignatureTimeMs ?? context.nowMs;
  const departures = checkBaseline(evidence, cms);
  const findings: Finding[] = [...cms.findings, ...departures];
  const level =
    cms.intact && departures.length === 0
      ? levelOf({ certificate: cms.certificate, timestamps, covering, store, context })
      : undefined;
  const trust = checkTrust(signed.file, evidence, cms, bestMs, store, context, findings);
  noteUnprovenTimestamps('signature time-stamp', timestamps, time.proofs, findings);
  const { outcome, changes } = withChanges(
    signed,
    evidence,
    { ...trust, intact: cms.intact },
    findings,
  );
  const collect = () =>
    cmsObjects(cms.signerInfo, cms.intact, {
      ...pathObjects(cms.certificate, bestMs, dataOf(cms, store), context),
      timestamps: timestamps.map(({ path }, index) => ({ token: tokensOf(cms)[index], path })),
    });
  const claims = readClaims(signed.file, evidence.dict);
  // A single literal: each spread costs as much as ten members.
  const report = defined({
    kind: 'signature',
    field: evidence.field,
    subFilter: evidence.subFilter,
    indication: outcome.indication,
    subIndication: outcome.subIndication,
    level,
    intact: describeIntegrity(cms).intact,
    trusted: trust.trusted,
    anchor: trust.anchor,
    coverage: evidence.coverage,
    byteRange: evidence.byteRange,
    algorithm: describeAlgorithm(cms),
    signer: cms.certificate && describeSigner(cms.certificate),
    claimedTime: claims.claimedTime,
    name: claims.name,
    reason: claims.reason,
    location: claims.location,
    certifies: claims.certifies,
    statedSigner: findStatedSigner(evidence, cms, trust),
    qualification: describeQualification(context, cms.certificate, bestMs).qualification,
    bestTime: isoTime(bestMs),
    timeProved: time.bestSignatureTimeMs !== undefined,
    timestamps: timestamps.map((stamp, index) =>
      summarizeTimestamp(stamp, undefined, context, time.proofs[index]),
    ),
    changes,
    findings,
  });
  // After all other members: V8 would create new hidden classes for each report.
  return { ...report, ...withObjects(collect) };
}

function verifyStamps(cms: CmsVerdict, context: StatusContext): readonly TimestampVerdict[] {
  const { signerInfo, intact } = cms;
  if (signerInfo === undefined || !intact) return [];
  return verifyTokens(tokensOf(cms), signerInfo.signature, context);
}

function tokensOf({ signerInfo }: CmsVerdict): readonly Uint8Array[] {
  return signerInfo === undefined ? [] : signatureTimestamps(signerInfo);
}

function dataOf({ signedData }: CmsVerdict, store: StoredValidationData): StoredValidationData {
  return {
    certificates: store.certificates,
    ocsp: [...store.ocsp, ...(signedData?.ocsp ?? [])],
    crls: [...store.crls, ...(signedData?.crls ?? [])],
  };
}

function checkTrust(
  file: PdfFile,
  { subFilter, dict }: SignatureObject,
  cms: CmsVerdict,
  atMs: number,
  store: StoredValidationData,
  context: StatusContext,
  findings: Finding[],
): TrustConclusion {
  // The older forms of ISO 32000 do not have the attribute, and may contain the time in the CMS.
  const isBindingDemanded = subFilter === 'ETSI.CAdES.detached';
  const inCms = () =>
    isBindingDemanded || cms.signerInfo === undefined ? undefined : signingTimeOf(cms.signerInfo);
  const rules = () => ({ isBindingDemanded, claimedMs: claimedTimeOf(file, dict) ?? inCms() });
  return checkCmsSigner(cms, rules, { atMs, data: dataOf(cms, store) }, context, findings);
}

function describeAlgorithm({ signerInfo }: CmsVerdict): string | undefined {
  const algorithm = signerInfo?.signatureAlgorithm;
  return algorithm && `${algorithm.scheme} ${algorithm.digest}`;
}

/** The time in /M. Undefined if it is missing or not a date. */
function claimedTimeOf(file: PdfFile, dict: PdfDict): number | undefined {
  const claimed = file.resolve(dict.get('M'));
  return claimed instanceof PdfString ? parsePdfDate(claimed) : undefined;
}

/** The stated signer, if the signature covers the statement and its certificate is trusted. */
function findStatedSigner(
  { dict, coverage }: SignatureObject,
  { certificate, intact }: CmsVerdict,
  { anchor }: TrustConclusion,
) {
  const isStated = intact && coverage !== 'partial' && anchor !== undefined;
  return isStated && certificate !== undefined ? statedSigner(dict, certificate) : undefined;
}

function readClaims(file: PdfFile, dict: PdfDict) {
  const text = (key: string) => {
    const value = file.resolve(dict.get(key));
    return value instanceof PdfString ? decodeText(value) : undefined;
  };
  const claimedMs = claimedTimeOf(file, dict);
  return {
    claimedTime: claimedMs === undefined ? undefined : isoTime(claimedMs),
    name: text('Name'),
    reason: text('Reason'),
    location: text('Location'),
    certifies: docMdpOf(file, dict),
  };
}

/**
 * The person who signed, as stated by the certificate holder: the entry /Name of a signature
 * dictionary that the signature covers, if the certificate belongs to an organisation with a
 * different name. Undefined if there is no such statement.
 *
 * This is how a seal for a person who signed by a click or a code looks. Only a direct string
 * counts: an update could redefine an indirect object without changing the dictionary.
 *
 * @spec ISO 32000-2 §12.8.1 table 255 (Name)
 */
function statedSigner(dict: PdfDict, certificate: Certificate): string | undefined {
  const entry = dict.get('Name');
  if (!(entry instanceof PdfString)) return undefined;
  if (!isOfOrganization(certificate)) return undefined;
  const name = decodeText(entry).trim();
  const words = wordsOf(name);
  if (words === '') return undefined;
  const { subjectDer } = certificate;
  const own = [commonNameOf(subjectDer), organizationOf(subjectDer)].map((one) => wordsOf(one));
  return own.includes(words) ? undefined : name;
}

/** A certificate with only a common name may belong to a person, who does not sign for others. */
function isOfOrganization(certificate: Certificate): boolean {
  const { holder } = describeSigner(certificate);
  if (holder !== undefined) return holder === 'legal-person';
  return organizationOf(certificate.subjectDer) !== undefined;
}

/** The words of a name, sorted: `DOE John` and `John Doe` are the same. */
function wordsOf(name = ''): string {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.sort().join(' ');
}
