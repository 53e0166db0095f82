import { defined } from '../../../base/defined.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import type { FileObjectSource, Toolkit } from '../../../wire/toolkit.types.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  yieldToEventLoop,
} from '../../context.ts';
import { extractCovered } from '../../extract.ts';
import { closeInput, type InputFile, readDetached, readInput } from '../../files/index.ts';
import { namedError } from '../../named-error.ts';
import { settingsFrom } from '../../options/index.ts';
import { shownName } from '../../output/index.ts';
import {
  notCheckedLines,
  type ReportFiles,
  readReportFiles,
  reportDocument,
  type Verified,
  writeReports,
} from '../../report/index.ts';
import { writeVersion } from '../../signed-version.ts';
import type { GivenVerify } from './verify.ts';
import { exitCodeOf, findUncovered, reportsOf, sayBeside, sayResult } from './verify-results.ts';

/** With the document itself while it is still needed. */
type Checked = Verified & { readonly document?: InputFile };

/** Verifies documents one after the other, prints a report for each and writes what is asked. */
export async function verifyInputs(
  inputs: readonly string[],
  options: GivenVerify & { readonly algorithmPolicy?: string | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console } = context;
  const { whole = false, force = false, language, writeReport = [] } = options;
  const files = readReportFiles(writeReport, language, force);
  const { config } = await loadConfig(context, settingsFrom(options));
  const toolkit = await openToolkit(context, config);
  const style = await console.style('stdout');
  const detached = await readDetached(options.detached ?? [], inputs, io);
  const results: Checked[] = [];
  try {
    for (const name of inputs) {
      const result = await verifyOne(name, detached, options, toolkit, context);
      await yieldToEventLoop();
      // One document that cannot be checked is an error like any other; of several it is a row.
      if ('error' in result && inputs.length === 1) throw namedError(name, result.error);
      results.push(result);
      // Uncovered files come first, and are known when all signatures were checked.
      if (detached.length > 0) continue;
      await sayResult(result, results.length === 1, style, context);
    }
    const findings = await findUncovered(detached, results);
    const exitCode = exitCodeOf(results, whole, findings.length > 0);
    if (detached.length > 0) await sayBeside(results, findings, style, context);
    if (!console.mode.json) {
      const left = console.mode.quiet ? [] : notCheckedLines(reportsOf(results), style);
      if (left.length > 0) console.result(left);
    }
    const written = await writeAll(results[0], options, files, exitCode, context);
    if (console.mode.json) {
      const found = findings.length === 0 ? {} : { findings };
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
  { extract, signedVersion, secondOpinion, at: atMs, writeReport = [] }: GivenVerify,
  toolkit: Toolkit,
  { io, console }: CommandContext,
): Promise<Checked> {
  try {
    const document = await readInput(input, io);
    const isKept = writeReport.length > 0 || extract !== undefined || signedVersion !== undefined;
    let isHeld = false;
    try {
      const asked = defined({ secondOpinion: secondOpinion === true, atMs });
      const work = () => toolkit.verify(document.source, detached, asked);
      const report = await console.busy(`Verifying ${shownName(input)}`, work);
      isHeld = isKept;
      return isKept ? { input, report, document } : { input, report };
    } finally {
      if (!isHeld) closeInput(document);
    }
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'internal.unexpected') throw error;
    return { input, error };
  }
}

/** Writes reports, files of a container and a version of a PDF, as far as they are asked for. */
async function writeAll(
  result: Checked | undefined,
  options: GivenVerify,
  files: ReportFiles,
  exitCode: ExitCode,
  context: CommandContext,
): Promise<object> {
  if (result?.document === undefined || !('report' in result)) return {};
  const { document, report } = result;
  const { extract, signedVersion, output = '', force = false } = options;
  const names = await writeReports(document, report, files, context);
  const written: Record<string, unknown> = {};
  if (names.length > 0) written['reports'] = names;
  if (extract !== undefined) {
    const extraction = { folder: extract, force };
    const isPassed = exitCode === 0;
    const paths = await extractCovered(document, report, extraction, isPassed, context);
    written['extracted'] = paths;
  }
  if (signedVersion !== undefined) {
    const request = { signature: signedVersion, output, force };
    written['signedVersion'] = await writeVersion(document, report, request, context);
  }
  return written;
}
