import type { Command } from 'commander';
import {
  type ActivityVerification,
  type EvidenceComparison,
  type ExportVerification,
  evidenceBytesMax,
  findTime,
} from '../../../app/activity/index.ts';
import type { ByteSource } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { asKey } from '../../../domain/keys.ts';
import { documentCommand } from '../../command-doc.ts';
import {
  type CommandContext,
  type ExitCode,
  loadConfig,
  openToolkit,
  refuseUsage,
  type Start,
} from '../../context.ts';
import { closeInput, readInput } from '../../files/index.ts';
import { addTrustOption, type SettingOptions, settingsFrom } from '../../options.ts';
import { counted, printable } from '../../output/index.ts';
import { timeText } from '../option-values.ts';
import { countedProcesses, useActivity } from './options.ts';

interface VerifyOptions extends SettingOptions {
  readonly since?: string;
  readonly file?: string;
  readonly evidence?: string;
}

const evidenceWords: Readonly<Record<EvidenceComparison['faults'][number], string>> = {
  'process.missing': 'the process is gone',
  'chain.changed': 'the log of the process has other rows',
  'roots.changed': 'the daily roots are others, or some are gone',
  'document.changed': 'the process names another document',
};

const faultWords: Readonly<Record<string, string>> = {
  'row.foreign': 'belongs to another process, company or flow',
  'row.missing': 'is missing, or stands there twice',
  'row.changed': 'was changed',
  'time.back': 'is older than the row before it',
  'personal.changed': 'has a personal value that was changed',
  'personal.added': 'has a personal value that it was not written with',
  'personal.missing': 'has lost a personal value that nobody erased',
  'status.changed': 'is the newest, and the process has another status than its log',
  'process.changed': 'tells of other times, another end or purge than the process has now',
  'process.unreadable': 'is the newest, and its process cannot be read',
  'signee.changed': 'says something else of a signee than the process does now',
  'document.changed': 'tells of another document or attachment than the process names now',
  'evidence.other': 'is another one than the evidence of the process tells of',
  'evidence.missing': 'is the newest, and the evidence of the process cannot be read now',
  'contents.missing': 'is the newest, and a document or attachment of the process is gone',
  'log.orphaned': 'belongs to a process that is gone',
  'rows.missing': 'has fewer rows than were anchored',
  'rows.added': 'has more rows than were anchored (or the clock stepped back by hours)',
  'rows.changed': 'has other rows than were anchored',
  'root.changed': 'has another root than evidence tells of',
  'root.malformed': 'has something in place of a root',
  'root.early': 'has a root before its end: a clock was wrong',
  'root.missing': 'has no root',
  'root.unlinked': 'has a root that does not follow the one before it',
  'token.missing': 'has a root without the time-stamp that it should have',
  'token.late':
    'was time-stamped more than 48 hours after its end: it may have been changed before',
  'token.early': 'was time-stamped before its end: a clock was wrong',
  'token.invalid': 'has a time-stamp that is not over its root, or is not trusted',
};

/** Adds `activity verify` to the command tree. */
export function defineActivityVerify(group: Command, start: Start): void {
  const command = group
    .command('verify')
    .summary('verify that nobody changed the log')
    .description('Verify the hash chain of each process and the anchored days.')
    .argument('[process]', 'only the chain of this process')
    .option('--since <time>', 'only what was made after: 2026-01-31, 7d, 12h')
    .option('--file <export>', 'an export in place of the database; - for stdin')
    .option('--evidence <json>', 'hold the log against this evidence record; - for stdin');
  addTrustOption(command);
  documentCommand(command, {
    text: [
      'A changed, removed, added or moved row breaks its chain. The end of a chain that was cut ' +
        'off shows in the daily roots: days after the last anchored one cannot be vouched for.',
      'With --file nothing but the export is read: what an auditor was given. Its time-stamps ' +
        'are checked with --trust. Rows of a day are vouched for by the time-stamp of its root ' +
        'when all of them are there: of an export that was filtered they seldom are. Rows of the ' +
        'last days, which have none yet, are counted and not vouched for.',
      'A day without a root, or with a time-stamp of more than 48 hours after its end, is in ' +
        'doubt: who can write the database could have written it again. The days are named, ' +
        'exit 9.',
      'Each process is held against its rows: documents, attachments, signees, retention, last ' +
        'day, end and purge; and its documents have to be there.',
      'With --evidence the log is held against a record that somebody else has kept: that finds ' +
        'a database that was put back or written again as a whole. The sealed evidence page ' +
        'names the SHA-256 of its record.',
    ],
    examples: [
      ['innsigli activity verify', 'the whole log of the company'],
      ['innsigli activity verify sp0123…', 'one process'],
      ['innsigli activity verify --file log.jsonl --trust tsa-root.pem', 'without the database'],
      ['innsigli activity verify --evidence a-evidence.json', 'against what a signee has kept'],
    ],
    exits: [
      [0, 'the log is what was written; of an export: all but the last days is vouched for'],
      [5, 'there is no such process or file'],
      [7, 'it is not, or the file is no export; the first broken row of each process is named'],
      [9, 'nothing was found changed, but nobody can vouch for some days, or a document is gone'],
    ],
  });
  command.action((process: string | undefined, options: VerifyOptions, self: Command) =>
    start(self, (context) => runActivityVerify({ ...options, process }, context)),
  );
}

/** Verifies and prints what is wrong. */
export async function runActivityVerify(
  options: VerifyOptions & { readonly process?: string | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const { process, since, file, evidence } = options;
  if (evidence !== undefined) {
    if (process !== undefined || since !== undefined || file !== undefined) {
      refuseUsage('expected --evidence alone, found a process, --since or --file besides');
    }
    return compareWith(evidence, context);
  }
  if (file !== undefined) {
    if (process !== undefined || since !== undefined) {
      refuseUsage('expected --file alone, found a process or --since besides');
    }
    return verifyFile(file, options, context);
  }
  if (options.trust !== undefined) refuseUsage('--trust: expected with --file');
  if (process !== undefined && since !== undefined) {
    refuseUsage('expected a process or --since, found both');
  }
  const sinceMs = since === undefined ? undefined : findTime(timeText(since, io.now()));
  if (since !== undefined && sinceMs === undefined) {
    refuseUsage(`--since: expected a time such as 2026-01-31 or 7d, found "${since}"`);
  }
  const verdict = await console.busy('Verifying', () =>
    useActivity(context, (toolkit) =>
      toolkit.verify({
        ...(process === undefined ? {} : { processKey: asKey('process', process) }),
        ...(sinceMs === undefined ? {} : { sinceMs }),
      }),
    ),
  );
  return tell(verdict, context);
}

async function compareWith(name: string, context: CommandContext): Promise<ExitCode> {
  const { console, io } = context;
  const input = await readInput(name, io);
  try {
    const { lengthBytes } = input.source;
    if (lengthBytes > evidenceBytesMax) {
      throw new InnsigliError('limit.exceeded', `expected at most ${evidenceBytesMax} bytes`);
    }
    const record = input.source.slice(0, lengthBytes);
    const { processKey, faults } = await useActivity(context, (toolkit) => toolkit.compare(record));
    const isIntact = faults.length === 0;
    if (console.mode.json) {
      console.document({ v: 1, command: 'activity verify', isIntact, processKey, faults });
      return isIntact ? 0 : 7;
    }
    const { red, green } = await console.style('stdout');
    const key = printable(processKey);
    const lines = faults.map((fault) => `${red('✗')} ${key}: ${evidenceWords[fault]} (${fault})`);
    if (lines.length > 0) console.result(lines);
    if (isIntact && !console.mode.quiet) {
      console.result(`${green('✓')} ${key}: the log has what the evidence was made from`);
    }
    return isIntact ? 0 : 7;
  } finally {
    closeInput(input);
  }
}

async function verifyFile(
  name: string,
  options: VerifyOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { console, io } = context;
  const { config } = await loadConfig(context, settingsFrom(options));
  const toolkit = await openToolkit(context, config);
  const input = await readInput(name, io);
  try {
    const verdict = await console.busy('Verifying', () =>
      toolkit.verifyLogExport(piecesOf(input.source)),
    );
    return await tell(verdict, context);
  } finally {
    closeInput(input);
    toolkit.close();
  }
}

const pieceBytes = 256 * 1024;

async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < source.lengthBytes; from += pieceBytes) {
    yield source.slice(from, Math.min(from + pieceBytes, source.lengthBytes));
  }
}

async function tell(verdict: Verdict, { console }: CommandContext): Promise<ExitCode> {
  const exitCode: ExitCode = verdict.isIntact ? (verdict.isVouched ? 0 : 9) : 7;
  if (console.mode.json) {
    console.document({ v: 1, command: 'activity verify', ...verdict });
    return exitCode;
  }
  const { red, green, yellow } = await console.style('stdout');
  const faults = faultLines(verdict).map((line) => `${red('✗')} ${line}`);
  if (faults.length > 0) console.result(faults);
  const sign = exitCode === 0 ? green('✓') : exitCode === 9 ? yellow('!') : red('✗');
  if (!console.mode.quiet) console.result(`${sign} ${summary(verdict)}`);
  return exitCode;
}

type Verdict = ActivityVerification | ExportVerification;

function faultLines(verdict: Verdict): readonly string[] {
  const { chainFindings, dayFindings } = verdict;
  const isCut = 'isWhole' in verdict && !verdict.isWhole;
  return [
    ...(isCut ? ['the export is cut off, or lines were taken out of it'] : []),
    ...chainFindings.map(
      ({ processKey, seq, fault }) =>
        `${printable(processKey)} row ${seq} ${faultWords[fault] ?? fault} (${fault})`,
    ),
    ...dayFindings.map(({ day, fault, expectedCount, foundCount }) => {
      const counts = `expected ${counted(expectedCount, 'row')}, found ${foundCount}`;
      return `${day} ${faultWords[fault] ?? fault} (${fault}: ${counts})`;
    }),
  ];
}

function summary(verdict: Verdict): string {
  const { isIntact, processes, rows, days, stampedDays, anchoredUntil } = verdict;
  const parts = [`${counted(rows, 'row')} of ${countedProcesses(processes)}`];
  if ('head' in verdict) parts.push(`head ${verdict.head}`);
  else if (anchoredUntil === undefined) parts.push('no day is anchored');
  else parts.push(`${counted(days, 'day')} (${stampedDays} time-stamped) until ${anchoredUntil}`);
  const what = isIntact && !verdict.isVouched ? 'consistent, not vouched for' : checked(isIntact);
  if (!('isWhole' in verdict)) return `the log is ${what}: ${parts.join(', ')}`;
  const { wholeDays, vouchedRows, isFiltered } = verdict;
  if (days > 0) parts.push(`${wholeDays} of the days with all of their rows`);
  if (isFiltered) parts.push('it was filtered');
  const open = rows - vouchedRows;
  const verb = open === 1 ? 'is' : 'are';
  if (open > 0) parts.push(`${counted(open, 'row')} ${verb} not vouched for by a time-stamp`);
  return `the export is ${what}: ${parts.join(', ')}`;
}

function checked(isIntact: boolean): string {
  return isIntact ? 'intact' : 'broken';
}
