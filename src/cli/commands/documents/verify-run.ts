import { defined } from '../../../base/defined.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import type { VerificationReport } from '../../../verify/report/index.ts';
import type { FlagSettings } from '../../../wire/config/layer.ts';
import { namedFile } from '../../../wire/files/named-file.ts';
import type { FileObjectSource, Toolkit } from '../../../wire/toolkit.types.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  yieldToEventLoop,
} from '../../context.ts';
import { extractFiles, requireContainer } from '../../extract.ts';
import { closeInput, type InputFile, readDetached, readInput } from '../../files/index.ts';
import { namedError } from '../../named-error.ts';
import { counted, printable, type Style, shownName } from '../../output/index.ts';
import {
  notCheckedLines,
  type ReportFiles,
  reportDocument,
  reportLines,
  uncoveredText,
  type Verified,
  writeReports,
} from '../../report/index.ts';
import { requirePdf, type SignedVersion, writeSignedVersion } from '../../signed-version.ts';

/** Request of `innsigli verify`. */
export interface VerifyCommandOptions {
  /** Paths; `-` for stdin. */
  readonly inputs: readonly string[];
  /** Documents that detached signatures refer to, `FILE` or `NAME=FILE`. */
  readonly detached: readonly string[];
  /** Only a document that is covered as a whole is good. */
  readonly whole: boolean;
  /** Another implementation is asked about XML signatures, too. */
  readonly secondOpinion: boolean;
  /** Time of verification, epoch milliseconds; undefined: now. */
  readonly atMs?: number | undefined;
  /** Folder for the covered files of a container. */
  readonly extract?: string | undefined;
  /** Number of the signature whose version of a PDF is written, and where. */
  readonly version?: { readonly signature: number; readonly output: string } | undefined;
  /** Write whatever the verdict, and replace what is there. */
  readonly force: boolean;
  /** Files that the report on the one document is written to. */
  readonly reports: ReportFiles;
  readonly settings: FlagSettings;
}

/** With the document itself while it is still needed. */
type Checked = Verified & { readonly document?: InputFile };

/** Verifies documents one after the other, prints a report for each and extracts what is asked. */
export async function runVerify(
  options: VerifyCommandOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console } = context;
  const { config } = await loadConfig(context, options.settings);
  const toolkit = await openToolkit(context, config);
  const style = await console.style('stdout');
  const detached = await readDetached(options.detached, options.inputs, context.io);
  const results: Checked[] = [];
  try {
    for (const name of options.inputs) {
      const result = await verifyOne(name, detached, options, toolkit, context);
      await yieldToEventLoop();
      // One document that cannot be checked is an error like any other; of several it is a row.
      if ('error' in result && options.inputs.length === 1) throw namedError(name, result.error);
      results.push(result);
      // Uncovered files come first, and are known when all signatures were checked.
      if (detached.length > 0) continue;
      await sayResult(result, results.length === 1, style, context);
    }
    const findings = await findUncovered(detached, results);
    const exitCode = exitCodeOf(results, options.whole, findings.length > 0);
    if (detached.length > 0) await sayBeside(results, findings, style, context);
    if (!console.mode.json) {
      const left = console.mode.quiet ? [] : notCheckedLines(reportsOf(results), style);
      if (left.length > 0) console.result(left);
    }
    const reports = await writeReportsOf(results[0], options, context);
    const extracted = await extractFrom(results[0], options, exitCode, context);
    const signedVersion = await writeVersion(results[0], options, context);
    if (console.mode.json) {
      const found = findings.length === 0 ? {} : { findings };
      const files = reports.length === 0 ? undefined : reports;
      const written = defined({ reports: files, extracted, signedVersion });
      console.document(reportDocument(results, { ...found, ...written }));
    }
    return exitCode;
  } finally {
    for (const { document } of results) if (document !== undefined) closeInput(document);
  }
}

async function verifyOne(
  input: string,
  detached: readonly FileObjectSource[],
  { extract, version, secondOpinion, atMs, reports }: VerifyCommandOptions,
  toolkit: Toolkit,
  { io, console }: CommandContext,
): Promise<Checked> {
  try {
    const document = await readInput(input, io);
    let isKept = false;
    try {
      const asked = defined({ secondOpinion, atMs });
      const work = () => toolkit.verify(document.source, detached, asked);
      const report = await console.busy(`Verifying ${shownName(input)}`, work);
      const isWritten = reports.files.length > 0;
      isKept = isWritten || extract !== undefined || version !== undefined;
      return isKept ? { input, report, document } : { input, report };
    } finally {
      if (!isKept) closeInput(document);
    }
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'internal.unexpected') throw error;
    return { input, error };
  }
}

async function sayResult(
  result: Checked,
  isFirst: boolean,
  style: Style,
  { console, globals }: CommandContext,
): Promise<void> {
  const { input } = result;
  if (console.mode.json) {
    // For people it stands in the report.
    const text = 'report' in result ? uncoveredText(result.report) : undefined;
    if (text !== undefined)
      await console.warn(`${shownName(input)}: ${text}`, 'document.uncovered');
    return;
  }
  if ('error' in result) return console.error(namedError(input, result.error), globals.debug);
  if (!isFirst) console.result('');
  console.result(reportLines(input, result.report, style, console.mode));
}

/** The files beside the signatures that none of them covers, and then the reports. */
async function sayBeside(
  results: readonly Checked[],
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
    await sayResult(result, index === 0, style, context);
  }
}

function reportsOf(results: readonly Checked[]): readonly VerificationReport[] {
  return results.flatMap((result) => ('report' in result ? [result.report] : []));
}

interface UncoveredFile {
  readonly code: 'document.file.uncovered';
  readonly severity: 'error';
  readonly message: string;
  readonly file: string;
}

/** A file that is given beside signatures looks signed, and none of them may be over it. */
async function findUncovered(
  detached: readonly FileObjectSource[],
  results: readonly Checked[],
): Promise<readonly UncoveredFile[]> {
  if (detached.length === 0) return [];
  const { loadContainerTools } = await import('../../../wire/toolkit.ts');
  const { uncoveredFiles } = await loadContainerTools();
  const left = uncoveredFiles(detached.map(namedFile), reportsOf(results));
  return left.map(({ name }) => {
    const message = `no intact signature covers the file «${name}»`;
    return { code: 'document.file.uncovered', severity: 'error', message, file: name };
  });
}

// «No» outweighs «cannot say» outweighs «not yet».
function exitCodeOf(
  results: readonly Checked[],
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

/** The names of the reports that were written. */
async function writeReportsOf(
  result: Checked | undefined,
  { reports }: VerifyCommandOptions,
  { io, console }: CommandContext,
): Promise<readonly string[]> {
  if (result?.document === undefined || !('report' in result)) return [];
  const names = await writeReports(result.document, result.report, reports, io);
  if (!console.mode.json && !console.mode.quiet && names.length > 0) {
    console.result(['', ...names.map((name) => `Report written to ${printable(name)}`)]);
  }
  return names;
}

/** The paths that were written; undefined when nothing was asked for or the verdict is bad. */
async function extractFrom(
  result: Checked | undefined,
  { extract, force }: VerifyCommandOptions,
  exitCode: ExitCode,
  { io, console }: CommandContext,
): Promise<readonly string[] | undefined> {
  if (extract === undefined || result?.document === undefined) return undefined;
  if (!('report' in result)) return undefined;
  const { report, document } = result;
  requireContainer(report);
  if (exitCode !== 0 && !force) {
    await console.warn('nothing is extracted, because of the verdict', 'document.warning');
    return undefined;
  }
  const paths = await extractFiles(document, report, { folder: extract, force }, io);
  const shown = printable(extract);
  if (!console.mode.json) {
    console.result(['', `Extracted ${counted(paths.length, 'file')} to ${shown}:`]);
    for (const path of paths) console.result(`  ${printable(path)}`);
  }
  return paths;
}

/** The path written for the requested version; undefined when its signature is broken. */
async function writeVersion(
  result: Checked | undefined,
  { version, force }: VerifyCommandOptions,
  { io, console }: CommandContext,
): Promise<SignedVersion | undefined> {
  if (version === undefined || result?.document === undefined) return undefined;
  if (!('report' in result)) return undefined;
  const { report, document } = result;
  requirePdf(report);
  const written = writeSignedVersion(document, report, { ...version, force }, io);
  if (written === undefined) {
    const message = `nothing is written: signature ${version.signature} is not intact`;
    await console.warn(message, 'document.warning');
    return undefined;
  }
  if (!console.mode.json) {
    const { signature, field, output, bytes } = written;
    const of = `what signature ${signature} «${printable(field)}» signed`;
    console.result(['', `Wrote ${of} to ${printable(output)} (${counted(bytes, 'byte')})`]);
  }
  return written;
}
