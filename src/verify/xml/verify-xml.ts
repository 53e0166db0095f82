import { defined } from '../../base/defined.ts';
import type { XmlDocument, XmlElement } from '../../formats/xml/index.ts';
import { createReferenceBudget, namespaces } from '../../formats/xmldsig/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import { coverageOfXml } from '../document-coverage.ts';
import { listUncheckedRevocation, type StoredValidationData } from '../existence/index.ts';
import { buildFinding } from '../findings/index.ts';
import type {
  CountersignatureReport,
  XmlSignatureReport,
  XmlVerificationReport,
} from '../report/index.ts';
import { type SecondOpinion, withSecondOpinion } from '../second-opinion.ts';
import { worstOf } from '../worst-of.ts';
import { checkXmlSignature } from './check-xml-signature.ts';
import type { XmlContext, XmlVerificationContext } from './context.ts';
import { type ListedSignature, listSignatures } from './list-signatures.ts';
import { createDigestMemo } from './references/digest-memo.ts';
import { isAlone } from './references/reference-scope.ts';
import { readSignatureObject } from './signature-object.ts';
import { createCertificateIndex } from './times/certificate-index.ts';
import { collectData } from './times/validation-data.ts';

/**
 * Verifies every signature of the document, in document order: references, signature value, path to
 * an anchor, level. Negative results are values of the reports.
 *
 * @throws limit.exceeded if there are more signatures than are checked
 * @spec ETSI EN 319 102-1 §5, XML-Signature Syntax and Processing 1.1 §3.2
 */
export function verifyXml(
  document: XmlDocument,
  options: XmlVerificationContext,
): readonly XmlSignatureReport[] {
  const { pool, anchors } = options;
  return verifyXmlWithPool(document, { ...options, pool: createCertificatePool(anchors, pool) });
}

/**
 * Like {@link verifyXml}, and adds the certificates of the signatures to the pool: signatures of
 * one container share them.
 *
 * @throws limit.exceeded if there are more signatures than are checked
 */
export function verifyXmlWithPool(
  document: XmlDocument,
  options: XmlVerificationContext & { readonly pool: CertificatePool },
): readonly XmlSignatureReport[] {
  const { anchors, nowMs, pool, revocation, algorithms, qualifier } = options;
  const { findFile, includeSignedData = false, isListedResponder } = options;
  const context: XmlContext = {
    document,
    anchors,
    nowMs,
    pool,
    qualifier,
    isListedResponder,
    revocation,
    algorithms,
    includeSignedData,
    findFile: findFile && ((uri) => options.findFile?.(uri)),
    budget: options.budget ?? createReferenceBudget(document),
    certificates: createCertificateIndex(pool),
    digests: createDigestMemo(),
  };
  const listed = listSignatures(document);
  const read = listed.map((each) => readSignatureObject(each));
  // Paths are built from the certificates of all signatures, in any order.
  if (read.length > 1) for (const each of read) collectData(each, pool);
  const reports = listed.map((each, index) => {
    const report = checkXmlSignature(each, context, [], read[index]);
    return withCountersignatures(report, each, context);
  });
  return noteCopies(
    listed.map(({ element }) => element),
    reports,
  );
}

const unreferenced = 'parts of the document that no reference covers';

const unjudged: readonly string[] = [
  'signatures inside a signature that are not countersignatures of it',
  unreferenced,
  'signature policies',
  'roles',
  'qualified status and trusted lists',
];

/**
 * Returns the complete report of `verify` for an XML document, see {@link verifyXml}.
 *
 * @throws limit.exceeded if there are more signatures than are checked
 */
export function verifyXmlDocument(
  document: XmlDocument,
  context: XmlVerificationContext,
): XmlVerificationReport {
  return frameOf(document, verifyXml(document, context), {
    verifiedAt: new Date(context.nowMs).toISOString(),
    notJudged: [...listUncheckedRevocation(context.revocation), ...unjudged],
  });
}

/** Applies the verdict of the second implementation to each signature of the report. */
export function withXmlOpinions(
  document: XmlDocument,
  report: XmlVerificationReport,
  opinions: readonly SecondOpinion[],
): XmlVerificationReport {
  const signatures = report.signatures.map((each, index) => {
    const opinion = opinions[index];
    return opinion === undefined ? each : withSecondOpinion(each, opinion);
  });
  return frameOf(document, signatures, report);
}

function frameOf(
  document: XmlDocument,
  signatures: readonly XmlSignatureReport[],
  { verifiedAt, notJudged }: Pick<XmlVerificationReport, 'verifiedAt' | 'notJudged'>,
): XmlVerificationReport {
  const isWhole = signatures.some(({ intact, coverage }) => intact && coverage === 'document');
  return {
    v: 1,
    format: 'xml',
    indication: worstOf(signatures),
    coverage: coverageOfXml(signatures, kindOfRoot(document)),
    verifiedAt,
    signatures,
    notJudged: isWhole ? notJudged.filter((each) => each !== unreferenced) : notJudged,
  };
}

function kindOfRoot({ root }: XmlDocument): 'signature' | 'instructed' | 'other' {
  if (!root.is(namespaces.dsig, 'Signature')) return 'other';
  return isAlone(root) ? 'signature' : 'instructed';
}

/**
 * Adds findings for signatures that occur several times in the document, so that signers are not
 * counted twice. Copies with Ids already fail, since their references are ambiguous.
 */
function noteCopies(
  elements: readonly XmlElement[],
  reports: readonly XmlSignatureReport[],
): readonly XmlSignatureReport[] {
  const values = elements.map((each) => each.child(namespaces.dsig, 'SignatureValue')?.text.trim());
  const counts = new Map<string | undefined, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return reports.map((report, index) => {
    const count = counts.get(values[index]) ?? 1;
    if (count === 1 || !report.intact) return report;
    const message = `the same signature occurs ${count} times in the document and counts once`;
    const finding = buildFinding('signature.duplicate', message);
    return { ...report, findings: [...report.findings, finding] };
  });
}

/** Maximum number of checked countersignatures of one signature, including nested ones. */
const MAX_COUNTERSIGNATURES = 16;

/**
 * Adds the conclusions on the countersignatures in the unsigned properties of a signature, and in
 * theirs. Each is verified separately, with the validation data of the surrounding signatures, and
 * must cover the value of the signature around it.
 *
 * @spec ETSI EN 319 132-1 §5.2.7
 */
function withCountersignatures(
  report: XmlSignatureReport,
  listed: ListedSignature,
  context: XmlContext,
): XmlSignatureReport {
  if (listed.nested.length === 0) return report;
  const countersignatures: CountersignatureReport[] = [];
  let isCut = false;
  addFrom(listed, [], undefined);
  if (countersignatures.length === 0) return report;
  if (!isCut) return { ...report, countersignatures };
  const message = `not checked: countersignatures after the first ${MAX_COUNTERSIGNATURES}`;
  const findings = [...report.findings, buildFinding('signature.nested', message)];
  return { ...report, findings, countersignatures };

  function addFrom(
    outer: ListedSignature,
    around: readonly StoredValidationData[],
    countersigns: number | undefined,
  ): void {
    const read = readSignatureObject(outer);
    const valueId = read.signature?.signatureValue.id;
    let data: readonly StoredValidationData[] | undefined;
    for (const property of read.properties?.unsigned ?? []) {
      if (property.kind !== 'counterSignature') continue;
      isCut ||= countersignatures.length === MAX_COUNTERSIGNATURES;
      if (isCut) return;
      data ??= [...around, collectData(read, context.pool).all];
      const inner = within(property.signature, outer);
      const counter = checkXmlSignature(inner, context, data);
      countersignatures.push({ ...conclude(counter, valueId), ...defined({ countersigns }) });
      addFrom(inner, data, countersignatures.length - 1);
    }
  }
}

function within(element: XmlElement, { nested }: ListedSignature): ListedSignature {
  const isInside = (one: XmlElement) => one.index !== element.index && element.contains(one);
  return { element, nested: nested.filter(isInside) };
}

function conclude(report: XmlSignatureReport, valueId: string | undefined): CountersignatureReport {
  const { kind, form, id, offsetBytes, coverage, references, qualification, ...rest } = report;
  const { roles, location, commitments, policy, ...conclusion } = rest;
  // A reference without a URI covers a detached file.
  const isOver =
    valueId !== undefined &&
    references.some(({ status, uri }) => status === 'valid' && uri === `#${valueId}`);
  if (isOver) return conclusion;
  const message = 'the countersignature does not cover the value of the signature around it';
  const finding = buildFinding('signature.countersigned.other', message);
  const noted = { ...conclusion, findings: [...conclusion.findings, finding] };
  if (conclusion.indication !== 'TOTAL-PASSED') return noted;
  return { ...noted, indication: 'INDETERMINATE', subIndication: 'SIG_CONSTRAINTS_FAILURE' };
}
