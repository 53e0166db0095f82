import type { CoreError } from '../../base/errors.ts';
import type {
  PdfVerificationReport,
  VerificationReport,
  XmlVerificationReport,
} from '../../verify/report.ts';
import type { Manner, Style } from '../output/index.ts';
import { counted, printable, shownName, wrapText } from '../output/index.ts';
import { findingMarks, mark, signatureLines } from './signature-lines.ts';

/** The answer for one document: a report, or why there is none. */
export type Verified =
  | { readonly input: string; readonly report: VerificationReport }
  | { readonly input: string; readonly error: CoreError };

/** The document of `verify --json`, version 1: the same shape for one input and for many. */
export function reportDocument(results: readonly Verified[]): object {
  return {
    v: 1,
    command: 'verify',
    documents: results.map((result) => {
      if ('report' in result) {
        const { input, report } = result;
        const code = report.signatures.length === 0 ? { code: noneCode(report) } : {};
        const advice = hintOf(report);
        return { input, ...code, ...(advice === undefined ? {} : { hint: advice }), report };
      }
      const { code, message, hint, details } = result.error;
      const error = { code, message, ...(hint === undefined ? {} : { hint }), details };
      return { input: result.input, error };
    }),
  };
}

function noneCode({ format }: VerificationReport): string {
  return `${format === 'pdf' || format === 'xml' ? format : 'container'}.signature.none`;
}

/** The report on one document for people. */
export function reportLines(
  name: string,
  report: VerificationReport,
  style: Style,
  manner: Pick<Manner, 'quiet'>,
): readonly string[] {
  const { signatures } = report;
  const title = style.bold(printable(shownName(name)));
  if (signatures.length === 0) return [`${style.red('✗')} ${title}: no signature`];
  const lines = [
    `${mark(report.indication, style)} ${title}: ${report.indication} (${countsText(report)})`,
  ];
  const uncovered = uncoveredText(report);
  const note = uncovered === undefined ? [] : [`${uncoveredMark(report, style)} ${uncovered}`];
  // Of a PDF the verdict has judged what is not covered; of other documents nothing does.
  if (manner.quiet) return report.format === 'pdf' ? lines : [...lines, ...note];
  for (const one of signatures) lines.push('', ...signatureLines(one, style, signatures));
  if (note.length > 0) lines.push('', ...note);
  const hint = hintOf(report);
  if (hint !== undefined) lines.push('', `${style.dim('hint:')} ${hint}`);
  if (report.notJudged.length > 0) {
    lines.push('', 'Not judged yet:');
    for (const item of report.notJudged) lines.push(...itemLines(item).map(style.dim));
  }
  return lines;
}

function itemLines(item: string): readonly string[] {
  const [first = '', ...rest] = wrapText(printable(item), 76);
  return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
}

function countsText({ signatures }: VerificationReport): string {
  const stamps = signatures.filter((one) => one.kind === 'document-timestamp').length;
  const rest = signatures.length - stamps;
  return [
    ...(rest > 0 || stamps === 0 ? [counted(rest, 'signature')] : []),
    ...(stamps > 0 ? [counted(stamps, 'document time-stamp')] : []),
  ].join(', ');
}

const anchorHint =
  'name the root that you trust with --trust FILE, or "trust" in your own configuration ' +
  '(~/.config/innsigli/config.json)';

const detachedHint =
  'a signature is over files that it does not hold: give each of them with --detached FILE';

/** What could change the answer; undefined when nothing that a user can do. */
function hintOf(report: VerificationReport): string | undefined {
  if (report.format === 'xml' && lacksFile(report)) return detachedHint;
  const lacksAnchor = report.signatures.some(
    ({ subIndication }) => subIndication === 'NO_CERTIFICATE_CHAIN_FOUND',
  );
  return lacksAnchor ? anchorHint : undefined;
}

function lacksFile({ signatures }: XmlVerificationReport): boolean {
  const references = signatures.flatMap((signature) => signature.references);
  return references.some(({ status, uri = '' }) => status === 'missing' && !uri.startsWith('#'));
}

function uncoveredMark({ signatures, format }: VerificationReport, style: Style): string {
  if (format !== 'pdf') return findingMarks.warning(style);
  const last = signatures.findLast(({ intact }) => intact);
  return findingMarks[last?.indication === 'TOTAL-PASSED' ? 'info' : 'warning'](style);
}

/** What is to be said of what no intact signature covers; undefined when there is nothing. */
export function uncoveredText(report: VerificationReport): string | undefined {
  if (report.format === 'pdf') return uncoveredBytesText(report);
  if (report.format === 'xml') return uncoveredXmlText(report);
  const left = report.files.filter(({ covered }) => !covered).map(({ name }) => printable(name));
  if (left.length === 0) return undefined;
  const names = left.length > 3 ? counted(left.length, 'file') : left.join(', ');
  return `no intact signature covers ${names}`;
}

function uncoveredXmlText({ signatures }: XmlVerificationReport): string | undefined {
  const intact = signatures.filter(({ intact }) => intact);
  const isLess = intact.some(({ findings }) =>
    findings.some(({ code }) => code.startsWith('signature.coverage.')),
  );
  if (!isLess || intact.some(({ coverage }) => coverage === 'document')) return undefined;
  return 'no intact signature covers the whole document';
}

function uncoveredBytesText(report: PdfVerificationReport): string | undefined {
  const { uncoveredBytes, signatures } = report;
  if (uncoveredBytes === 0) return undefined;
  const last = signatures.findLast(({ intact }) => intact);
  const isForeign = last?.findings.some(({ code }) => code === 'document.changed');
  const [are, change, were] =
    uncoveredBytes === 1 ? ['is', 'it changes', 'it was'] : ['are', 'they change', 'they were'];
  const verdict = isForeign
    ? `${change} the document`
    : last?.indication === 'TOTAL-PASSED'
      ? `${change} nothing that was signed`
      : `${were} not judged, because that signature has not passed`;
  const bytes = counted(uncoveredBytes, 'byte');
  return `${bytes} after the last signature ${are} not covered: ${verdict}`;
}
