import type { SignatureReport } from '../../verify/report.ts';
import type { SealOutcome } from '../../wire/toolkit.types.ts';
import type { InputFile } from '../files/index.ts';
import type { Talk } from '../output/index.ts';
import {
  byteCount,
  commonName,
  counted,
  printable,
  shellWord,
  shownName,
  shortTime,
} from '../output/index.ts';

/** A document that was sealed or archived and written. */
export interface WrittenOutcome {
  readonly command: 'seal' | 'archive';
  readonly input: InputFile;
  /** As the user wrote it; `-` for stdout. */
  readonly output: string;
  readonly outcome: SealOutcome;
  readonly elapsedMs: number;
}

/** Says what was done and how to check it; the path of the result is the only line on stdout. */
export async function sayOutcome(written: WrittenOutcome, talk: Talk): Promise<void> {
  const { output, outcome, input } = written;
  for (const warning of outcome.warnings) await talk.warn(warning, 'document.warning');
  if (talk.manner.json) return talk.document(outcomeDocument(written));

  const { bold, dim, green } = await talk.style('stderr');
  const verb = written.command === 'seal' ? 'Sealed' : 'Archived';
  const row = (name: string, value: string) => `  ${dim(name.padEnd(11))} ${value}`;
  const timestamps = timestampLine(outcome);
  const total = input.source.lengthBytes + outcome.tail.length;
  talk.note([
    `${green('✓')} ${verb} ${bold(printable(shownName(input.name)))} at ${bold(`PAdES ${outcome.level}`)}`,
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
  const word = shellWord(output);
  talk.note([
    'Check it:',
    `  innsigli verify ${word}`,
    `  pdfsig ${word}`,
    ...nextStep(outcome, word),
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

function nextStep(outcome: SealOutcome, word: string): readonly string[] {
  if (outcome.level !== 'B-LTA') {
    return ['To keep it verifiable for years:', `  innsigli archive ${word}`];
  }
  const stamp = outcome.report.signatures.findLast((one) => one.kind === 'document-timestamp');
  const until = stamp?.signer?.notAfter.slice(0, 10);
  if (until === undefined) return [];
  return [`To keep it verifiable, renew before ${until}:`, `  innsigli archive --in-place ${word}`];
}
