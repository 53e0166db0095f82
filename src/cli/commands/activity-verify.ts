import type { Command } from 'commander';
import { type ActivityVerification, findTime } from '../../app/activity/index.ts';
import { asKey } from '../../domain/keys.ts';
import { documentCommand } from '../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../context.ts';
import { counted, printable } from '../output/index.ts';
import { countedProcesses, timeText, useActivity } from './activity-options.ts';

interface VerifyOptions {
  readonly since?: string;
}

const faultWords: Readonly<Record<string, string>> = {
  'row.foreign': 'belongs to another process',
  'row.missing': 'is missing, or stands there twice',
  'row.changed': 'was changed',
  'time.back': 'is older than the row before it',
  'personal.changed': 'has a personal value that was changed',
  'personal.added': 'has a personal value that it was not written with',
  'rows.missing': 'has fewer rows than were anchored',
  'rows.added': 'has more rows than were anchored (or the clock stepped back by hours)',
  'rows.changed': 'has other rows than were anchored',
  'root.missing': 'has rows and its root is gone',
  'token.missing': 'has a root without the time-stamp that it should have',
  'token.invalid': 'has a time-stamp that is not over its root, or is not trusted',
};

/** Adds `activity verify` to the command tree. */
export function defineActivityVerify(group: Command, start: Start): void {
  const command = group
    .command('verify')
    .summary('verify that nobody changed the log')
    .description('Verify the hash chain of each process and the anchored days.')
    .argument('[process]', 'only the chain of this process')
    .option('--since <time>', 'only what was made after: 2026-01-31, 7d, 12h');
  documentCommand(command, {
    text: [
      'A changed, removed, added or moved row breaks its chain. The end of a chain that was cut ' +
        'off shows in the daily roots: days after the last anchored one cannot be vouched for.',
    ],
    examples: [
      ['innsigli activity verify', 'the whole log of the company'],
      ['innsigli activity verify sp0123…', 'one process'],
    ],
    exits: [
      [0, 'the log is what was written'],
      [5, 'there is no such process'],
      [7, 'it is not; the first broken row of each process is named'],
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
  const { talk, io } = context;
  const { process, since } = options;
  if (process !== undefined && since !== undefined) {
    refuseUsage('expected a process or --since, found both');
  }
  const sinceMs = since === undefined ? undefined : findTime(timeText(since, io.now()));
  if (since !== undefined && sinceMs === undefined) {
    refuseUsage(`--since: expected a time such as 2026-01-31 or 7d, found "${since}"`);
  }
  const verdict = await talk.busy('Verifying', () =>
    useActivity(context, (toolkit) =>
      toolkit.verify({
        ...(process === undefined ? {} : { processKey: asKey('process', process) }),
        ...(sinceMs === undefined ? {} : { sinceMs }),
      }),
    ),
  );
  const exitCode: ExitCode = verdict.isIntact ? 0 : 7;
  if (talk.manner.json) {
    talk.document({ v: 1, command: 'activity verify', ...verdict });
    return exitCode;
  }
  const { red, green } = await talk.style('stdout');
  const faults = faultLines(verdict).map((line) => `${red('✗')} ${line}`);
  if (faults.length > 0) talk.result(faults);
  const sign = verdict.isIntact ? green('✓') : red('✗');
  if (!talk.manner.quiet) talk.result(`${sign} ${summary(verdict)}`);
  return exitCode;
}

function faultLines({ chainFindings, dayFindings }: ActivityVerification): readonly string[] {
  return [
    ...chainFindings.map(
      ({ processKey, seq, fault }) =>
        `${printable(processKey)} row ${seq} ${faultWords[fault] ?? fault} (${fault})`,
    ),
    ...dayFindings.map(({ day, fault, expectedCount, foundCount }) => {
      const counts = `expected ${expectedCount}, found ${foundCount}`;
      return `${day} ${faultWords[fault] ?? fault} (${fault}: ${counts})`;
    }),
  ];
}

function summary(verdict: ActivityVerification): string {
  const { isIntact, processes, rows, days, stampedDays, anchoredUntil, head } = verdict;
  const parts = [`${counted(rows, 'row')} of ${countedProcesses(processes)}`];
  if (head !== undefined) parts.push(`head ${head}`);
  else if (anchoredUntil === undefined) parts.push('no day is anchored');
  else parts.push(`${counted(days, 'day')} (${stampedDays} time-stamped) until ${anchoredUntil}`);
  return `${isIntact ? 'the log is intact' : 'the log is broken'}: ${parts.join(', ')}`;
}
