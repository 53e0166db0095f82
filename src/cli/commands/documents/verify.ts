import { defined } from '../../../base/defined.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import { locales } from '../../../base/words/index.ts';
import type { FileObjectSource, Toolkit } from '../../../wire/toolkit.types.ts';
import { command, type Given, integer, pastTime } from '../../command/index.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  refuseUsage,
  yieldToEventLoop,
} from '../../context.ts';
import { extractCovered } from '../../extract.ts';
import { closeInput, type InputFile, readDetached, readInput } from '../../files/index.ts';
import { namedError } from '../../named-error.ts';
import {
  algorithmPolicyOption,
  batchHelp,
  batchOptions,
  detachedOption,
  documentOptions,
  meansBatch,
  readBatchOptions,
  refuseDetached,
  requireInput,
  revocationOption,
  settingsFrom,
  trustOptions,
} from '../../options/index.ts';
import { shownName } from '../../output/index.ts';
import type { ReportFiles, Verified } from '../../report/index.ts';
import { writeVersion } from '../../signed-version.ts';

const batchReportHint = 'for many documents: --report FILE writes one line of JSON per document';

const options = {
  '--whole': 'fail a document that is not covered completely',
  '--at <time>': {
    text: 'time of verification: 2026-01-31T12:00:00Z, or 30d for 30 days ago (default: now)',
    ...pastTime,
  },
  ...detachedOption,
  '--second-opinion': 'check XML signatures with a second implementation, too',
  '--extract <folder>': 'extract the covered files of a container that passed',
  '--write-report <file>': {
    text: 'a report as .html, .pdf, .xml (ETSI TS 119 102-2) or .json (repeatable)',
    many: true,
  },
  '--language <code>': {
    text: `language of --write-report: ${locales.join(' ')} (default: en)`,
    offered: locales,
  },
  '--signed-version <number>': {
    text: 'write the document as signed by this signature of the report; needs -o',
    ...integer(1, 4_096),
  },
  '-o, --output <file>': 'output file of --signed-version',
  '-f, --force': 'replace files; extract even if a container did not pass',
  ...documentOptions,
  ...trustOptions,
  ...revocationOption,
  ...algorithmPolicyOption,
  ...batchOptions,
} as const;

type GivenVerify = Given<object, typeof options>;

/** Verifies documents, one by one or in a batch. */
export const verify = command('verify', {
  description: 'Verify every signature and time-stamp of PDF, XML, ASiC and CMS files.',
  args: { '[inputs...]': 'signed documents, or - for stdin; folders or patterns for a batch' },
  options,
  help: [
    'Reports integrity, coverage, trust and level of each signature, with the indications of ' +
      'ETSI EN 319 102-1.',
    'A valid signature may cover only a part of the document. The report states this; with ' +
      '--whole verification fails then. It also fails if no signature covers a file of ' +
      '--detached.',
    'With --second-opinion xmldsigjs checks XML signatures, too, as far as it supports them. ' +
      'It can only lower the verdict: a signature that fails there is INDETERMINATE.',
    'Anchors of --trust or the configuration replace the development root. To trust it ' +
      'as well, pass its file, which innsigli init prints.',
    '--write-report writes the report on one document to a file, whatever the verdict: for ' +
      'people (.html without scripts; .pdf as PDF/A-2a, for court files), for other ' +
      'validators (.xml) and as JSON. --verbose also shows the checks of EN 319 102-1.',
    'Revocation: every certificate of a path needs an OCSP response or CRL, in the document or ' +
      'from --validation-data, with status good (EN 319 102-1 §5.2.6). Without it the signature ' +
      'is INDETERMINATE / TRY_LATER; with --revocation online the addresses in the certificates ' +
      'are queried first, and the report lists the requests; --revocation ignore only reports ' +
      'missing data. A revocation always counts.',
    'Digests and key sizes are accepted until the dates of ETSI TS 119 312, as of the proved ' +
      'time of a signature, otherwise the time of verification. --policy names a different ' +
      'table: {"name", "published", "digests": {"sha256": null}, "keys": {"rsa": [[3000, null]]}}.',
    'For a PDF updated after signing the report lists the changes by page and ' +
      'field, and --signed-version 1 -o FILE writes the version of signature 1.',
    'With a folder, a pattern or a batch option, one line is printed per document.',
    batchHelp[0],
  ],
  examples: {
    'innsigli verify agreement.sealed.pdf': 'against the development trust',
    'innsigli verify a.pdf --trust roots/': 'against your own anchors',
    'innsigli verify --json *.pdf': 'for programs',
    'innsigli verify a.pdf --at 2024-06-01T12:00:00Z': 'as of this time',
    'innsigli verify a.sig.xml --detached a.bin': 'a detached signature and its document',
    'innsigli verify a.pdf --write-report a.report.pdf --language de': 'a report in German',
    'innsigli verify a.pdf --revocation online': 'and fetch missing data',
    'innsigli verify a.p7m b.p7s --detached b.bin': 'CMS and CAdES, enveloping and detached',
    'innsigli verify b.asice --whole --extract out': 'extract the signed files',
    'innsigli verify a.pdf --signed-version 1 -o signed.pdf': 'the signed version, without updates',
    'innsigli verify vault --jobs 4 --report checked.jsonl': 'everything in a folder',
  },
  exits: {
    0: 'every signature is TOTAL-PASSED',
    1: 'a file cannot be read',
    2: 'invalid usage',
    3: 'one of several documents could not be checked, for example because it is damaged',
    4: 'a password is missing or incorrect',
    5: 'no such file',
    7:
      'a signature is TOTAL-FAILED, or none was found, the file is not a document, or is not ' +
      'covered completely (--whole, --detached); takes precedence over 3',
    9: 'a signature is INDETERMINATE; 3 takes precedence',
    10: 'a trust anchor or the configuration cannot be read',
  },
  run: async ({ inputs, ...options }, context) => {
    const isBatch = meansBatch(inputs, options, context.io.cwd);
    if (isBatch && options.detached !== undefined) refuseDetached();
    requireOneDocument(options, isBatch || inputs.length > 1);
    if (!isBatch) {
      requireInput(inputs);
      return verifyInputs(inputs, options, context);
    }
    const { runBatch } = await import('../../batch/index.ts');
    return runBatch(readBatchOptions('verify', inputs, settled(options)), context);
  },
});

function settled(options: GivenVerify) {
  return { ...options, algorithmPolicy: options.policy };
}

/** Rejects options that require a single document, or a further option. @throws usage.invalid */
function requireOneDocument(
  { extract, writeReport = [], language, signedVersion, output }: GivenVerify,
  isMany: boolean,
): void {
  if (extract !== undefined && isMany) {
    refuseUsage('--extract: expected one container, found several documents');
  }
  if (writeReport.length > 0 && isMany) {
    refuseUsage('--write-report: expected one document, found several', batchReportHint);
  }
  if (language !== undefined && writeReport.length === 0) {
    refuseUsage('--language: expected --write-report with it, found none');
  }
  if (signedVersion === undefined) {
    if (output !== undefined && !isMany) refuseUsage('-o: expected --signed-version with it');
    return;
  }
  if (isMany) refuseUsage('--signed-version: expected one PDF, found several documents');
  if (output === undefined || output === '-') {
    refuseUsage('--signed-version: expected -o with it, found none');
  }
}

/** Includes the document itself while it is still needed. */
type Checked = Verified & { readonly document?: InputFile };

/** Verifies documents in order, prints a report for each and writes the requested files. */
async function verifyInputs(
  inputs: readonly string[],
  options: GivenVerify,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console } = context;
  const { whole = false, force = false, language, writeReport = [] } = options;
  const { notCheckedLines, readReportFiles, reportDocument } = await import(
    '../../report/index.ts'
  );
  const { exitCodeOf, findUncovered, reportsOf, printDetachedResults, printResult } = await import(
    './verify-results.ts'
  );
  const files = readReportFiles(writeReport, language, force);
  const { config } = await loadConfig(context, settingsFrom(settled(options)));
  const toolkit = await openToolkit(context, config);
  const style = await console.style('stdout');
  const detached = await readDetached(options.detached ?? [], inputs, io);
  const results: Checked[] = [];
  try {
    for (const name of inputs) {
      const result = await verifyOne(name, detached, options, toolkit, context);
      await yieldToEventLoop();
      // A single document that cannot be verified is an ordinary error; one of several is a row.
      if ('error' in result && inputs.length === 1) throw namedError(name, result.error);
      results.push(result);
      // Uncovered files are printed first, but are known only after all signatures were verified.
      if (detached.length > 0) continue;
      await printResult(result, results.length === 1, style, context);
    }
    const findings = await findUncovered(detached, results);
    const exitCode = exitCodeOf(results, whole, findings.length > 0);
    if (detached.length > 0) await printDetachedResults(results, findings, style, context);
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

/** Writes the requested reports, container files and signed version of a PDF. */
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
  const { writeReports } = await import('../../report/index.ts');
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
