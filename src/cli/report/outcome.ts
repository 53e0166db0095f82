import type { SignatureReport } from '../../verify/report.ts';
import type { ResolvedConfig } from '../../wire/config.ts';
import type { SealOutcome } from '../../wire/toolkit.types.ts';
import type { InputFile } from '../files/index.ts';
import type { Talk } from '../output/index.ts';
import {
  byteCount,
  commonName,
  counted,
  printable,
  shellWord,
  shortTime,
  shownName,
} from '../output/index.ts';
import { archiveLine, type GivenFlags, verifyLine } from './advice.ts';

/** A document that was sealed or archived and written. */
export interface WrittenOutcome {
  readonly command: 'seal' | 'archive';
  readonly input: InputFile;
  /** As the user wrote it; `-` for stdout. */
  readonly output: string;
  readonly outcome: SealOutcome;
  readonly elapsedMs: number;
  readonly config: ResolvedConfig;
  readonly given: GivenFlags;
}

/** Says what was done and how to check it; the path of the result is the only line on stdout. */
export async function sayOutcome(written: WrittenOutcome, talk: Talk): Promise<void> {
  const { output, outcome, input } = written;
  for (const warning of outcome.warnings) await talk.warn(warning, 'document.warning');
  if (talk.manner.json) return talk.document(outcomeDocument(written));

  const { bold, dim, green } = await talk.style('stderr');
  const verb = written.command === 'seal' ? 'Sealed' : 'Archived';
  const name = printable(shownName(input.name));
  const row = (label: string, value: string) => `  ${dim(label.padEnd(11))} ${value}`;
  const timestamps = timestampLine(outcome);
  const total = input.source.lengthBytes + outcome.tail.length;
  talk.note([
    `${green('✓')} ${verb} ${bold(name)} at ${bold(`PAdES ${outcome.level}`)}`,
    ...(written.command === 'seal' ? [row('signer', commonName(outcome.signer))] : []),
    row('field', printable(outcome.field)),
    ...(timestamps === undefined ? [] : [row('time-stamps', timestamps)]),
    row(
      'size',
      `${byteCount(total)}, and its first ${byteCount(input.source.lengthBytes)} are the input`,
    ),
    row('verified', `${verdictLine(outcome)}, in ${(written.elapsedMs / 1000).toFixed(2)} s`),
  ]);
  if (output === '-') return;
  const given = withRoots(written);
  const isKnown = given.settings.trust !== undefined || !needsRoot(written);
  talk.note([
    isKnown ? 'Check it:' : 'Check it (--trust FILE names the root of the signer):',
    `  ${verifyLine(given, output)}`,
    `  pdfsig ${shellWord(output)}`,
    ...nextStep(outcome, given, output),
  ]);
  talk.result(output);
}

/** The document of `--json`, version 1. */
export function outcomeDocument(written: WrittenOutcome): object {
  const { command, input, output, outcome } = written;
  return {
    v: 1,
    command,
    input: input.name,
    output,
    level: outcome.level,
    field: outcome.field,
    ...(outcome.sealCount === undefined ? {} : { sealCount: outcome.sealCount }),
    signer: outcome.signer,
    inputBytes: input.source.lengthBytes,
    outputBytes: input.source.lengthBytes + outcome.tail.length,
    timestampRequests: outcome.timestampRequests,
    elapsedMs: Math.round(written.elapsedMs),
    report: outcome.report,
  };
}

function verdictLine({ report }: SealOutcome): string {
  const stamps = report.signatures.filter((one) => one.kind === 'document-timestamp').length;
  const count = counted(report.signatures.length - stamps, 'signature');
  return stamps === 0 ? count : `${count}, ${counted(stamps, 'document time-stamp')}`;
}

function timestampLine(outcome: SealOutcome): string | undefined {
  if (outcome.timestampRequests === 0) return undefined;
  const stamp = lastTimestamp(outcome.report.signatures);
  const requests = counted(outcome.timestampRequests, 'request');
  if (stamp === undefined) return requests;
  return `${requests}; ${shortTime(stamp.time)} by ${commonName(stamp.authority)}`;
}

function lastTimestamp(signatures: readonly SignatureReport[]) {
  return signatures.flatMap((signature) => signature.timestamps).at(-1);
}

/** A root in the chain of the own key was trusted for the seal, and is not afterwards. */
function needsRoot({ command, config }: WrittenOutcome): boolean {
  const isOwnKey = command === 'seal' && config.key.kind !== 'development';
  return isOwnKey && config.trust.length === 0;
}

function withRoots(written: WrittenOutcome): GivenFlags {
  const { given, outcome } = written;
  const chain = given.settings['key.chain'];
  const seal = outcome.report.signatures.find(({ field }) => field === outcome.field);
  if (!needsRoot(written) || seal?.trusted !== true || chain === undefined) return given;
  return { ...given, settings: { ...given.settings, trust: chain } };
}

function nextStep(outcome: SealOutcome, given: GivenFlags, output: string): readonly string[] {
  if (outcome.level !== 'B-LTA') {
    return ['To keep it verifiable for years:', `  ${archiveLine(given, output, false)}`];
  }
  const stamp = outcome.report.signatures.findLast((one) => one.kind === 'document-timestamp');
  const until = stamp?.signer?.notAfter.slice(0, 10);
  if (until === undefined) return [];
  return [`To keep it verifiable, renew before ${until}:`, `  ${archiveLine(given, output, true)}`];
}
