import type { VerificationReport } from '../../../verify/report/index.ts';
import { namedFile } from '../../../wire/files/named-file.ts';
import type { FileObjectSource } from '../../../wire/toolkit.types.ts';
import type { CommandContext, ExitCode } from '../../context.ts';
import { namedError } from '../../named-error.ts';
import { printable, type Style, shownName } from '../../output/index.ts';
import { reportLines, uncoveredText, type Verified } from '../../report/index.ts';

/** Prints the report on one document, or why there is none; JSON is printed at the end. */
export async function printResult(
  result: Verified,
  isFirst: boolean,
  style: Style,
  { console, globals }: CommandContext,
): Promise<void> {
  const { input } = result;
  if (console.mode.json) {
    // In text output, the report contains it.
    const text = 'report' in result ? uncoveredText(result.report) : undefined;
    if (text !== undefined)
      await console.warn(`${shownName(input)}: ${text}`, 'document.uncovered');
    return;
  }
  if ('error' in result) return console.error(namedError(input, result.error), globals.debug);
  if (!isFirst) console.result('');
  console.result(reportLines(input, result.report, style, console.mode));
}

/** Prints the detached files that no signature covers, then the reports. */
export async function printDetachedResults(
  results: readonly Verified[],
  findings: readonly UncoveredFile[],
  style: Style,
  context: CommandContext,
): Promise<void> {
  const { console } = context;
  if (!console.mode.json) {
    for (const { code, message } of findings) {
      console.result(`${style.red('✗')} ${printable(message)} ${style.dim(`[${code}]`)}`);
    }
    if (findings.length > 0 && !console.mode.quiet) console.result('');
  }
  for (const [index, result] of results.entries()) {
    await printResult(result, index === 0, style, context);
  }
}

/** The reports, without documents that could not be verified. */
export function reportsOf(results: readonly Verified[]): readonly VerificationReport[] {
  return results.flatMap((result) => ('report' in result ? [result.report] : []));
}

/** A detached file that no signature covers. */
interface UncoveredFile {
  readonly code: 'document.file.uncovered';
  readonly severity: 'error';
  readonly message: string;
  readonly file: string;
}

/** A detached file appears to be signed, even if no signature covers it. */
export async function findUncovered(
  detached: readonly FileObjectSource[],
  results: readonly Verified[],
): Promise<readonly UncoveredFile[]> {
  if (detached.length === 0) return [];
  const { loadContainerTools } = await import('../../../wire/toolkit.ts');
  const { uncoveredFiles } = await loadContainerTools();
  const left = uncoveredFiles(detached.map(namedFile), reportsOf(results));
  return left.map(({ name }) => {
    const message = `no intact signature covers the file "${name}"`;
    return { code: 'document.file.uncovered', severity: 'error', message, file: name };
  });
}

/** Failure takes precedence over an error, and an error over an indeterminate result. */
export function exitCodeOf(
  results: readonly Verified[],
  isWhole: boolean,
  isFileUncovered: boolean,
): ExitCode {
  const reports = reportsOf(results);
  const isNo = ({ signatures, indication, coverage }: VerificationReport) =>
    signatures.length === 0 || indication === 'TOTAL-FAILED' || (isWhole && coverage !== 'full');
  if (isFileUncovered || reports.some(isNo)) return 7;
  if (reports.length < results.length) return 3;
  return reports.every((report) => report.indication === 'TOTAL-PASSED') ? 0 : 9;
}
