import type { CoreError } from '../../base/errors.ts';
import type {
  Indication,
  SignatureReport,
  TimestampSummary,
  VerificationReport,
} from '../../verify/report.ts';
import type { Manner, Style } from '../output/index.ts';
import { commonName, counted, printable, shortTime, shownName } from '../output/index.ts';

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
        const isUnsigned = report.signatures.length === 0;
        const hint = lacksAnchor(report) ? { hint: anchorHint } : {};
        return { input, ...(isUnsigned ? { code: 'pdf.signature.none' } : {}), ...hint, report };
      }
      const { code, message, hint, details } = result.error;
      const error = { code, message, ...(hint === undefined ? {} : { hint }), details };
      return { input: result.input, error };
    }),
  };
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
  const stamps = signatures.filter((one) => one.kind === 'document-timestamp').length;
  const counts = [
    counted(signatures.length - stamps, 'signature'),
    ...(stamps > 0 ? [counted(stamps, 'document time-stamp')] : []),
  ].join(', ');
  const lines = [`${mark(report.indication, style)} ${title}: ${report.indication} (${counts})`];
  if (manner.quiet) return lines;
  for (const signature of signatures) lines.push('', ...signatureLines(signature, style));
  const uncovered = uncoveredText(report);
  if (uncovered !== undefined) lines.push('', `${uncoveredMark(report, style)} ${uncovered}`);
  if (lacksAnchor(report)) lines.push('', `${style.dim('hint:')} ${anchorHint}`);
  if (report.notJudged.length > 0) {
    lines.push('', 'Not judged yet:');
    for (const item of report.notJudged) lines.push(style.dim(`  - ${printable(item)}`));
  }
  return lines;
}

const anchorHint =
  'name the root that you trust with --trust FILE, or with "trust" in the configuration';

/** True when another trust anchor could change the answer. */
function lacksAnchor({ signatures }: VerificationReport): boolean {
  return signatures.some(({ subIndication }) => subIndication === 'NO_CERTIFICATE_CHAIN_FOUND');
}

function uncoveredMark({ signatures }: VerificationReport, style: Style): string {
  const last = signatures.findLast(({ intact }) => intact);
  return findingMarks[last?.indication === 'TOTAL-PASSED' ? 'info' : 'warning'](style);
}

/** What is to be said of bytes after the last intact signature; undefined when there are none. */
export function uncoveredText(report: VerificationReport): string | undefined {
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

function signatureLines(signature: SignatureReport, style: Style): readonly string[] {
  const { signer } = signature;
  const row = (label: string, value: string) => `    ${style.dim(label.padEnd(11))} ${value}`;
  const sub = signature.subIndication === undefined ? '' : ` (${signature.subIndication})`;
  const kind = signature.kind === 'signature' ? 'Signature' : 'Document time-stamp';
  return [
    `  ${mark(signature.indication, style)} ${kind} ${style.bold(printable(signature.field))}: ` +
      `${signature.indication}${sub}`,
    ...(signer === undefined
      ? []
      : [
          row('signer', printable(signer.subject)),
          row('issuer', printable(signer.issuer)),
          row('certificate', `valid ${day(signer.notBefore)} to ${day(signer.notAfter)}`),
        ]),
    ...(signature.kind === 'signature' ? [row('level', levelText(signature))] : []),
    row('integrity', `${tick(signature.intact, style)} ${integrityText(signature)}`),
    row('trust', `${tick(signature.trusted, style)} ${trustText(signature)}`),
    row('time', timeText(signature)),
    ...signature.timestamps.map((stamp) => row('time-stamp', stampText(stamp, style))),
    ...(signature.algorithm === undefined
      ? []
      : [row('algorithm', printable(signature.algorithm))]),
    ...(signature.certifies === undefined
      ? []
      : [row('certifies', certifyTexts[signature.certifies])]),
    ...(signature.reason === undefined ? [] : [row('reason', printable(signature.reason))]),
    ...(signature.location === undefined ? [] : [row('location', printable(signature.location))]),
    ...signature.findings.map((finding) => {
      const sign = findingMarks[finding.severity](style);
      return row(
        'finding',
        `${sign} ${printable(finding.message)} ${style.dim(`[${finding.code}]`)}`,
      );
    }),
  ];
}

const certifyTexts = {
  1: 'P=1: no changes are allowed',
  2: 'P=2: filling forms and signing are allowed',
  3: 'P=3: filling forms, signing and comments are allowed',
} as const;

const findingMarks = {
  error: (style: Style) => style.red('✗'),
  warning: (style: Style) => style.yellow('!'),
  info: (style: Style) => style.dim('·'),
} as const;

function mark(indication: Indication, style: Style): string {
  if (indication === 'TOTAL-PASSED') return style.green('✓');
  return indication === 'TOTAL-FAILED' ? style.red('✗') : style.yellow('?');
}

function tick(good: boolean, style: Style): string {
  return good ? style.green('✓') : style.red('✗');
}

function levelText({ level, intact }: SignatureReport): string {
  if (!intact) return 'not judged, the signature is not intact';
  return level === undefined ? 'none of the PAdES baseline levels' : `PAdES ${level}`;
}

function integrityText({ intact, coverage }: SignatureReport): string {
  const covered = {
    'whole-file': 'covers the whole file',
    revision: 'covers the file as it was then; updates follow',
    partial: 'leaves a part of the file out',
  }[coverage];
  return `${intact ? 'intact' : 'the bytes were changed or the value is wrong'}; ${covered}`;
}

function trustText({ trusted, anchor, intact }: SignatureReport): string {
  if (!intact) return 'not judged, the signature is not intact';
  const to = anchor === undefined ? 'a trust anchor' : printable(anchor);
  return trusted ? `a path leads to ${to}` : 'no path leads to a trust anchor';
}

function timeText({ bestTime, claimedTime, timeProved }: SignatureReport): string {
  const claim = claimedTime === undefined ? '' : `; claimed ${shortTime(claimedTime)}`;
  return timeProved ? `proved at ${shortTime(bestTime)}${claim}` : `not proved${claim}`;
}

function stampText({ time, authority, valid, trusted }: TimestampSummary, style: Style): string {
  return `${tick(valid && trusted, style)} ${shortTime(time)} by ${commonName(authority)}`;
}

function day(time: string): string {
  return time.slice(0, 10);
}
