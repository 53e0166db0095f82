import type { ByteSource } from '../../base/bytes.ts';
import { withPdf } from '../../formats/pdf/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { parseXml } from '../../formats/xml/index.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import { verifyPdf } from '../../verify/pdf/index.ts';
import type { Finding, VerificationReport, XmlSignatureReport } from '../../verify/report.ts';
import { fileFinder, uncoveredFiles } from './detached-files.ts';
import { documentFormat } from './document-format.ts';
import type { FileObject } from './xml/request.ts';

/** What a document is checked against. */
export interface VerifyRequest {
  readonly source: ByteSource;
  /** Opens an encrypted document. */
  readonly password?: string;
  readonly anchors: readonly Certificate[];
  /** Certificates that help to build paths, DER. */
  readonly certificates?: readonly Uint8Array[];
  /** Documents that detached signatures refer to. */
  readonly detached?: readonly FileObject[];
  /** Keep the bytes that each reference covers in the report. */
  readonly includeSignedData?: boolean;
  readonly nowMs: number;
}

/**
 * Checks every signature of a PDF, an XML document or an ASiC container.
 *
 * @throws pdf.*, xml.*, container.* when the document cannot be read at all
 */
export async function verifyDocument(request: VerifyRequest): Promise<VerificationReport> {
  const { source, anchors, certificates = [], nowMs, includeSignedData = false } = request;
  const pool = createCertificatePool(certificates);
  const context = { anchors, pool, nowMs };
  const format = documentFormat(source);
  if (format === 'pdf') {
    return withPdf(source, { password: request.password }, (file) => verifyPdf(file, context));
  }
  const bytes = source.bytes ?? source.slice(0, source.lengthBytes);
  if (format === 'container') {
    const { verifyContainer } = await import('../../verify/container/index.ts');
    return verifyContainer(bytes, { ...context, includeSignedData });
  }
  const { verifyXmlDocument } = await import('../../verify/xml/index.ts');
  const { detached = [] } = request;
  const findFile = fileFinder(detached);
  const report = verifyXmlDocument(parseXml(bytes), { ...context, findFile, includeSignedData });
  const signatures = report.signatures.map((each) => withUncovered(each, detached));
  return { ...report, signatures };
}

/** A document that is given beside a signature looks signed: the signature may be over others. */
function withUncovered(
  report: XmlSignatureReport,
  detached: readonly FileObject[],
): XmlSignatureReport {
  const signatures = [{ ...report, intact: true }];
  const findings = uncoveredFiles(detached, [{ signatures }]).map(({ name }): Finding => {
    const message = `the signature does not cover the file «${name}»`;
    return { code: 'signature.file.uncovered', severity: 'warning', message };
  });
  return findings.length === 0
    ? report
    : { ...report, findings: [...report.findings, ...findings] };
}
