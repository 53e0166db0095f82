import type { SealedDocument } from '../../app/documents/sealed-document.ts';
import { defined } from '../../base/defined.ts';
import type { TimestampSummary } from '../../verify/report/index.ts';
import { namesAnchors, type ResolvedConfig } from '../../wire/config/config.ts';
import { developmentRootFile } from '../../wire/config/paths.ts';
import { archiveLine, type GivenFlags, verifyLine } from '../advice.ts';
import type { InputFile } from '../files/index.ts';
import {
  byteCount,
  type Console,
  counted,
  printable,
  shellWord,
  shortTime,
  shownName,
} from '../output/index.ts';
import { commonName } from '../subject-name.ts';
import type { AnySignature } from './signature-claims.ts';

/** A document that was sealed or archived, and written. */
export interface WrittenOutcome {
  readonly command: 'seal' | 'seal-xml' | 'archive';
  /** Only a time-stamp was added. */
  readonly timestampOnly: boolean;
  readonly input: InputFile;
  /** Names of all inputs, if one signature can cover several. */
  readonly inputs?: readonly string[];
  /** Name as entered by the user; `-` for stdout. */
  readonly output: string;
  readonly outcome: SealedDocument;
  readonly elapsedMs: number;
  readonly config: ResolvedConfig;
  readonly given: GivenFlags;
}

/** Reports what was done and how to verify it; only the path of the result goes to stdout. */
export async function printOutcome(written: WrittenOutcome, console: Console): Promise<void> {
  const { output, outcome, input, inputs = [] } = written;
  for (const warning of outcome.warnings) await console.warn(warning, 'document.warning');
  if (console.mode.json) return console.document(outcomeDocument(written));

  const { bold, dim, green } = await console.style('stderr');
  const isArchive = written.command === 'archive';
  const name =
    inputs.length > 1 ? counted(inputs.length, 'file') : printable(shownName(input.name));
  const row = (label: string, value: string) => `  ${dim(label.padEnd(11))} ${value}`;
  const timestamps = timestampLine(outcome);
  console.note([
    `${green('✓')} ${doneText(written, bold(name), bold)}`,
    ...(!isArchive ? [row('signer', commonName(outcome.signer ?? ''))] : []),
    ...(outcome.field === undefined ? [] : [row('field', printable(outcome.field))]),
    ...(timestamps === undefined ? [] : [row('time-stamps', timestamps)]),
    row('size', sizeText(outcome, input.source.lengthBytes)),
    row('verified', `${verdictLine(outcome)}, in ${(written.elapsedMs / 1000).toFixed(2)} s`),
  ]);
  if (output === '-') return;
  const given = withRevocation(withRoots(written), outcome);
  const isKnown = given.settings.trust !== undefined || !needsRoot(written);
  console.note([
    isKnown ? 'Verify it:' : 'Verify it (--trust FILE names the root of the signer):',
    `  ${verifyLine(given, output)}`,
    ...(outcome.report.format === 'pdf' ? [`  pdfsig ${shellWord(output)}`] : []),
    ...nextStep(written, given),
  ]);
  console.path(output);
}

function outcomeDocument(written: WrittenOutcome): object {
  const { command, input, inputs = [], output, outcome } = written;
  const { level, field, signatureId, sealCount, signer, keptBytes, tail } = outcome;
  const { timestampRequests, provesUntil, report } = outcome;
  return defined({
    ...{ v: 1, command, input: input.name, inputs: inputs.length > 1 ? inputs : undefined },
    ...{ output, level, field, signatureId, sealCount, signer },
    inputBytes: input.source.lengthBytes,
    outputBytes: keptBytes + tail.length,
    ...{ timestampRequests, provesUntil, elapsedMs: Math.round(written.elapsedMs), report },
  });
}

function sizeText({ keptBytes, tail, report }: SealedDocument, inputBytes: number): string {
  const total = byteCount(keptBytes + tail.length);
  if (report.format !== 'pdf') return total;
  return `${total}, and its first ${byteCount(inputBytes)} are the input`;
}

function doneText(written: WrittenOutcome, name: string, bold: (text: string) => string): string {
  const { command, outcome, timestampOnly } = written;
  if (timestampOnly) return `Time-stamped ${name}`;
  if (outcome.level === undefined) return `Archived ${name}, of no baseline profile`;
  return `${command === 'archive' ? 'Archived' : 'Sealed'} ${name} at ${bold(levelText(written))}`;
}

function levelText({ command, outcome }: WrittenOutcome): string {
  const { report, level, signatureId } = outcome;
  if (report.format === 'pdf') return `PAdES ${level}`;
  if (report.format === 'xml') return `XAdES ${level}`;
  if (report.format === 'cms') return `CAdES ${level}`;
  const container = report.format === 'asic-s' ? 'ASiC-S' : 'ASiC-E';
  // An archived container can hold signatures of both kinds.
  if (command === 'archive') return `${container} ${level}`;
  return `${signatureId === undefined ? 'CAdES' : 'XAdES'} ${level} in ${container}`;
}

/**
 * The flags with `--revocation`, if nothing in the document proves the revocation status, which
 * verify requires by default. For a signer not trusted here, the status is not checked now, but
 * will be.
 */
function withRevocation(given: GivenFlags, { report, level }: SealedDocument): GivenFlags {
  const isWithoutData = level === 'B-B' || level === 'B-T';
  const isOpen = report.signatures.some(
    ({ subIndication, findings, trusted }) =>
      subIndication === 'TRY_LATER' ||
      (isWithoutData && trusted === false) ||
      findings.some(({ code }) => code === 'revocation.unknown'),
  );
  if (!isOpen || given.settings.revocation !== undefined) return given;
  return { ...given, settings: { ...given.settings, revocation: 'ignore' } };
}

function verdictLine({ report }: SealedDocument): string {
  const stamps = report.signatures.filter((one) => one.kind === 'document-timestamp').length;
  const count = counted(report.signatures.length - stamps, 'signature');
  return stamps === 0 ? count : `${count}, ${counted(stamps, 'document time-stamp')}`;
}

function timestampLine({ timestampRequests = 0, report }: SealedDocument): string | undefined {
  if (timestampRequests === 0) return undefined;
  const stamp = lastTimestamp(report.signatures);
  const requests = counted(timestampRequests, 'request');
  if (stamp === undefined) return requests;
  return `${requests}; ${shortTime(stamp.time)} by ${commonName(stamp.authority)}`;
}

/** The latest time-stamp, over a signature or over the document. */
function lastTimestamp(signatures: readonly AnySignature[]): Stamp | undefined {
  const stamps: Stamp[] = [];
  for (const { kind, bestTime, signer, timestamps } of signatures) {
    if (kind === 'document-timestamp') {
      stamps.push({ time: bestTime, authority: signer?.subject ?? '' });
    }
    stamps.push(...timestamps);
  }
  const last = stamps
    .map(({ time }) => time)
    .sort()
    .at(-1);
  return stamps.find(({ time }) => time === last);
}

type Stamp = Pick<TimestampSummary, 'time' | 'authority'>;

/** True if the root of the user's own chain was trusted for sealing, but is not for verifying. */
function needsRoot({ command, config }: WrittenOutcome): boolean {
  const isOwnKey = command !== 'archive' && config.key.kind !== 'development';
  return isOwnKey && !namesAnchors(config);
}

function withRoots(written: WrittenOutcome): GivenFlags {
  const { given, outcome, config } = written;
  if (namesAnchors(config) && leadsToTestKeys(written)) {
    // Named anchors replace the development root, so it must be named, too.
    const named = given.settings.trust ?? config.trust;
    const trust = [...new Set([...[named].flat(), developmentRootFile(config.dataDir)])];
    return { ...given, settings: { ...given.settings, trust } };
  }
  const chain = given.settings['key.chain'];
  const seal = newSignature(outcome);
  if (!needsRoot(written) || seal?.trusted !== true || chain === undefined) return given;
  return { ...given, settings: { ...given.settings, trust: chain } };
}

/** True if keys of the development trust created the seal or its time-stamps. */
function leadsToTestKeys({ command, config, outcome }: WrittenOutcome): boolean {
  const isOwnKey = command !== 'archive' && config.key.kind === 'development';
  return isOwnKey || (outcome.level !== 'B-B' && config.tsa.length === 0);
}

function newSignature({ report, field, signatureId }: SealedDocument) {
  const signatures: readonly AnySignature[] = report.signatures;
  return signatures.find((signature) =>
    'field' in signature
      ? signature.field === field
      : 'id' in signature && signature.id === signatureId,
  );
}

function nextStep(
  { outcome, output, timestampOnly }: WrittenOutcome,
  given: GivenFlags,
): readonly string[] {
  const { level, report, silentCertificate: silent } = outcome;
  // Archiving a container preserves signatures, not a lone time-stamp.
  if (timestampOnly && report.format !== 'pdf') return [];
  if (timestampOnly || (level !== undefined && level !== 'B-LTA')) {
    const isGiven = silent === undefined || given.settings.validationData !== undefined;
    if (isGiven) {
      return ['To keep it verifiable for years:', `  ${archiveLine(given, output, false)}`];
    }
    const name = commonName(silent);
    return [
      `To keep it verifiable for years, with a CRL for ${name}, whose certificate has no CRL ` +
        'address:',
      `  ${archiveLine(given, output, false, ['--validation-data CRL-FILE'])}`,
    ];
  }
  const stamp = outcome.report.signatures.findLast((one) => one.kind === 'document-timestamp');
  const until = (outcome.provesUntil?.time ?? stamp?.signer?.notAfter)?.slice(0, 10);
  const when = until === undefined ? 'from time to time' : `before ${until}`;
  return [`To keep it verifiable, renew ${when}:`, `  ${archiveLine(given, output, true)}`];
}
