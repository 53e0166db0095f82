import type { Command } from 'commander';
import { deliveryTypes } from '../../../domain/process/index.ts';
import { documentCommand } from '../../command-doc.ts';
import { type CommandContext, type ExitCode, refuseUsage, type Start } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { oneOf } from '../option-values.ts';
import { defineRemindCancel } from './cancel.ts';
import { targetOf, type UseReminders } from './options.ts';
import { defineRemindRun } from './run.ts';

/** Parsed options of `remind`. */
export interface RemindOptions {
  readonly delivery?: string;
  readonly includeUnsubscribe?: boolean;
  readonly user?: string;
}

/** Adds `remind` and its commands to the command tree. */
export function defineRemind(program: Command, start: Start, use: UseReminders): void {
  const command = program
    .command('remind')
    .summary('remind a signee to sign')
    .description('Remind a signee, now and once; or a person of a sequence, of all documents.')
    .helpCommand(false)
    .argument('[process]', 'key of the process, or of the sequence')
    .argument('[signee]', 'key of the signee, or of the person of the sequence')
    .option('--delivery <way>', `how: ${deliveryTypes.join(', ')} (default: as invited)`)
    .option('--include-unsubscribe', 'add a link that ends reminders (Email only)')
    .option('--user <e-mail>', 'who asks, for the log (default: System)');
  documentCommand(command, {
    text: [
      'Signees of type Qualified get mail or text messages, all others mail. None sends nothing ' +
        'and only writes that you reminded them. Without --delivery it is that of the ' +
        'invitation. The message leaves with the next run of ' +
        '"innsigli remind run", or at once where a server works.',
    ],
    examples: [
      ['innsigli remind sp0123… si4567…', 'one signee, in the way of the invitation'],
      ['innsigli remind pg0123… gs4567… --delivery Sms', 'all documents of a sequence'],
      ['innsigli remind run', 'what is due, for cron'],
    ],
    exits: [
      [0, 'the reminder waits to leave'],
      [2, 'the signee cannot be reminded that way'],
      [5, 'there is no such process or signee'],
      [6, 'the signee has signed, or the process is closed'],
    ],
  });
  command.action(
    (process: string | undefined, signee: string | undefined, options: RemindOptions, self) =>
      start(self, (context) => runRemind(process, signee, options, context, use)),
  );
  defineRemindCancel(command, start, use);
  defineRemindRun(command, start, use);
}

/** Asks for one reminder and prints the process whose log tells of it. */
export async function runRemind(
  process: string | undefined,
  signee: string | undefined,
  options: RemindOptions,
  context: CommandContext,
  use: UseReminders,
): Promise<ExitCode> {
  const { console } = context;
  if (process === undefined || signee === undefined) {
    refuseUsage('expected a process and a signee', 'innsigli remind PROCESS SIGNEE');
  }
  const wish = oneOf(deliveryTypes, options.delivery, '--delivery');
  if (options.includeUnsubscribe === true && wish !== 'Email') {
    refuseUsage(`--include-unsubscribe: expected --delivery Email, found ${wish ?? 'none'}`);
  }
  const target = targetOf(process, signee);
  const { key, delivery, isDouble } = await use(context, (toolkit) =>
    toolkit.remind(target, {
      ...(wish === undefined ? {} : { delivery: wish }),
      includeUnsubscribe: options.includeUnsubscribe === true,
      ...(options.user === undefined ? {} : { user: options.user }),
    }),
  );
  if (console.mode.json) {
    const document = { processKey: key, signeeKey: signee, delivery, isDouble };
    console.document({ v: 1, command: 'remind', ...document });
    return 0;
  }
  const { green } = await console.style('stderr');
  const what = delivery === 'None' ? 'is written in the log' : `waits to leave by ${delivery}`;
  console.note(
    isDouble
      ? `A reminder by ${delivery} waits already, and goes for both.`
      : `${green('✓')} The reminder ${what}.`,
  );
  console.result(printable(key));
  return 0;
}
