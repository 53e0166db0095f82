import type { ByteSource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import type { RevocationMode } from '../../base/revocation-mode.ts';
import { withPdf } from '../../formats/pdf/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { parseXml, type XmlDocument } from '../../formats/xml/index.ts';
import { namespaces } from '../../formats/xmldsig/index.ts';
import type { RevocationSource } from '../../seal/ports.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import {
  type RevocationEvidence,
  type RevocationRules,
  withEvidence,
} from '../../verify/existence/index.ts';
import { buildFinding } from '../../verify/findings/index.ts';
import { verifyPdf } from '../../verify/pdf/index.ts';
import type { Qualifier } from '../../verify/qualification/index.ts';
import {
  type CmsSignatureReport,
  type CmsVerificationReport,
  type ContainerVerificationReport,
  type Finding,
  type PdfVerificationReport,
  settleReport,
  type VerificationReport,
  withBuildingBlocks,
  type XmlSignatureReport,
  type XmlVerificationReport,
} from '../../verify/report/index.ts';
import { withSecondOpinion } from '../../verify/second-opinion.ts';
import type { XmlSignatureChecker } from '../ports/index.ts';
import { fileFinder, uncoveredFiles } from './detached-files.ts';
import { documentFormat } from './document-format.ts';
import { openInquiry } from './revocation-inquiry.ts';
import type { FileObject } from './xml/request.ts';

/** Options of a verification. */
export interface VerifyRequest {
  readonly source: ByteSource;
  /** Password of an encrypted document. */
  readonly password?: string;
  readonly anchors: readonly Certificate[];
  /** Further certificates for building paths, DER. */
  readonly certificates?: readonly Uint8Array[];
  /** Documents that detached signatures refer to. */
  readonly detached?: readonly FileObject[];
  /** Include in the report the bytes that each reference covers. */
  readonly includeSignedData?: boolean;
  readonly nowMs: number;
  /** Qualifies signatures by trusted lists. Without it, reports contain no qualification. */
  readonly qualifier?: Qualifier | undefined;
  /** Second implementation that checks XML signatures; it can only lower a conclusion. */
  readonly checker?: XmlSignatureChecker;
  /** Default: `require`. */
  readonly revocation?: RevocationMode;
  /** OCSP responses and CRLs in addition to those of the document. Default: none. */
  readonly validationData?: RevocationEvidence;
  /** Revocation source for `online`. */
  readonly revocationSource?: RevocationSource;
  /** Expiry dates of algorithms. Default: the table from ETSI TS 119 312. */
  readonly algorithms?: AlgorithmTable | undefined;
}

/** Maximum number of request rounds: a response may itself need revocation data. */
const MAX_ROUNDS = 4;

/**
 * Verifies every signature of a PDF, an XML document, an ASiC container or a CMS file.
 *
 * @throws pdf.*, xml.*, container.*, cms.* if the document cannot be read at all
 */
export async function verifyDocument(request: VerifyRequest): Promise<VerificationReport> {
  const report = await verifyWithRevocation(request);
  const settled = request.qualifier === undefined ? report : settleReport(report);
  return withBuildingBlocks(settled);
}

async function verifyWithRevocation(request: VerifyRequest): Promise<VerificationReport> {
  const { revocation: mode = 'require', validationData: given, revocationSource } = request;
  if (mode !== 'online' || revocationSource === undefined) {
    const rules = { mode: mode === 'ignore' ? mode : ('require' as const), ...defined({ given }) };
    return { ...(await verifyBy(rules, request)), revocation: { mode, asked: [] } };
  }
  const inquiry = openInquiry(revocationSource);
  const { certificates = [] } = request;
  const known = { ...request, certificates: [...certificates] };
  for (let round = 0; ; round++) {
    const rules = withEvidence({ mode: 'require', ...defined({ given }) }, inquiry.evidence);
    const report = await verifyBy({ ...rules, onUnknown: inquiry.want }, known);
    if (round >= MAX_ROUNDS || !(await inquiry.ask())) {
      return { ...report, revocation: { mode, asked: inquiry.asked } };
    }
    known.certificates = [...certificates, ...inquiry.certificates];
  }
}

async function verifyBy(
  revocation: RevocationRules,
  request: VerifyRequest,
): Promise<VerificationReport> {
  const { source, anchors, certificates = [], nowMs, algorithms, qualifier } = request;
  const { detached = [], includeSignedData = false } = request;
  const pool = createCertificatePool(certificates);
  const context = { anchors, pool, nowMs, revocation, algorithms, qualifier };
  const format = documentFormat(source);
  if (format === 'pdf') {
    const report = await withPdf(source, { password: request.password }, (file) =>
      verifyPdf(file, context),
    );
    return request.checker === undefined ? report : withoutOpinion(report);
  }
  const bytes = source.bytes ?? source.slice(0, source.lengthBytes);
  if (format === 'container') {
    const { verifyContainer } = await import('../../verify/container/index.ts');
    const report = verifyContainer(bytes, { ...context, includeSignedData });
    return request.checker === undefined ? report : withoutOpinion(report);
  }
  if (format === 'cms') {
    const { verifyCmsFile } = await import('../../verify/cades/index.ts');
    const report = verifyCmsFile(bytes, detached, context);
    const signatures = report.signatures.map((each) => withUncovered(each, detached));
    const whole = { ...report, signatures };
    return request.checker === undefined ? whole : withoutOpinion(whole);
  }
  const { verifyXmlDocument } = await import('../../verify/xml/index.ts');
  const { checker } = request;
  const findFile = fileFinder(detached);
  const document = parseXml(bytes);
  const own = verifyXmlDocument(document, { ...context, findFile, includeSignedData });
  const report = checker === undefined ? own : await withOpinions(own, document, bytes, checker);
  const signatures = report.signatures.map((each) => withUncovered(each, detached));
  return { ...report, signatures };
}

/** Adds the second implementation's conclusion on every signature, given the signer found here. */
async function withOpinions(
  report: XmlVerificationReport,
  document: XmlDocument,
  bytes: Uint8Array,
  checker: XmlSignatureChecker,
): Promise<XmlVerificationReport> {
  const { withXmlOpinions } = await import('../../verify/xml/index.ts');
  const starts = document.findAll(namespaces.dsig, 'Signature').map((each) => each.startOffset);
  const questions = report.signatures.map(({ offsetBytes, signer }) => ({
    index: starts.indexOf(offsetBytes),
    ...(signer === undefined ? {} : { serialNumber: signer.serialNumber }),
  }));
  return withXmlOpinions(document, report, await checker.check(bytes, questions));
}

/** The report for a format that the second implementation does not support. */
function withoutOpinion<
  Report extends PdfVerificationReport | ContainerVerificationReport | CmsVerificationReport,
>(report: Report): Report {
  const why = 'it only supports XML documents';
  const signatures = report.signatures.map((each) =>
    withSecondOpinion(each, { verdict: 'none', why }),
  );
  return { ...report, signatures };
}

/** A detached document passed along looks signed, though the signature may cover others. */
function withUncovered<Report extends XmlSignatureReport | CmsSignatureReport>(
  report: Report,
  detached: readonly FileObject[],
): Report {
  const signatures = [{ ...report, intact: true }];
  const findings = uncoveredFiles(detached, [{ signatures }]).map(({ name }): Finding => {
    const message = `the signature does not cover the file "${name}"`;
    return buildFinding('signature.file.uncovered', message);
  });
  return findings.length === 0
    ? report
    : { ...report, findings: [...report.findings, ...findings] };
}
