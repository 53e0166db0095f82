import type {
  ContainerVerificationReport,
  PdfVerificationReport,
  SignatureReport,
  VerificationReport,
} from '../../verify/report/index.ts';
import { counted, printable, type Style } from '../output/index.ts';
import { findingMarks } from './signature-lines.ts';

/** The line on what is not covered, with its sign; none when everything is. */
export function coverageLines(report: VerificationReport, style: Style): readonly string[] {
  const text = uncoveredText(report);
  if (text === undefined) return [];
  return [`${findingMarks[isHarmless(report) ? 'info' : 'warning'](style)} ${text}`];
}

/** True for a PDF whose verdict includes a check of the part after the last signature. */
function isHarmless(report: VerificationReport): boolean {
  if (report.format !== 'pdf' || report.uncoveredBytes === 0) return false;
  const last = report.signatures.findLast(({ intact }) => intact);
  return last?.indication === 'TOTAL-PASSED' && !isFilled(last);
}

/** True when something that people read was put behind the signature, though it is permitted. */
function isFilled({ changes }: SignatureReport): boolean {
  return changes?.list.some(({ kind }) => kind === 'value' || kind === 'annotation') === true;
}

/** The remark about content that no valid signature covers; undefined without any. */
export function uncoveredText(report: VerificationReport): string | undefined {
  if (report.signatures.length === 0) return undefined;
  const bytes = report.format === 'pdf' ? uncoveredBytesText(report) : undefined;
  if (bytes !== undefined || report.coverage === 'full') return bytes;
  if (report.coverage === 'none') return 'no valid signature covers any part of the document';
  const files = report.format === 'asic-s' || report.format === 'asic-e' ? leftOut(report) : '';
  if (files !== '') return `no valid signature covers ${files}`;
  return 'no valid signature covers the whole document, only a part of it';
}

function leftOut({ files }: ContainerVerificationReport): string {
  const names = files.filter(({ covered }) => !covered).map(({ name }) => printable(name));
  return names.length > 3 ? counted(names.length, 'file') : names.join(', ');
}

function uncoveredBytesText(report: PdfVerificationReport): string | undefined {
  const { uncoveredBytes, signatures } = report;
  const last = signatures.findLast(({ intact }) => intact);
  if (uncoveredBytes === 0 || last === undefined) return undefined;
  const isForeign = last.findings.some(({ code }) => code === 'document.changed');
  const [are, change, were] =
    uncoveredBytes === 1 ? ['is', 'it changes', 'it was'] : ['are', 'they change', 'they were'];
  const verdict = isForeign
    ? `${change} the document`
    : last.indication === 'TOTAL-PASSED'
      ? `${change} ${isFilled(last) ? 'only permitted fields' : 'no signed content'}`
      : `${were} not checked, because that signature is not valid`;
  const bytes = counted(uncoveredBytes, 'byte');
  return `${bytes} after the last signature ${are} not covered: ${verdict}`;
}
