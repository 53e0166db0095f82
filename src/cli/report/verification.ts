import { defined } from '../../base/defined.ts';
import type { InnsigliError } from '../../base/errors.ts';
import {
  type CmsVerificationReport,
  type ContainerVerificationReport,
  noSignatureCode,
  type PdfVerificationReport,
  type ReferenceReport,
  type SignatureReport,
  type VerificationReport,
  type XmlVerificationReport,
} from '../../verify/report/index.ts';
import {
  counted,
  type OutputMode,
  printable,
  type Style,
  shownName,
  wrapText,
} from '../output/index.ts';
import { commonName } from '../subject-name.ts';
import { headlineLines, plainLines } from './plain-words.ts';
import { mark } from './signature-claims.ts';
import { findingMarks, signatureLines } from './signature-lines.ts';

/** The result for one document: a report, or why there is none. */
export type Verified =
  | { readonly input: string; readonly report: VerificationReport }
  | { readonly input: string; readonly error: InnsigliError };

/** The document of `verify --json`, version 1: the same structure for one input and for many. */
export function reportDocument(results: readonly Verified[], more: object = {}): object {
  return {
    v: 1,
    command: 'verify',
    ...more,
    documents: results.map((result) => {
      if ('report' in result) {
        const { input, report } = result;
        return defined({ input, code: noSignatureCode(report), hint: hintOf(report), report });
      }
      const { code, message, hint, details } = result.error;
      const error = { code, message, ...defined({ hint }), details };
      return { input: result.input, error };
    }),
  };
}

/** Text lines of the report on one document. */
export function reportLines(
  name: string,
  report: VerificationReport,
  style: Style,
  mode: Pick<OutputMode, 'quiet' | 'verbose'>,
): readonly string[] {
  const { signatures } = report;
  const shown = printable(shownName(name));
  const title = style.bold(shown);
  if (signatures.length === 0) {
    const removed = 'removedSignatures' in report ? (report.removedSignatures ?? []) : [];
    const names = removed.slice(0, 3).map((name) => `"${printable(shownName(name))}"`);
    const unnamed = 'unnamedSignatures' in report ? (report.unnamedSignatures ?? []) : [];
    const loose = `; no form field refers to the signature in ${unnamed.slice(0, 3).join(', ')}`;
    const gone = `; an update removed the signature of ${names.join(', ')}`;
    const why = (removed.length > 0 ? gone : '') + (unnamed.length > 0 ? loose : '');
    return [`${style.red('✗')} ${title}: no signature${why}`];
  }
  const note = coverageLines(report, style);
  // Content that is not covered could be overlooked only if the signatures passed.
  const isNews = report.coverage !== 'full' && report.indication === 'TOTAL-PASSED';
  const result = `${report.indication} (${countsText(report)})`;
  if (mode.quiet) {
    return [`${mark(report.indication, style)} ${title}: ${result}`, ...(isNews ? note : [])];
  }
  const lines = [...headlineLines(shown, report, style), ...plainLines(report, style), ''];
  const details = `${style.bold('Details:')} ${result}, checked at ${report.verifiedAt}`;
  lines.push(...wrapText(details, style.width));
  const { verifiedAt } = report;
  for (const one of signatures) {
    const about = { all: signatures, verifiedAt, isVerbose: mode.verbose };
    lines.push('', ...signatureLines(one, style, about));
  }
  if (note.length > 0) lines.push('', ...note);
  const asked = inquiryLines(report, style);
  if (asked.length > 0) lines.push('', ...asked);
  const hint = hintOf(report);
  if (hint !== undefined) lines.push('', ...hintLines(hint, style));
  return lines;
}

/** A hint at the left margin, so that commands in it can be copied. */
export function hintLines(hint: string, { dim, width }: Style): readonly string[] {
  const [first = '', ...rest] = wrapText(hint, width - 6);
  return [`${dim('hint:')} ${first}`, ...rest.map((line) => `      ${line}`)];
}

/** The checks that the reports do not include, each once. */
export function notCheckedLines(
  reports: readonly Pick<VerificationReport, 'notJudged' | 'signatures'>[],
  style: Style,
): readonly string[] {
  const signed = reports.filter(({ signatures }) => signatures.length > 0);
  const items = new Set(signed.flatMap(({ notJudged }) => notJudged));
  if (items.size === 0) return [];
  return ['', 'Not checked yet:', ...[...items].flatMap((item) => itemLines(item, style))];
}

function itemLines(item: string, { dim, width }: Style): readonly string[] {
  const [first = '', ...rest] = wrapText(printable(item), width - 4);
  return [dim(`  - ${first}`), ...rest.map((line) => dim(`    ${line}`))];
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
  'name the root you trust with --trust FILE, or "trust" in your configuration ' +
  '(~/.config/innsigli/config.json)';

const detachedHint = 'a signature covers detached files: pass each of them with --detached FILE';

const revocationHint =
  'the revocation status of a certificate is unknown: pass OCSP responses and CRLs with ' +
  '--validation-data FILE, fetch them with --revocation online, or skip the check with ' +
  '--revocation ignore';

/** Advice that could change the result; undefined if there is none. */
export function hintOf(report: VerificationReport): string | undefined {
  const isAlone = report.format === 'xml' || report.format === 'cms';
  if (isAlone && lacksFile(report)) return detachedHint;
  const lacksAnchor = report.signatures.some(
    ({ subIndication }) => subIndication === 'NO_CERTIFICATE_CHAIN_FOUND',
  );
  if (lacksAnchor) return anchorHint;
  return lacksStatus(report) ? revocationHint : undefined;
}

/** True for a signature or time-stamp that is valid except for an unknown revocation status. */
function lacksStatus({ signatures, revocation }: VerificationReport): boolean {
  if (revocation?.mode === 'ignore') return false;
  return signatures.some(
    ({ indication, subIndication, findings }) =>
      indication === 'INDETERMINATE' &&
      !findings.some(({ code }) => code === 'algorithm.weak') &&
      (subIndication === 'TRY_LATER' || findings.some(({ code }) => code === 'revocation.unknown')),
  );
}

function lacksFile({ signatures }: XmlVerificationReport | CmsVerificationReport): boolean {
  const references = signatures.flatMap(
    (signature): readonly ReferenceReport[] => signature.references,
  );
  return references.some(({ status, uri = '' }) => status === 'missing' && !uri.startsWith('#'));
}

/** The requests sent for revocation status, with their results; empty if there were none. */
function inquiryLines(
  { revocation }: Pick<VerificationReport, 'revocation'>,
  { green, red }: Style,
): readonly string[] {
  const { asked = [] } = revocation ?? {};
  if (asked.length === 0) return [];
  const lines = asked.map(({ certificate, source, answered, message }) => {
    const why = message === undefined ? '' : `: ${message}`;
    const said = printable(`${source}, of ${commonName(certificate)}${why}`);
    return `  ${answered ? green('✓') : red('✗')} ${said}`;
  });
  return ['Revocation data requests:', ...lines];
}

/** The line about content that is not covered, with its symbol; none if everything is covered. */
function coverageLines(report: VerificationReport, style: Style): readonly string[] {
  const text = uncoveredText(report);
  if (text === undefined) return [];
  return [`${findingMarks[isHarmless(report) ? 'info' : 'warning'](style)} ${text}`];
}

/** True for a PDF whose result includes a check of the part after the last signature. */
function isHarmless(report: VerificationReport): boolean {
  if (report.format !== 'pdf' || report.uncoveredBytes === 0) return false;
  const last = report.signatures.findLast(({ intact }) => intact);
  return last?.indication === 'TOTAL-PASSED' && !isFilled(last);
}

/** True if form values or annotations were changed after the signature, though permitted. */
function isFilled({ changes }: SignatureReport): boolean {
  return changes?.list.some(({ kind }) => kind === 'value' || kind === 'annotation') === true;
}

/** The remark about content that no valid signature covers, if any. */
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
