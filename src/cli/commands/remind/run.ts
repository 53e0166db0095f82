import type { Command } from 'commander';
import { documentCommand } from '../../command-doc.ts';
import type { CommandContext, ExitCode, Start } from '../../context.ts';
import { counted } from '../../output/index.ts';
import { hideRemindOptions, type UseReminders } from './options.ts';

/** Adds `remind run` to the command tree. */
export function defineRemindRun(group: Command, start: Start, use: UseReminders): void {
  const command = group
    .command('run')
    .summary('send what is due, once')
    .description('Write the reminders that are due, send all waiting messages, and stop.');
  documentCommand(hideRemindOptions(command), {
    text: [
      'For cron and the like, where no server works. It may run beside a server or another run: ' +
        'each message is taken by one of them.',
    ],
    examples: [
      ['innsigli remind run', 'now'],
      ['*/10 * * * * innsigli remind run --quiet', 'every ten minutes, as a line of a crontab'],
    ],
    exits: [
      [0, 'everything that was due was tried'],
      [3, 'some jobs met a fault and come again'],
    ],
  });
  command.action((_options: object, self: Command) =>
    start(self, (context) => runRemindRun(context, use)),
  );
}

/** Does what is due and says how much that was. */
export async function runRemindRun(context: CommandContext, use: UseReminders): Promise<ExitCode> {
  const { console } = context;
  const run = await console.busy('Sending', () => use(context, (toolkit) => toolkit.runDue()));
  const exitCode: ExitCode = run.faults === 0 ? 0 : 3;
  if (console.mode.json) {
    console.document({ v: 1, command: 'remind run', ...run });
    return exitCode;
  }
  const { messages, processes, faults } = run;
  const looked = `reminders looked at in ${counted(processes, 'document')}`;
  console.note(`${counted(messages, 'message')} tried, ${looked}, ${counted(faults, 'fault')}`);
  return exitCode;
}
