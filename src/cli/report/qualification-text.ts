import type { QualificationReport, QualificationResult } from '../../verify/qualification/index.ts';
import { printable, type Style, wrapText } from '../output/index.ts';

const words: Readonly<Record<QualificationResult, string>> = {
  QESig: 'qualified electronic signature',
  QESeal: 'qualified electronic seal',
  QES: 'qualified electronic signature or seal',
  'AdESig-QC': 'advanced electronic signature with a qualified certificate',
  'AdESeal-QC': 'advanced electronic seal with a qualified certificate',
  'AdES-QC': 'advanced electronic signature or seal with a qualified certificate',
  AdESig: 'advanced electronic signature',
  AdESeal: 'advanced electronic seal',
  AdES: 'advanced electronic signature or seal',
  QTST: 'qualified electronic time-stamp',
  TST: 'time-stamp of an authority without granted status',
  'not-AdES': 'not an advanced electronic signature',
  INDETERMINATE: 'not known',
};

const indent = ' '.repeat(16);

/** A signature's qualification according to trusted lists, with reasons, as lines of one row. */
export function qualificationText({ result, reasons }: QualificationReport, style: Style): string {
  const why = reasons.flatMap((reason) => wrapText(printable(reason), style.width - indent.length));
  const name = result === 'INDETERMINATE' ? '' : ` ${style.dim(`[${result}]`)}`;
  return [`${words[result]}${name}`, ...why.map((line) => `${indent}${style.dim(line)}`)].join(
    '\n',
  );
}

/** The qualification of a time-stamp in a few words; empty if unknown. */
export function stampQualification(qualification: QualificationReport | undefined): string {
  return qualification?.result === 'QTST' ? `, ${words.QTST}` : '';
}
