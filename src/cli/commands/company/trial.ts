import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { minute } from '../../report/index.ts';
import { useService } from '../../use-service.ts';
import { readEnd } from '../option-values.ts';

interface TrialOptions {
  readonly until: string;
}

/** Adds `company trial` to the command tree. */
export function defineCompanyTrial(company: Command, start: Start): void {
  const command = company
    .command('trial')
    .summary('set when the trial of a company ends')
    .description('Set when the trial of a company ends, or that there is none.')
    .requiredOption('--until <time>', '2027-01-31, 2027-01-31T12:00Z, 30d, or none');
  documentCommand(command, {
    text: [
      'After the end no new processes are taken and no signee logs in (error 10101); what was ' +
        'signed stays. A day counts to its end, UTC.',
    ],
    examples: [
      ['innsigli company trial --until 30d', 'thirty days from now'],
      ['innsigli company trial --until none', 'the company stays'],
    ],
    exits: [
      [0, 'set'],
      [2, 'the time is missing or wrong'],
      [5, 'no such company, or several and none is named'],
    ],
  });
  command.action((options: TrialOptions, self: Command) =>
    start(self, (context) => runCompanyTrial(options, context)),
  );
}

/** Sets the end of the trial. */
export async function runCompanyTrial(
  { until }: TrialOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { io, console } = context;
  const endsAtMs = until === 'none' ? undefined : readEnd(until, io.now());
  const { key, name } = await useService(context, (service) => service.setTrial(endsAtMs));
  if (console.mode.json) {
    const trialEndsAt = endsAtMs === undefined ? null : new Date(endsAtMs).toISOString();
    console.document({ v: 1, command: 'company trial', key, trialEndsAt });
    return 0;
  }
  const what = endsAtMs === undefined ? 'has no trial' : `is on trial until ${minute(endsAtMs)}`;
  console.note(`${printable(name)} ${what}`);
  return 0;
}
