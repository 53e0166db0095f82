import {
  type AnyConclusion,
  headlineOf,
  headlineSentence,
  sentencesOf,
  verdictOf,
} from '../../app/reports/index.ts';
import type { VerificationReport } from '../../verify/report/index.ts';
import { printable, type Style, wrapText } from '../output/index.ts';
import { mark } from './signature-claims.ts';

/** Maximum number of signatures described in sentences; the list below shows all of them. */
const DESCRIBED_MAX = 8;
/** Maximum number of characters of a name in a sentence. */
const NAME_MAX = 120;
const GIVE_FILES = 'Pass the signed files with --detached FILE and verify again.';

/** The sentence about the document as a whole, after its name or below it. */
export function headlineLines(
  name: string,
  report: VerificationReport,
  style: Style,
): readonly string[] {
  const isPart = headlineOf(report) === 'partial';
  const sign = isPart ? style.yellow('!') : mark(report.indication, style);
  const sentence = headlineSentence(report, 'en');
  const title = `${sign} ${style.bold(name)}:`;
  if (name.length + sentence.length + 4 <= style.width) return [`${title} ${sentence}`];
  return [title, ...wrapText(sentence, style.width - 2).map((line) => `  ${line}`)];
}

/** Report in plain language: each signature's signer, act, time and reliability, and advice. */
export function plainLines(
  { format, signatures }: VerificationReport,
  style: Style,
): readonly string[] {
  // A missing file of a container can only be added to the container.
  const takesFiles = format === 'xml' || format === 'cms';
  const told: readonly AnyConclusion[] = signatures.slice(0, DESCRIBED_MAX);
  const lines = told.flatMap((one) => ['', ...paragraph(one, takesFiles, style)]);
  const left = signatures.length - told.length;
  return left === 0 ? lines : [...lines, '', `  … and ${left} more, listed below.`];
}

function paragraph(
  conclusion: AnyConclusion,
  takesFiles: boolean,
  style: Style,
): readonly string[] {
  const { act, cause, verdict, ...sentences } = sentencesOf(conclusion, 'en', shownName);
  const wantsFiles = takesFiles && verdictOf(conclusion).advice === 'files';
  const advice = wantsFiles ? GIVE_FILES : sentences.advice;
  const told = [act, ...(cause === undefined ? [] : [cause]), verdict].join(' ');
  const [first = '', ...rest] = wrapText(told, style.width - 4);
  const lines = [`  ${mark(conclusion.indication, style)} ${first}`];
  lines.push(...rest.map((line) => `    ${line}`));
  if (advice === undefined) return lines;
  const steps = wrapText(`What to do: ${advice}`, style.width - 4);
  return [...lines, ...steps.map((line) => `    ${style.cyan(line)}`)];
}

function shownName(name: string): string {
  const characters = [...name.slice(0, 2 * NAME_MAX)];
  const cut = characters.length > NAME_MAX ? `${characters.slice(0, NAME_MAX).join('')}…` : name;
  return printable(cut);
}
