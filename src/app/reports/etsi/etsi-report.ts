import { limits } from '../../../base/limits.ts';
import type { VerificationReport } from '../../../verify/report/index.ts';
import type { ReportedDocument } from '../report-view.ts';
import type { AnyConclusion } from '../verdict.ts';
import { objectList } from './object-list.ts';
import type { ReportContext } from './report-context.ts';
import { signatureReport } from './signature-report.ts';
import { addDocumentTimestamp } from './timestamp-objects.ts';
import { reportNamespaces } from './uris.table.ts';
import { conclusionTag, findingData } from './validation-status.ts';
import { tag, tagAround, type XmlTag, xmlDocument } from './xml-text.ts';

/**
 * Renders the report as XML for other programs. Document time-stamps are validation objects with
 * separate reports; in a document without signatures they are reported like signatures.
 *
 * @spec ETSI TS 119 102-2 v1.4.1 §4
 */
export function etsiReport(report: VerificationReport, document: ReportedDocument = {}): string {
  const objects = objectList();
  const { verifiedAt } = report;
  const relations = { left: limits.reportRelations };
  const context: ReportContext = { objects, document, verifiedAt, relations };
  const all: readonly AnyConclusion[] = report.signatures;
  const signatures = all.filter(({ kind }) => kind === 'signature');
  const stamps = all.filter(({ kind }) => kind === 'document-timestamp');
  const reports = (signatures.length > 0 ? signatures : stamps).map((one) =>
    signatureReport(one, context),
  );
  if (signatures.length > 0) {
    for (const stamp of stamps) {
      const earlier = all.slice(0, all.indexOf(stamp));
      const covered = earlier.filter(({ kind }) => kind === 'signature');
      addDocumentTimestamp(stamp, covered, context);
    }
  }
  const prefixes = Object.entries(reportNamespaces).map(([prefix, uri]) => [
    `xmlns:${prefix}`,
    uri,
  ]);
  return xmlDocument(
    tag(
      'vr:ValidationReport',
      Object.fromEntries(prefixes),
      reports.length > 0 ? reports : [unsigned()],
      tagAround('vr:SignatureValidationObjects', objects.tags()),
    ),
  );
}

function unsigned(): XmlTag {
  const finding = { code: 'signature.none', message: 'the document has no signature' };
  const status = conclusionTag('SignatureValidationStatus', 'INDETERMINATE', undefined, [
    findingData([finding]),
  ]);
  return tag('vr:SignatureValidationReport', status);
}
